package linnet

// EmailState is what an account's owner is shown of their e-mail address.
type EmailState struct {
	Address   string     // as people write it; "": none
	Confirmed bool       // that it is theirs
	Pending   string     // the address that waits to be confirmed, perhaps Address itself; "": none does
	Held      bool       // a new password has ended the link to that, and no other is sent unasked
	Mails     []MailKind // selected kinds among the available ones
}

// MailKind is a kind of e-mail that users can turn on and off. The values are stored.
type MailKind string

// The kinds.
const (
	MailLogin   MailKind = "login"   // a browser logs in that has not done so before
	MailReports MailKind = "reports" // a report or a request for an account waits; for staff
	MailDigest  MailKind = "digest"  // each week what notifications are unread
)

// MailKinds are all of them.
func MailKinds() []MailKind { return []MailKind{MailLogin, MailReports, MailDigest} }

// Usual reports whether a kind is on by default.
func (k MailKind) Usual() bool { return k == MailLogin }
