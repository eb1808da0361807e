package linnet

import (
	"net/netip"
	"slices"
	"strings"
	"time"
)

// Role is how a user ranks among others, and what they may do beyond posting unless
// administrators have made a role for that.
type Role uint8

const (
	Member Role = iota
	Moderator
	Admin
)

// User is a person (or a bot) with an account. It holds no secrets: password
// and e-mail address lie elsewhere.
type User struct {
	ID           ID
	Login        string // as chosen; unique without regard to case
	Name         string // display name, may be empty
	Note         string // biography, plain text as typed
	Fields       []ProfileField
	Mentions     []Mention // people whom Note and Fields name, of records of this release; at most MaxMentions
	Bot          bool
	Group        GroupKind // of an account that nobody logs in to; NoGroup: a person or a bot
	Discoverable bool
	Indexable    bool
	HideNetwork  bool // followers and following are shown to nobody else
	Locked       bool // nobody follows without being let
	NoFeeds      bool // public statuses are not offered as RSS, Atom and JSON Feed
	Role         Role // Moderator with a Custom one
	Custom       ID   // the role that says what they may, which administrators have made; 0: Role does
	Suspended    bool // by moderators: hidden everywhere, until it is lifted
	Silenced     bool // by moderators: kept from public timelines and from strangers
	Sensitized   bool // by moderators: all that the user has posted is shown as sensitive; what is posted meanwhile stays so
	Disabled     bool // by moderators: nobody gets in, the profile stays
	Unapproved   bool // waits for a moderator to let them in; hidden until then
	Posting      PostingDefaults
	Attribution  []string // domains of sites that may name the user as the author of their pages; must not be modified
	Shown        ShownLists
	Appearance   Appearance
	Avatar       string // name of the file of the picture; "": the bird of the login
	Banner       string // likewise of the picture above the profile; "": that of everybody
	AvatarAlt    string // describes the avatar; at most MaxAltText characters, "" if there is none
	BannerAlt    string // describes the banner, likewise
	Version      uint64 // of the record
}

// ShownLists say which of the lists that the server makes stand among a user's.
type ShownLists struct {
	Top     bool
	CatchUp bool // "Catch-up" was asked for
}

// ShownListsChange changes them; nil leaves one as it is.
type ShownListsChange struct{ Top, CatchUp *bool }

// Hidden reports whether nobody may see the user or what they wrote.
func (u *User) Hidden() bool { return u.Suspended || u.Unapproved }

// Attributed reports whether the user lets a site name them as the author of its pages: the
// domain itself, or what lies below it.
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

// KeepVerified lets fields be verified, and since when, as those of the same value among
// former ones were; whatever they say of that themselves does not count. A field that is
// renamed or moved stays so, one with another value does not.
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
	Still    bool   // nothing moves
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
	Requests     int64     // who ask to follow; only in the view of oneself
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
	QuotePolicy  *QuotePolicy // who may quote what is posted from now on
	AskAlt       *bool        // see PostingDefaults
	Appearance   *Appearance

	Attribution *[]string // domains, or addresses of their pages; at most MaxAttribution

	AvatarAlt, BannerAlt *string // descriptions of the pictures; removed with them
}

// SignUp is a request for an account.
type SignUp struct {
	Login    string
	Password string
	Email    string // optional unless the installation wants one; kept with the secrets
	Language string
	Agreed   bool   // to the rules
	Listed   bool   // in the directory and among suggestions
	Role     Role   // only commands and set-up give more than Member
	Invite   string // code of an invitation, or empty
	Reason   string // why they want the account, for whoever decides on it
	Question string // the ID of the question that they answer
	Answer   string

	From netip.Addr // where they are; the zero Addr: not known

	// Faults are those that the caller has found. With any, the sign-up is refused with
	// these and all others, so that a form can show them together.
	Faults []Field
}

// Relationship is how one user stands to another.
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

// MutedUser is somebody who is muted.
type MutedUser struct {
	UserView
	Until time.Time // zero: for ever
}

// FamiliarFollowers are accounts that the viewer follows and that follow ID.
type FamiliarFollowers struct {
	ID    ID
	Users []UserView
}
