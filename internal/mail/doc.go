// Package mail builds e-mails and sends them to an SMTP server (RFC 5321, 5322, 8058). It does not
// know why an e-mail is sent or what happens after a failure.
//
// Invariants:
//
//   - Text that users choose (names, subjects, addresses) cannot add headers, because it
//     contains no line breaks.
//   - A password is sent only over TLS or to this machine.
//   - Errors contain no addresses, because they appear in logs and on pages.
package mail
