package linnet

import "time"

// Instance describes the installation to people and clients.
type Instance struct {
	Title       string
	Description string // plain text
	Contact     string // e-mail address for contact; can be empty
	ContactUser ID     // 0 for none
	Rules       []string
	Private     bool      // visitors who aren't logged in see nothing
	NewDays     int       // accounts younger than this number of days have lower limits; 0 for none
	Trends      bool      // count and show trends
	Cards       bool      // linked pages are fetched and shown as cards
	Invites     int       // open invitations per member; 0 if members can't invite
	Privacy     string    // privacy policy, plain text; empty if there is none
	PrivacyAt   time.Time // last change of the privacy policy
	Accent      Accent    // custom accent colour; zero for the default
	Style       string    // version of the custom style sheet; "" for none
	Terms       []string  // days (UTC) from which terms of service are in force, in rising order; must not be modified
	Version     uint64

	StatusChars int // characters of a status and its warning together, counted as in Mastodon
	InviteUses  int // maximum uses of a member's invitation
	InviteDays  int // maximum lifetime of a member's invitation

	Registrations Registrations // sign-up mode
	EmailRequired bool          // sign-up requires a confirmed e-mail address, if e-mail is on
	StaffSecured  bool          // staff need a second factor or passkey
	Icon          Picture       // square icon
	Thumbnail     Picture       // picture in link previews

	Questions []SignUpQuestion // users who sign up without an invitation answer one of them; must not be modified
}

// InstanceChange changes the description. Nil fields stay.
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

// InstanceView is the installation as shown, with its number of users.
type InstanceView struct {
	Instance
	People      int64 // users except groups
	Groups      int64
	Statuses    int64
	ActiveMonth int64
	ContactView *UserView
}
