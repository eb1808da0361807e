package mastodon

import (
	"strconv"
	"time"

	"linnet/internal/linnet"
)

// account is the entity Account.
// https://docs.joinmastodon.org/entities/Account/
type account struct {
	ID             string         `json:"id"`
	Username       string         `json:"username"`
	Acct           string         `json:"acct"`
	DisplayName    string         `json:"display_name"`
	Locked         bool           `json:"locked"`
	Bot            bool           `json:"bot"`
	Discoverable   bool           `json:"discoverable"`
	Indexable      bool           `json:"indexable"`
	Group          bool           `json:"group"`
	CreatedAt      string         `json:"created_at"`
	Note           string         `json:"note"`
	URL            string         `json:"url"`
	URI            string         `json:"uri"`
	Avatar         string         `json:"avatar"`
	AvatarStatic   string         `json:"avatar_static"`
	AvatarAlt      string         `json:"avatar_description"`
	Header         string         `json:"header"`
	HeaderStatic   string         `json:"header_static"`
	HeaderAlt      string         `json:"header_description"`
	FollowersCount int64          `json:"followers_count"`
	FollowingCount int64          `json:"following_count"`
	StatusesCount  int64          `json:"statuses_count"`
	LastStatusAt   *string        `json:"last_status_at"`
	HideCollection bool           `json:"hide_collections"`
	NoIndex        bool           `json:"noindex"`
	Suspended      bool           `json:"suspended,omitempty"`
	Limited        bool           `json:"limited,omitempty"`
	Emojis         []emoji        `json:"emojis"`
	Roles          []accountRole  `json:"roles"`
	Fields         []accountField `json:"fields"`
}

type accountField struct {
	Name       string  `json:"name"`
	Value      string  `json:"value"`
	VerifiedAt *string `json:"verified_at"`
}

type accountRole struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Color string `json:"color"`
}

// credentialAccount is the entity CredentialAccount: what only its owner sees.
// https://docs.joinmastodon.org/entities/Account/#CredentialAccount
type credentialAccount struct {
	account
	Source accountSource `json:"source"`
	Role   ownRole       `json:"role"`
}

type accountSource struct {
	Privacy             string         `json:"privacy"`
	Sensitive           bool           `json:"sensitive"`
	Language            *string        `json:"language"`
	Note                string         `json:"note"`
	Fields              []accountField `json:"fields"`
	FollowRequestsCount int64          `json:"follow_requests_count"`
	HideCollections     bool           `json:"hide_collections"`
	Discoverable        bool           `json:"discoverable"`
	Indexable           bool           `json:"indexable"`
	QuotePolicy         string         `json:"quote_policy"`
	AttributionDomains  []string       `json:"attribution_domains"`
}

type ownRole struct {
	accountRole
	// Permissions are the flags of what the role may do through the client API.
	Permissions string `json:"permissions"`
	Highlighted bool   `json:"highlighted"`
}

func (a *API) account(v *linnet.UserView) account {
	id := v.ID.String()
	avatar, header := a.avatarURL(&v.User), a.headerURL(&v.User)
	out := account{
		ID: id, Username: v.Login, Acct: v.Login, DisplayName: v.Name,
		Locked: v.Locked, Bot: v.Bot, Group: v.Group != linnet.NoGroup, Discoverable: v.Discoverable, Indexable: v.Indexable, NoIndex: !v.Indexable,
		// Mastodon gives the day alone, so that nobody learns the hour.
		CreatedAt: timestamp(v.ID.Time().Truncate(24 * time.Hour)),
		Note:      v.NoteHTML, URL: v.URL, URI: a.base + "/users/" + v.Login,
		Avatar: avatar, AvatarStatic: avatar, Header: header, HeaderStatic: header, AvatarAlt: v.AvatarAlt, HeaderAlt: v.BannerAlt,
		FollowersCount: v.Followers, FollowingCount: v.Following, StatusesCount: v.Statuses,
		HideCollection: v.HideNetwork, Suspended: v.Suspended, Limited: v.Silenced,
		Emojis: a.emojis(v.Pictured.Of()), Roles: a.rolesOf(&v.User), Fields: make([]accountField, len(v.Fields)),
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

// fieldOf is a line of a profile with its value as typed.
func fieldOf(f linnet.ProfileField) accountField {
	out := accountField{Name: f.Name, Value: f.Value}
	if !f.Verified.IsZero() {
		at := timestamp(f.Verified)
		out.VerifiedAt = &at
	}
	return out
}

// rolesOf are the roles shown to everybody.
func (a *API) rolesOf(u *linnet.User) []accountRole {
	if u.Role == linnet.Member {
		return []accountRole{}
	}
	if r := a.ownRole(u); r.Highlighted {
		return []accountRole{r.accountRole}
	}
	return []accountRole{}
}

// ownRole gives each built-in role the id that Mastodon's own installation gives it. With a
// role that is gone somebody may do what members may.
// https://docs.joinmastodon.org/entities/Role/
func (a *API) ownRole(u *linnet.User) ownRole {
	var set *linnet.RoleSet // of which the built-in roles are independent
	if u.Custom != 0 {
		set = a.svc.Core.KnownRoles()
	}
	out := ownRole{accountRole: accountRole{ID: "-99"}, Permissions: strconv.FormatUint(uint64(set.May(u)), 10)}
	switch r := set.Of(u); {
	case r != nil:
		out.accountRole, out.Highlighted = accountRole{ID: r.ID.String(), Name: r.Name, Color: r.Colour}, r.Highlighted
	case u.Custom != 0:
	case u.Role == linnet.Admin:
		out.accountRole, out.Highlighted = accountRole{ID: "2", Name: "Admin"}, true
	case u.Role == linnet.Moderator:
		out.accountRole, out.Highlighted = accountRole{ID: "1", Name: "Moderator"}, true
	}
	return out
}

func (a *API) credentialAccount(v *linnet.UserView) credentialAccount {
	source := accountSource{
		Privacy: v.Posting.Visibility.String(), Sensitive: v.Posting.Sensitive, Language: nullable(v.Posting.Language),
		Note: v.Note, Fields: make([]accountField, len(v.Fields)),
		FollowRequestsCount: v.Requests, HideCollections: v.HideNetwork, Discoverable: v.Discoverable, Indexable: v.Indexable,
		QuotePolicy: v.Posting.QuotePolicy.String(), AttributionDomains: append([]string{}, v.Attribution...),
	}
	for i, f := range v.Fields {
		source.Fields[i] = fieldOf(f)
	}
	return credentialAccount{account: a.account(v), Source: source, Role: a.ownRole(&v.User)}
}
