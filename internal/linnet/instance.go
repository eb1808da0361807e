package linnet

import "time"

// Instance describes the installation to people and clients.
type Instance struct {
	Title       string
	Description string // plain text
	Contact     string // e-mail address for people, may be empty
	ContactUser ID     // 0: none
	Rules       []string
	Private     bool      // nothing is shown to those who are not logged in
	NewDays     int       // accounts younger than so many days have tighter limits; 0: none have
	Trends      bool      // what people talk about is counted and shown
	Cards       bool      // pages that posts link to are fetched and shown as cards
	Invites     int       // invitations that a member may have open at a time; 0: members invite nobody
	Privacy     string    // the privacy policy: plain text; empty: none is written
	PrivacyAt   time.Time // when that was changed last
	Accent      Accent    // a colour of its own; zero: Linnet's
	Style       string    // tells its own style sheet from those before it; "": it has none
	Terms       []string  // the days (UTC) from which terms of service are in force, rising; must not be modified
	Version     uint64

	StatusChars int // characters of a status, text and warning together, counted as Mastodon counts
	InviteUses  int // people that an invitation of a member may be for
	InviteDays  int // the longest that one is good

	Registrations Registrations // who may sign up
	EmailRequired bool          // nobody signs up without an e-mail address that they confirm, while mails are sent
	StaffSecured  bool          // staff do nothing as such without a second factor or a passkey
	Icon          Picture       // what stands for it: a square
	Thumbnail     Picture       // what is shown of it where somebody links to it

	Questions []SignUpQuestion // whoever signs up without an invitation answers one of them; must not be modified
}

// InstanceChange changes the description; nil leaves a part as it is.
type InstanceChange struct {
	Title       *string
	Description *string
	Contact     *string
	ContactUser *string // a login, or "" for none
	Rules       *[]string
	Private     *bool
	Trends      *bool
	Cards       *bool
	Privacy     *string // at most MaxPrivacy
	AccentLight *string // see CheckAccent
	AccentDark  *string
	Style       *string // a style sheet, of at most MaxStyle bytes; "" for none
	StatusChars *int    // from MinStatusChars to MaxStatusChars
	InviteUses  *int    // at most MaxMemberUses
	InviteDays  *int    // at most MaxMemberDays

	Registrations *Registrations
	EmailRequired *bool
	StaffSecured  *bool
	NewDays       *int      // at most MaxNewDays
	Invites       *int      // at most MaxMemberInvites
	Questions     *[]string // see ParseSignUpQuestion; at most MaxSignUpQuestions
}

// Needs is what somebody must be allowed to do to make the change.
func (c InstanceChange) Needs() (p Permission) {
	rules, staff := c.Rules != nil, c.StaffSecured != nil
	if rules {
		p |= ManageRules
	}
	if staff {
		p |= ManageRoles
	}
	if c.Rules, c.StaffSecured = nil, nil; c != (InstanceChange{}) || p == 0 {
		p |= ManageSettings
	}
	return p
}

// InstanceView is the installation as shown, with its size.
type InstanceView struct {
	Instance
	People      int64 // users that are no groups
	Groups      int64
	Statuses    int64
	ActiveMonth int64
	ContactView *UserView
}
