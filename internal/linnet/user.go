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

// User is an account of a person, bot, group or external feed. Passwords and e-mail addresses are stored
// separately.
type User struct {
	ID           ID
	Login        string // as chosen; unique without regard to case
	Name         string // display name; can be empty
	Note         string // biography, plain text as typed
	Fields       []ProfileField
	Mentions     []Mention // users mentioned in Note and Fields; at most MaxMentions; missing in records of earlier releases
	Bot          bool
	Group        GroupKind // kind of a group, which has no login; NoGroup for people and bots
	Feed         string    // address of the external feed whose items the account posts; "" for other accounts
	Discoverable bool
	Indexable    bool
	HideNetwork  bool // followers and following are private
	Locked       bool // follows need approval
	NoFeeds      bool // public statuses are not offered as RSS, Atom and JSON Feed
	Role         Role // Moderator for users with a custom role
	Custom       ID   // custom role with the permissions; 0 for Role
	Suspended    bool // by moderators: hidden everywhere
	Silenced     bool // by moderators: hidden from public timelines and non-followers
	Sensitized   bool // by moderators: all posts are shown as sensitive, and new ones are stored so
	Disabled     bool // by moderators: login is refused, but the profile is visible
	Unapproved   bool // needs a moderator's approval; hidden until then
	Posting      PostingDefaults
	Attribution  []string // domains of sites that can name the user as an author; must not be modified
	Shown        ShownLists
	Tabs         ProfileTabs
	Appearance   Appearance
	Avatar       string // name of the picture's file; "" for the bird of the login
	Banner       string // name of the banner's file; "" for the default
	AvatarAlt    string // describes the avatar; at most MaxProfileAlt characters, "" for none
	BannerAlt    string // describes the banner; at most MaxProfileAlt characters, "" for none
	Version      uint64 // of the record
}

// ShownLists has the server's lists that a user has turned on.
type ShownLists struct {
	Top     bool
	CatchUp bool // "Catch-up" is on
}

// ProfileTabs has the tabs that a user hides on their profile. All are shown by default.
type ProfileTabs struct {
	NoMedia        bool
	NoMediaReplies bool // the tab "Media" leaves out replies to others
	NoFeatured     bool
}

// ShownListsChange changes ShownLists. Nil fields stay.
type ShownListsChange struct{ Top, CatchUp *bool }

// Hidden reports whether the user and their posts are invisible.
func (u *User) Hidden() bool { return u.Suspended || u.Unapproved }

// Featurable reports whether others can add the user to collections.
func (u *User) Featurable() bool { return u.Discoverable && !u.Hidden() && u.Group != Chat }

// ShowsMedia reports whether a viewer sees the tab "Media" of the profile. The user always does.
func (u *User) ShowsMedia(viewer ID) bool { return !u.Tabs.NoMedia || viewer == u.ID }

// ShowsFeatured reports whether a viewer sees the tab "Featured" of the profile. The user always does.
func (u *User) ShowsFeatured(viewer ID) bool { return !u.Tabs.NoFeatured || viewer == u.ID }

// Attributed reports whether the user allows a site to name them as an author: the domain itself or
// its subdomains.
func (u *User) Attributed(site string) bool {
	return slices.ContainsFunc(u.Attribution, func(d string) bool { return site == d || strings.HasSuffix(site, "."+d) })
}

// Person reports whether the account is neither a group nor an external feed. Only people are counted
// and listed as users.
func (u *User) Person() bool { return u.Group == NoGroup && u.Feed == "" }

// ProfileField is a row of the table on a profile, plain text as typed.
type ProfileField struct {
	Name, Value string
	Verified    time.Time // when Value was verified as a page that links back to the profile; zero for never
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

// Appearance has a user's preferences for pages on all devices.
type Appearance struct {
	Theme    string // "light", "dark", or "" for the system's preference
	Dense    bool   // denser layout
	Paged    bool   // older posts load only on request
	Still    bool   // reduced motion
	Language string // language of the pages (BCP 47); "" for the browser's
	Zone     string // IANA name of the time zone for shown times; "" for the browser's
}

// PostingDefaults are a user's preferences for new statuses.
type PostingDefaults struct {
	Visibility    Visibility
	Sensitive     bool
	Language      string // ISO 639-1, or empty
	QuotePolicy   QuotePolicy
	NoAltReminder bool // pages do not ask before posting media without descriptions
	UndoSend      bool // pages wait before they send a post, so that its author can undo it
}

// UserView is a user as shown, with counts and rendered texts.
type UserView struct {
	User
	Followers    int64
	Following    int64
	Statuses     int64
	Requests     int64     // pending follow requests; only in the user's own view
	LastStatusAt time.Time // zero if there are none
	NoteHTML     string
	FieldsHTML   []string  // rendered values of Fields, in order
	Pictured     *Pictured // name, note and fields with pictures; nil without custom emoji
	URL          string    // address of the profile page
	Host         string    // host of the instance
}

// ProfileChange changes a profile. Nil fields stay.
type ProfileChange struct {
	Name          *string
	Note          *string
	Fields        *[]ProfileField
	Bot           *bool
	Discoverable  *bool
	Indexable     *bool
	HideNetwork   *bool
	Locked        *bool
	NoFeeds       *bool
	Visibility    *Visibility
	Sensitive     *bool
	Language      *string
	QuotePolicy   *QuotePolicy // who can quote new posts
	NoAltReminder *bool        // see PostingDefaults
	UndoSend      *bool        // see PostingDefaults
	Appearance    *Appearance

	Attribution *[]string // domains, or addresses of their pages; at most MaxAttribution

	AvatarAlt, BannerAlt *string // descriptions of the pictures; removed with them

	ShowMedia, ShowMediaReplies, ShowFeatured *bool // see ProfileTabs
}

// SignUp is a request for an account.
type SignUp struct {
	Login    string
	Password string
	Email    string // optional unless the server requires one; stored with the secrets
	Language string
	Agreed   bool   // agreed to the rules
	Listed   bool   // wants to be in the directory and in suggestions
	Role     Role   // only commands and set-up give more than Member
	Invite   string // code of an invitation, or empty
	Reason   string // reason for the account, for the approving moderator
	Question string // the ID of the answered question
	Answer   string

	From netip.Addr // IP address; zero if unknown

	// Faults are errors found by the caller. The sign-up is refused with these and all others, so
	// that a form can show them together.
	Faults Faults
}

// Relationship is the relation of a viewer to another user.
type Relationship struct {
	ID          ID // id of the other user
	Following   bool
	Reposts     bool     // their boosts are shown in the home timeline
	Notify      bool     // their statuses cause notifications
	Languages   []string // languages of their statuses in the home timeline; empty for all
	FollowedBy  bool
	Requested   bool // the viewer has requested to follow them
	RequestedBy bool // they have requested to follow the viewer

	Blocking, BlockedBy   bool
	Muting, MutingNotices bool      // the mute includes their notifications
	MutedUntil            time.Time // zero if unlimited or not muted
	Suspended             bool      // moderators have suspended them
	Endorsed              bool      // shown on the profile as a recommended account
	Note                  string    // private note, plain text
}

// FollowOptions are options of a follow. Nil fields stay.
type FollowOptions struct {
	Reposts *bool
	Notify  *bool
	// Languages selects the user's statuses in the home timeline by ISO 639 codes. At most
	// MaxFollowLanguages; empty for all.
	Languages *[]string

	// Imported reports that the follow is part of an import. It does not count towards the daily
	// limit, because users often follow far more accounts elsewhere.
	Imported bool
}

// MuteOptions are options of a mute.
type MuteOptions struct {
	Notices bool          // also mutes their notifications
	For     time.Duration // 0 to use Until
	Until   time.Time     // zero for unlimited
}

// MutedUser is a muted user.
type MutedUser struct {
	UserView
	Until time.Time // zero for unlimited
}

// FamiliarFollowers are accounts that the viewer follows and that follow ID.
type FamiliarFollowers struct {
	ID    ID
	Users []UserView
}

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

// Invites reports whether users can sign up with an invitation.
func (r Registrations) Invites() bool { return r != RegisterClosed }

// Approval reports whether a moderator has to approve new users.
func (r Registrations) Approval() bool { return r == RegisterApproval }

// DirectoryOrder is the order of the directory.
type DirectoryOrder string

// Orders of the directory.
const (
	DirectoryActive DirectoryOrder = "active" // last post first
	DirectoryNew    DirectoryOrder = "new"    // last sign-up first
)

// DirectoryQuery selects a part of the directory.
type DirectoryQuery struct {
	Order  DirectoryOrder // "" for DirectoryActive
	Offset int            // number of skipped users; at most MaxDirectory
	Limit  int            // 1 to MaxUsersPage; 0 for 40
	Groups bool           // groups instead of people
}

// Listed reports whether the user is discoverable and not hidden by moderators. Such users are in
// the directory and in suggestions.
func (u *User) Listed() bool { return u.Discoverable && !u.Hidden() && !u.Silenced }

// Suggestion is a suggested user with the reason.
type Suggestion struct {
	UserView
	Common  int  // number of the viewer's followees among their followers; can be incomplete
	Popular bool // among the users with the most followers here
}
