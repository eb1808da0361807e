package linnet

import "time"

// Moderation is an action of staff. The values are stored in the audit log and must stay readable.
type Moderation string

const (
	Warn        Moderation = "none" // only an entry in the log
	Suspend     Moderation = "suspend"
	Unsuspend   Moderation = "unsuspend"
	Silence     Moderation = "silence"
	Unsilence   Moderation = "unsilence"
	Sensitize   Moderation = "sensitive"
	Unsensitize Moderation = "unsensitive"
	Disable     Moderation = "disable"
	Enable      Moderation = "enable"
	Approve     Moderation = "approve"
	Reject      Moderation = "reject"
	GiveRole    Moderation = "role"
	Remove      Moderation = "delete" // of a suspended account, permanently
	EditGroup   Moderation = "edit_group"
	HideTrend   Moderation = "hide_trend" // a tag, link or status is hidden from trends
	ShowTrend   Moderation = "show_trend"
)

// Staff reports whether a role is a staff role.
func (r Role) Staff() bool { return r >= Moderator }

// Over reports whether a role outranks another: moderators outrank members, and administrators
// everyone.
func (r Role) Over(other Role) bool { return r == Admin || r > other }

// Measure is an action of staff on an account.
type Measure struct {
	On     ID
	Act    Moderation
	Reason string
	Report ID   // the report that caused it; 0 for none
	Role   Role // for GiveRole
	Custom ID   // for GiveRole: a custom role instead of Role; 0 for none
}

// Act is an entry of the audit log.
type Act struct {
	ID     ID
	At     time.Time
	By     ID // 0 for a command on the server
	Act    Moderation
	On     ID     // the affected account; 0 for none
	Report ID     // the affected report; 0 for none
	Detail string // plain text, or a message made by wording.Keep
	Reason string
}

// ActView is an entry with its users. They are nil if there are none.
type ActView struct {
	Act
	ByUser, OnUser *UserView
}

// AccountState narrows a list of accounts, in Mastodon's words.
type AccountState string

const (
	AnyState        AccountState = ""
	StateActive     AccountState = "active" // neither pending, disabled, silenced nor suspended
	StatePending    AccountState = "pending"
	StateDisabled   AccountState = "disabled"
	StateSilenced   AccountState = "silenced"
	StateSensitized AccountState = "sensitized" // can be active too
	StateSuspended  AccountState = "suspended"
)

// InState reports whether a user belongs on the list of a state.
func (u *User) InState(s AccountState) bool {
	switch {
	case s == StatePending:
		return u.Unapproved
	case s == StateDisabled:
		return u.Disabled
	case s == StateSilenced:
		return u.Silenced
	case s == StateSensitized:
		return u.Sensitized
	case s == StateSuspended:
		return u.Suspended
	case s == StateActive:
		return !u.Unapproved && !u.Disabled && !u.Silenced && !u.Suspended
	}
	return true
}

// AccountView is an account as moderators see it.
type AccountView struct {
	UserView
	Email string
	// EmailConfirmed reports whether the user has confirmed the address.
	EmailConfirmed bool
	Reason         string // reason given in the request for the account
	InvitedBy      ID     // 0 for none
}
