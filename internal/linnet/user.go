package linnet

import (
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Role is the rank of a user, with the permissions unless the user has a custom role.
type Role uint8

const (
	Member Role = iota
	Moderator
	Admin
)

// User is an account of a person, bot or group. Passwords and e-mail addresses are stored
// separately.
type User struct {
	ID           ID
	Login        string // as chosen; unique without regard to case
	Name         string // display name; can be empty
	Note         string // biography, plain text as typed
	Fields       []ProfileField
	Mentions     []Mention // users mentioned in Note and Fields, in records since this release; at most MaxMentions
	Bot          bool
	Group        GroupKind // kind of a group, which has no log-in; NoGroup for a person or bot
	Discoverable bool
	Indexable    bool
	HideNetwork  bool // followers and following are private
	Locked       bool // follows need approval
	NoFeeds      bool // public statuses are not offered as RSS, Atom and JSON Feed
	Role         Role // Moderator with a Custom one
	Custom       ID   // custom role with the permissions; 0 for Role
	Suspended    bool // by moderators: hidden everywhere, until it is lifted
	Silenced     bool // by moderators: hidden from public timelines and strangers
	Sensitized   bool // by moderators: all posts are shown as sensitive; new ones stay so
	Disabled     bool // by moderators: no log-in, but the profile stays
	Unapproved   bool // waits for a moderator to let them in; hidden until then
	Posting      PostingDefaults
	Attribution  []string // domains of sites that can name the user as an author; must not be modified
	Shown        ShownLists
	Appearance   Appearance
	Avatar       string // name of the file of the picture; "": the bird of the login
	Banner       string // likewise for the banner; "" for the default
	AvatarAlt    string // describes the avatar; at most MaxAltText characters, "" if there is none
	BannerAlt    string // describes the banner, likewise
	Version      uint64 // of the record
}

// ShownLists are the lists of the server that a user has turned on.
type ShownLists struct {
	Top     bool
	CatchUp bool // "Catch-up" was asked for
}

// ShownListsChange changes them; nil leaves one as it is.
type ShownListsChange struct{ Top, CatchUp *bool }

// Hidden reports whether the user and their posts are invisible.
func (u *User) Hidden() bool { return u.Suspended || u.Unapproved }

// Attributed reports whether the user allows a site to name them as an author: the domain itself or
// its subdomains.
func (u *User) Attributed(site string) bool {
	return slices.ContainsFunc(u.Attribution, func(d string) bool { return site == d || strings.HasSuffix(site, "."+d) })
}

// Person reports whether the account is a person's, and no group. Only people are
// counted as people, and listed where people are.
func (u *User) Person() bool { return u.Group == NoGroup }

// ProfileField is a line of the table on a profile, plain text as typed.
type ProfileField struct {
	Name, Value string
	Verified    time.Time // when Value was found to be a page that links back to the profile; zero: it was not
}

// KeepVerified copies the verification of former fields with the same value. Renamed and moved
// fields stay verified. Fields with another value are not verified, whatever they contain.
func KeepVerified(fields, former []ProfileField) {
	for i := range fields {
		fields[i].Verified = time.Time{}
		if at := slices.IndexFunc(former, func(f ProfileField) bool { return f.Value == fields[i].Value }); at >= 0 {
			fields[i].Verified = former[at].Verified
		}
	}
}

// Appearance is how a user wants pages to be, on all devices.
type Appearance struct {
	Theme    string // "light", "dark", or "" for what the system prefers
	Dense    bool   // more on a screen
	Still    bool   // reduced motion
	Language string // BCP 47, of the pages; "": what the browser asks for
	Zone     string // IANA name of the time zone in which times are shown; "": what the browser says
}

// PostingDefaults are a user's preferences for new statuses.
type PostingDefaults struct {
	Visibility  Visibility
	Sensitive   bool
	Language    string // ISO 639-1, or empty
	QuotePolicy QuotePolicy
	AskAlt      bool // pages ask before a picture without a description is posted
}

// UserView is a user as shown: with counts and texts rendered.
type UserView struct {
	User
	Followers    int64
	Following    int64
	Statuses     int64
	Requests     int64     // pending follow requests; only in the user's own view
	LastStatusAt time.Time // zero if there is none
	NoteHTML     string
	FieldsHTML   []string  // the values of Fields, in order
	Pictured     *Pictured // name, note and fields with pictures; nil: they have no custom emoji
	URL          string    // of the profile page
	Host         string    // of the installation
}

// ProfileChange changes a profile; nil leaves a part as it is.
type ProfileChange struct {
	Name         *string
	Note         *string
	Fields       *[]ProfileField
	Bot          *bool
	Discoverable *bool
	Indexable    *bool
	HideNetwork  *bool
	Locked       *bool
	NoFeeds      *bool
	Visibility   *Visibility
	Sensitive    *bool
	Language     *string
	QuotePolicy  *QuotePolicy // who can quote new posts
	AskAlt       *bool        // see PostingDefaults
	Appearance   *Appearance

	Attribution *[]string // domains, or addresses of their pages; at most MaxAttribution

	AvatarAlt, BannerAlt *string // descriptions of the pictures; removed with them
}

// SignUp is a request for an account.
type SignUp struct {
	Login    string
	Password string
	Email    string // optional unless the server requires one; stored with the secrets
	Language string
	Agreed   bool   // to the rules
	Listed   bool   // in the directory and among suggestions
	Role     Role   // only commands and set-up give more than Member
	Invite   string // code of an invitation, or empty
	Reason   string // reason for the account, for the approving moderator
	Question string // the ID of the question that they answer
	Answer   string

	From netip.Addr // where they are; the zero Addr: not known

	// Faults are errors found by the caller. The sign-up is refused with these and all others, so
	// that a form can show them together.
	Faults []Field
}

// Relationship is the relation of one user to another.
type Relationship struct {
	ID          ID // of the other
	Following   bool
	Reposts     bool     // their reposts are shown at home
	Notify      bool     // their statuses notify
	Languages   []string // in which their statuses are shown at home; none: all
	FollowedBy  bool
	Requested   bool // the viewer asks to follow them
	RequestedBy bool // they ask to follow the viewer

	Blocking, BlockedBy   bool
	Muting, MutingNotices bool      // the latter: their notifications too
	MutedUntil            time.Time // zero: for ever, or not at all
	Suspended             bool      // they are, by moderators
	Endorsed              bool      // shown as a favourite person on the profile
	Note                  string    // for oneself alone, plain text
}

// FollowOptions refine a follow; nil leaves an option as it is.
type FollowOptions struct {
	Reposts *bool
	Notify  *bool
	// Languages in which the person's statuses are wanted at home: ISO 639 codes, at
	// most MaxFollowLanguages; none: all.
	Languages *[]string

	// Imported says that the follow is part of an import. It does not count on the daily
	// limit, because people have followed far more users elsewhere.
	Imported bool
}

// MuteOptions say what a mute means.
type MuteOptions struct {
	Notices bool          // their notifications are muted too
	For     time.Duration // 0: until Until
	Until   time.Time     // zero: for ever
}

// MutedUser is a muted user.
type MutedUser struct {
	UserView
	Until time.Time // zero: for ever
}

// FamiliarFollowers are accounts that the viewer follows and that follow ID.
type FamiliarFollowers struct {
	ID    ID
	Users []UserView
}
