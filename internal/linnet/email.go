package linnet

// EmailState is what an account's owner is shown of their e-mail address.
type EmailState struct {
	Address   string     // as people write it; "": none
	Confirmed bool       // that it is theirs
	Pending   string     // the address that waits to be confirmed, perhaps Address itself; "": none does
	Held      bool       // a new password has ended the link to that, and no other is sent unasked
	Mails     []MailKind // that are wanted, as far as one may have them
}

// MailKind is a kind of mail that people turn on and off. The words stand in stores.
type MailKind string

// The kinds.
const (
	MailLogin   MailKind = "login"   // a browser logs in that has not done so before
	MailReports MailKind = "reports" // a report or a request for an account waits; for staff
	MailDigest  MailKind = "digest"  // each week what notifications are unread
)

// MailKinds are all of them.
func MailKinds() []MailKind { return []MailKind{MailLogin, MailReports, MailDigest} }

// Usual reports whether a kind is on until somebody turns it off.
func (k MailKind) Usual() bool { return k == MailLogin }
