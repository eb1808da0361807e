package wire

import (
	"strconv"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// Preferences is the entity Preferences.
// https://docs.joinmastodon.org/entities/Preferences/
type Preferences struct {
	Visibility string  `json:"posting:default:visibility"`
	Sensitive  bool    `json:"posting:default:sensitive"`
	Language   *string `json:"posting:default:language"`
	Quotes     string  `json:"posting:default:quote_policy"`
	Media      string  `json:"reading:expand:media"`
	Spoilers   bool    `json:"reading:expand:spoilers"`
	Autoplay   bool    `json:"reading:autoplay:gifs"`
}

// Account is the entity Account.
// https://docs.joinmastodon.org/entities/Account/
type Account struct {
	ID             string        `json:"id"`
	Username       string        `json:"username"`
	Acct           string        `json:"acct"`
	DisplayName    string        `json:"display_name"`
	Locked         bool          `json:"locked"`
	Bot            bool          `json:"bot"`
	Discoverable   bool          `json:"discoverable"`
	Indexable      bool          `json:"indexable"`
	Group          bool          `json:"group"`
	CreatedAt      string        `json:"created_at"`
	Note           string        `json:"note"`
	URL            string        `json:"url"`
	URI            string        `json:"uri"`
	Avatar         string        `json:"avatar"`
	AvatarStatic   string        `json:"avatar_static"`
	AvatarAlt      string        `json:"avatar_description"`
	Header         string        `json:"header"`
	HeaderStatic   string        `json:"header_static"`
	HeaderAlt      string        `json:"header_description"`
	FollowersCount int64         `json:"followers_count"`
	FollowingCount int64         `json:"following_count"`
	StatusesCount  int64         `json:"statuses_count"`
	LastStatusAt   *string       `json:"last_status_at"`
	HideCollection bool          `json:"hide_collections"`
	NoIndex        bool          `json:"noindex"`
	Suspended      bool          `json:"suspended,omitempty"`
	Limited        bool          `json:"limited,omitempty"`
	Emojis         []Emoji       `json:"emojis"`
	Roles          []AccountRole `json:"roles"`
	Fields         []Field       `json:"fields"`

	ShowMedia        bool            `json:"show_media"`
	ShowMediaReplies bool            `json:"show_media_replies"`
	ShowFeatured     bool            `json:"show_featured"`
	FeatureApproval  FeatureApproval `json:"feature_approval"`
}

// Field is the entity Field of an account.
// https://docs.joinmastodon.org/entities/Account/#Field
type Field struct {
	Name       string  `json:"name"`
	Value      string  `json:"value"`
	VerifiedAt *string `json:"verified_at"`
}

// AccountRole is the entity AccountRole.
// https://docs.joinmastodon.org/entities/Role/#AccountRole
type AccountRole struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"`
}

// CredentialAccount is the entity CredentialAccount, which only the user can read.
// https://docs.joinmastodon.org/entities/Account/#CredentialAccount
type CredentialAccount struct {
	Account
	Source Source `json:"source"`
	Role   Role   `json:"role"`
}

// Source contains the settings and unprocessed texts of a CredentialAccount.
// https://docs.joinmastodon.org/entities/Account/#source
type Source struct {
	Privacy             string   `json:"privacy"`
	Sensitive           bool     `json:"sensitive"`
	Language            *string  `json:"language"`
	Note                string   `json:"note"`
	Fields              []Field  `json:"fields"`
	FollowRequestsCount int64    `json:"follow_requests_count"`
	HideCollections     bool     `json:"hide_collections"`
	Discoverable        bool     `json:"discoverable"`
	Indexable           bool     `json:"indexable"`
	QuotePolicy         string   `json:"quote_policy"`
	AttributionDomains  []string `json:"attribution_domains"`
}

// Role is the entity Role.
// https://docs.joinmastodon.org/entities/Role/
type Role struct {
	AccountRole
	// Permissions are the flags of the role.
	Permissions string `json:"permissions"`
	Highlighted bool   `json:"highlighted"`
	// CollectionLimit is the same for all roles.
	CollectionLimit int `json:"collection_limit"`
}

// Account encodes an account.
func (e *Encoder) Account(v *linnet.UserView) Account {
	id := v.ID.String()
	avatar, header := e.AvatarURL(&v.User), e.HeaderURL(&v.User)
	out := Account{
		ID: id, Username: v.Login, Acct: v.Login, DisplayName: v.Name,
		Locked: v.Locked, Bot: v.Bot, Group: v.Group != linnet.NoGroup, Discoverable: v.Discoverable, Indexable: v.Indexable, NoIndex: !v.Indexable,
		// Mastodon only reveals the day.
		CreatedAt: Timestamp(v.ID.Time().Truncate(24 * time.Hour)),
		Note:      v.NoteHTML, URL: v.URL, URI: e.base + "/users/" + v.Login,
		Avatar: avatar, AvatarStatic: avatar, Header: header, HeaderStatic: header, AvatarAlt: v.AvatarAlt, HeaderAlt: v.BannerAlt,
		FollowersCount: v.Followers, FollowingCount: v.Following, StatusesCount: v.Statuses,
		HideCollection: v.HideNetwork, Suspended: v.Suspended, Limited: v.Silenced,
		Emojis: e.Emojis(v.Pictured.Of()), Roles: e.rolesOf(&v.User), Fields: make([]Field, len(v.Fields)),
		ShowMedia: !v.Tabs.NoMedia, ShowMediaReplies: !v.Tabs.NoMediaReplies, ShowFeatured: !v.Tabs.NoFeatured, FeatureApproval: featureApprovalOf(&v.User),
	}
	if !v.LastStatusAt.IsZero() {
		day := v.LastStatusAt.UTC().Format(time.DateOnly)
		out.LastStatusAt = &day
	}
	for i, f := range v.Fields {
		out.Fields[i] = fieldOf(f)
		if i < len(v.FieldsHTML) {
			out.Fields[i].Value = v.FieldsHTML[i]
		}
	}
	return out
}

// fieldOf encodes a profile field with its unprocessed value.
func fieldOf(f linnet.ProfileField) Field {
	return Field{Name: f.Name, Value: f.Value, VerifiedAt: OptionalTime(f.Verified)}
}

// rolesOf returns the roles that are shown to all viewers.
func (e *Encoder) rolesOf(u *linnet.User) []AccountRole {
	if u.Role == linnet.Member {
		return []AccountRole{}
	}
	if r := e.Role(u); r.Highlighted {
		return []AccountRole{r.AccountRole}
	}
	return []AccountRole{}
}

// Role encodes the role of a user. Built-in roles have the ids of a new Mastodon server. A deleted
// role has the permissions of members.
// https://docs.joinmastodon.org/entities/Role/
func (e *Encoder) Role(u *linnet.User) Role {
	var set *linnet.RoleSet // not needed for built-in roles
	if u.Custom != 0 {
		set = e.roles()
	}
	out := Role{AccountRole: AccountRole{ID: "-99"}, Permissions: strconv.FormatUint(uint64(set.May(u)), 10), CollectionLimit: linnet.MaxCollections}
	switch r := set.Of(u); {
	case r != nil:
		out.AccountRole, out.Highlighted = AccountRole{ID: r.ID.String(), Name: r.Name, Color: r.Colour}, r.Highlighted
	case u.Custom != 0:
	case u.Role == linnet.Admin:
		out.AccountRole, out.Highlighted = AccountRole{ID: "2", Name: "Admin"}, true
	case u.Role == linnet.Moderator:
		out.AccountRole, out.Highlighted = AccountRole{ID: "1", Name: "Moderator"}, true
	}
	return out
}

// CredentialAccount encodes the viewer's account.
func (e *Encoder) CredentialAccount(v *linnet.UserView) CredentialAccount {
	source := Source{
		Privacy: v.Posting.Visibility.String(), Sensitive: v.Posting.Sensitive, Language: Nullable(v.Posting.Language),
		Note: v.Note, Fields: make([]Field, len(v.Fields)),
		FollowRequestsCount: v.Requests, HideCollections: v.HideNetwork, Discoverable: v.Discoverable, Indexable: v.Indexable,
		QuotePolicy: v.Posting.QuotePolicy.String(), AttributionDomains: append([]string{}, v.Attribution...),
	}
	for i, f := range v.Fields {
		source.Fields[i] = fieldOf(f)
	}
	return CredentialAccount{Account: e.Account(v), Source: source, Role: e.Role(&v.User)}
}

// AvatarURL returns the URL of the avatar.
func (e *Encoder) AvatarURL(u *linnet.User) string { return core.AvatarURL(e.base, u) }

// HeaderURL returns the URL of the header picture.
func (e *Encoder) HeaderURL(u *linnet.User) string {
	if u.Banner != "" {
		return e.FileURL(u.Banner)
	}
	return e.bannerURL
}

// MutedAccount is the entity MutedAccount.
// https://docs.joinmastodon.org/entities/Account/#MutedAccount
type MutedAccount struct {
	Account
	MuteExpiresAt *string `json:"mute_expires_at"`
}

// FamiliarFollowers is the entity FamiliarFollowers.
// https://docs.joinmastodon.org/entities/FamiliarFollowers/
type FamiliarFollowers struct {
	ID       string    `json:"id"`
	Accounts []Account `json:"accounts"`
}

// FileURL returns the URL of an uploaded file.
func (e *Encoder) FileURL(name string) string { return core.FileURL(e.base, name) }

// PartialAccount is the entity PartialAccountWithAvatar.
// https://docs.joinmastodon.org/entities/Account/#PartialAccountWithAvatar
type PartialAccount struct {
	ID           string `json:"id"`
	Acct         string `json:"acct"`
	URL          string `json:"url"`
	Avatar       string `json:"avatar"`
	AvatarStatic string `json:"avatar_static"`
	Locked       bool   `json:"locked"`
	Bot          bool   `json:"bot"`
}

// Suggestion is the entity Suggestion. Source is the form of Sources before Mastodon 4.3.
// https://docs.joinmastodon.org/entities/Suggestion/
type Suggestion struct {
	Source  string   `json:"source"`
	Sources []string `json:"sources"`
	Account Account  `json:"account"`
}

// Suggestion encodes a suggested account.
func (e *Encoder) Suggestion(v *linnet.Suggestion) Suggestion {
	out := Suggestion{Source: "global", Account: e.Account(&v.UserView)}
	if v.Common > 0 {
		out.Source, out.Sources = "past_interactions", append(out.Sources, "friends_of_friends")
	}
	if v.Popular {
		out.Sources = append(out.Sources, "most_followed")
	}
	return out
}
