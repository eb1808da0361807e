package wire

import (
	"linnet/internal/linnet"
)

// Group is a group, with the members of a proposal to Mastodon that Soapbox implements.
// docs/own-api.md describes it.
// https://github.com/mastodon/mastodon/pull/19059
type Group struct {
	ID           string  `json:"id"`
	AccountID    string  `json:"account_id"` // equal to id, because a group is an account
	Username     string  `json:"username"`
	DisplayName  string  `json:"display_name"`
	Note         string  `json:"note"`
	Kind         string  `json:"kind"` // public, private, announcement or chat
	Locked       bool    `json:"locked"`
	MembersCount int64   `json:"members_count"`
	CreatedAt    string  `json:"created_at"`
	URL          string  `json:"url"`
	URI          string  `json:"uri"`
	Avatar       string  `json:"avatar"`
	AvatarStatic string  `json:"avatar_static"`
	Header       string  `json:"header"`
	HeaderStatic string  `json:"header_static"`
	Emojis       []Emoji `json:"emojis"`
}

// Group encodes a group.
func (e *Encoder) Group(v *linnet.UserView) Group {
	as := e.Account(v)
	return Group{ID: as.ID, AccountID: as.ID, Username: as.Username, DisplayName: as.DisplayName, Note: as.Note,
		Kind: v.Group.String(), Locked: as.Locked, MembersCount: as.FollowersCount, CreatedAt: as.CreatedAt, URL: as.URL, URI: as.URI,
		Avatar: as.Avatar, AvatarStatic: as.AvatarStatic, Header: as.Header, HeaderStatic: as.HeaderStatic, Emojis: as.Emojis}
}

// GroupRelationship is the relationship of the viewer to a group.
type GroupRelationship struct {
	ID             string  `json:"id"`
	Member         bool    `json:"member"`
	Role           *string `json:"role"` // member, moderator or owner; null for outsiders
	Requested      bool    `json:"requested"`
	Invited        bool    `json:"invited"`
	BlockedBy      bool    `json:"blocked_by"` // banned
	ShowingReblogs bool    `json:"showing_reblogs"`
	Notifying      bool    `json:"notifying"`
	Muting         bool    `json:"muting"`
}

// GroupRelationshipOf encodes the viewer's relationship to a group.
func GroupRelationshipOf(v *linnet.GroupRelation) GroupRelationship {
	return GroupRelationship{ID: v.ID.String(), Member: v.Role > linnet.Outsider, Role: Nullable(v.Role.String()), Requested: v.Requested,
		Invited: v.Invited, BlockedBy: v.Banned, ShowingReblogs: v.Reposts, Notifying: v.Notify, Muting: v.Muting}
}

// Membership is a member of a group.
type Membership struct {
	ID      string  `json:"id"` // the account's
	Account Account `json:"account"`
	Role    string  `json:"role"` // member, moderator or owner
}

// Membership encodes a member of a group.
func (e *Encoder) Membership(v *linnet.Membership) Membership {
	return Membership{ID: v.ID.String(), Account: e.Account(&v.UserView), Role: v.Role.String()}
}
