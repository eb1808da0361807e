package linnet

// Registrations is the sign-up mode. The values are stored and used in commands.
type Registrations string

const (
	RegisterOpen     Registrations = "open"     // open, without approval
	RegisterApproval Registrations = "approval" // open, with approval by a moderator
	RegisterInvite   Registrations = "invite"   // by invitation, without approval
	RegisterClosed   Registrations = "closed"   // closed; only commands create accounts
)

// AllRegistrations returns the values of the setting.
func AllRegistrations() []Registrations {
	return []Registrations{RegisterOpen, RegisterApproval, RegisterInvite, RegisterClosed}
}

// Anybody reports whether users can sign up or apply without an invitation.
func (r Registrations) Anybody() bool { return r == RegisterOpen || r == RegisterApproval }

// Invites reports whether invitations let people in.
func (r Registrations) Invites() bool { return r != RegisterClosed }

// Approval reports whether a moderator has to approve new users.
func (r Registrations) Approval() bool { return r == RegisterApproval }
