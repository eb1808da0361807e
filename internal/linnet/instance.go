package linnet

import "time"

// Instance describes the installation to people and clients.
type Instance struct {
	Title       string
	Description string // plain text
	Contact     string // e-mail address for contact; can be empty
	ContactUser ID     // 0: none
	Rules       []string
	Private     bool      // visitors who aren't logged in see nothing
	NewDays     int       // accounts younger than so many days have tighter limits; 0: none have
	Trends      bool      // count and show trends
	Cards       bool      // pages that posts link to are fetched and shown as cards
	Invites     int       // open invitations per member; 0 if members can't invite
	Privacy     string    // the privacy policy: plain text; empty: none is written
	PrivacyAt   time.Time // when that was changed last
	Accent      Accent    // custom accent colour; zero for the default
	Style       string    // version of the custom style sheet; "" for none
	Terms       []string  // the days (UTC) from which terms of service are in force, rising; must not be modified
	Version     uint64

	StatusChars int // characters of a status, text and warning together, counted as Mastodon counts
	InviteUses  int // maximum uses of a member's invitation
	InviteDays  int // the longest that one is good

	Registrations Registrations // sign-up mode
	EmailRequired bool          // sign-up requires a confirmed e-mail address, if e-mail is on
	StaffSecured  bool          // staff need a second factor or passkey
	Icon          Picture       // square icon
	Thumbnail     Picture       // picture in link previews

	Questions []SignUpQuestion // users who sign up without an invitation answer one of them; must not be modified
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

// Needs returns the permission that the change requires.
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
