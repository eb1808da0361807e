package linnet

// EmailState is the state of an account's e-mail address for its owner.
type EmailState struct {
	Address   string     // as typed; "" for none
	Confirmed bool       // the owner has confirmed it
	Pending   string     // address to be confirmed, which can be Address itself; "" for none
	Held      bool       // a new password made the link to Pending invalid, and another is only sent on request
	Mails     []MailKind // selected kinds among the available ones
}

// MailKind is a kind of e-mail that users can turn on and off. The values are stored.
type MailKind string

// Kinds of e-mail.
const (
	MailLogin   MailKind = "login"   // first log-in of a browser
	MailReports MailKind = "reports" // an open report or a request for an account; for staff
	MailDigest  MailKind = "digest"  // weekly, about unread notifications
)

// MailKinds returns all kinds.
func MailKinds() []MailKind { return []MailKind{MailLogin, MailReports, MailDigest} }

// Usual reports whether a kind is on by default.
func (k MailKind) Usual() bool { return k == MailLogin }
