package linnet

import (
	"slices"
	"time"
)

// DefaultTitle is the title of an instance without a configured one.
const DefaultTitle = "Linnet"

// Instance describes the server to users and clients.
type Instance struct {
	Title       string
	Description string // plain text
	Contact     string // e-mail address for contact; can be empty
	ContactUser ID     // 0 for none
	Rules       []string
	Private     bool      // hide content from visitors without a login
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
	ThumbnailAlt  string        // describes it; "" for none

	Questions []SignUpQuestion // users who sign up without an invitation answer one of them; must not be modified
}

// InstanceChange changes the description. Nil fields stay.
type InstanceChange struct {
	Title        *string
	Description  *string
	Contact      *string
	ContactUser  *string // a login, or "" for none
	Rules        *[]string
	Private      *bool
	Trends       *bool
	Cards        *bool
	Privacy      *string // at most MaxPrivacy
	ThumbnailAlt *string // at most MaxBannerAlt
	AccentLight  *string // see CheckAccent
	AccentDark   *string
	Style        *string // a style sheet, of at most MaxStyle bytes; "" for none
	StatusChars  *int    // from MinStatusChars to MaxStatusChars
	InviteUses   *int    // at most MaxMemberUses
	InviteDays   *int    // at most MaxMemberDays

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

// InstanceView is the instance as shown, with its number of users.
type InstanceView struct {
	Instance
	People      int64 // users except groups
	Groups      int64
	Statuses    int64
	ActiveMonth int64
	ContactView *UserView
}

// Terms are terms of service in plain text. They are in force from a day (UTC, such as 2027-01-31)
// until later ones replace them. https://docs.joinmastodon.org/entities/TermsOfService/
type Terms struct {
	Date string
	Text string // at most MaxTerms characters
	Next string // the day from which later ones are in force; "" if there are none
	Past bool   // later ones have replaced them
	Now  bool   // these are in force
}

// CurrentTerms returns the day of the terms in force at a time, or else the first future ones. days
// must be sorted. It returns "" if there are none.
func CurrentTerms(days []string, now time.Time) string {
	if len(days) == 0 {
		return ""
	}
	today := now.UTC().Format(time.DateOnly)
	at, found := slices.BinarySearch(days, today)
	if !found && at > 0 {
		at--
	}
	return days[at]
}

// TermsOn returns the terms of a day without their text. ok is false if there are none.
func TermsOn(days []string, day string, now time.Time) (t Terms, ok bool) {
	at, ok := slices.BinarySearch(days, day)
	if !ok {
		return t, false
	}
	t.Date = day
	if at+1 < len(days) {
		t.Next = days[at+1]
	}
	today := now.UTC().Format(time.DateOnly)
	t.Past = t.Next != "" && t.Next <= today
	t.Now = day <= today && !t.Past
	return t, true
}
