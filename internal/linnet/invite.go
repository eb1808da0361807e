package linnet

import "time"

// Invite allows users with its code to sign up.
type Invite struct {
	Code    string
	By      ID    // 0 for a command
	Most    int64 // maximum number of uses
	Uses    int64 // uses so far
	Created time.Time
	Expires time.Time // zero for never
	Revoked bool

	// Collection is a collection of By whose accounts invited people are offered to follow; 0 for
	// none. It may have been deleted.
	Collection ID
}

// Good reports whether the invitation was neither revoked nor has expired.
func (i *Invite) Good(now time.Time) bool {
	return !i.Revoked && (i.Expires.IsZero() || now.Before(i.Expires))
}

// State returns the state of an invitation.
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

// InviteView is an invitation with its creator.
type InviteView struct {
	Invite
	Maker string // login; "" for a command or a deleted user
	State string
	URL   string

	// Opened reports that sign-up was closed, and that this invitation opened it to invited users.
	Opened bool
}

// InviteRight describes how a user can invite others.
type InviteRight struct {
	May    bool
	From   time.Time     // when a new account can invite; zero if its age isn't the reason
	Closed bool          // sign-up is closed; an invitation by an administrator opens it
	Most   int           // maximum number of open invitations; 0 for no limit
	Open   int           // the user's open invitations, if Most limits them
	Uses   int64         // maximum uses per invitation
	For    time.Duration // maximum lifetime; 0 for unlimited
}

// InviteDraft describes a new invitation.
type InviteDraft struct {
	By   string        // login of the inviter, for the operator; otherwise the caller is the inviter
	Uses int64         // 0 for one
	For  time.Duration // 0 for unlimited

	Collection ID // of the inviter; 0 for none
}
