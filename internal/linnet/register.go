package linnet

// Registrations says who may make an account of their own. The words stand in
// stores and in commands.
type Registrations string

const (
	RegisterOpen     Registrations = "open"     // anybody, at once
	RegisterApproval Registrations = "approval" // anybody may ask; a moderator lets them in
	RegisterInvite   Registrations = "invite"   // who has an invitation, at once
	RegisterClosed   Registrations = "closed"   // nobody; commands make accounts
)

// AllRegistrations are the words that the setting takes.
func AllRegistrations() []Registrations {
	return []Registrations{RegisterOpen, RegisterApproval, RegisterInvite, RegisterClosed}
}

// Anybody reports whether people whom nobody knows may sign up or ask for it.
func (r Registrations) Anybody() bool { return r == RegisterOpen || r == RegisterApproval }

// Invites reports whether invitations let people in.
func (r Registrations) Invites() bool { return r != RegisterClosed }

// Approval reports whether a moderator decides on who signs up.
func (r Registrations) Approval() bool { return r == RegisterApproval }
