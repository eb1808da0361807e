// Package mail makes e-mails and gives them to an SMTP server: addresses in one form,
// what a mail consists of, and the way to the server (RFC 5321, 5322, 8058). Why somebody is
// written to, and what becomes of a mail that was not taken, it does not know.
//
// Invariants:
//
//   - Nothing of what people chose (names, subjects, addresses) makes a header: they hold no
//     line breaks when they leave.
//   - A password is given to a server over TLS or on this machine alone.
//   - Errors name no address: they go into logs and onto pages.
package mail
