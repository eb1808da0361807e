package linnet

import "time"

// Invite lets people sign up who have its code.
type Invite struct {
	Code    string
	By      ID    // 0: a command
	Most    int64 // people who may come by it
	Uses    int64 // who have
	Created time.Time
	Expires time.Time // zero: never
	Revoked bool
}

// Good reports whether the invitation was neither revoked nor has expired.
func (i *Invite) Good(now time.Time) bool {
	return !i.Revoked && (i.Expires.IsZero() || now.Before(i.Expires))
}

// State says in a word how an invitation stands.
func (i *Invite) State(now time.Time) string {
	switch {
	case i.Revoked:
		return "revoked"
	case !i.Good(now):
		return "expired"
	case i.Uses >= i.Most:
		return "used up"
	}
	return "good"
}

// InviteView is an invitation with who made it.
type InviteView struct {
	Invite
	Maker string // login, "" for a command or somebody who is gone
	State string
	URL   string

	// Opened: sign-up was closed, and was opened to invited people by making it.
	Opened bool
}

// InviteRight is how far somebody may invite people.
type InviteRight struct {
	May    bool
	Closed bool          // nobody signs up: an administrator who invites somebody changes that
	Most   int           // open invitations at a time; 0: no limit of their own
	Open   int           // of theirs, where Most limits them
	Uses   int64         // people that one invitation may be for
	For    time.Duration // the longest that it is good for; 0: for ever
}

// InviteDraft asks for an invitation.
type InviteDraft struct {
	By   string        // login of whose guests they are, if the operator asks; else those of who asks
	Uses int64         // 0: one
	For  time.Duration // 0: for ever
}
