package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

// group is a group beside its account, in the shape that clients with groups
// expect: that of a proposal to Mastodon which Soapbox took up.
// https://github.com/mastodon/mastodon/pull/19059
type group struct {
	ID           string  `json:"id"`
	AccountID    string  `json:"account_id"` // the same: a group is an account
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
	Emojis       []emoji `json:"emojis"`
}

func (a *API) group(v *linnet.UserView) group {
	as := a.account(v)
	return group{ID: as.ID, AccountID: as.ID, Username: as.Username, DisplayName: as.DisplayName, Note: as.Note,
		Kind: v.Group.String(), Locked: as.Locked, MembersCount: as.FollowersCount, CreatedAt: as.CreatedAt, URL: as.URL, URI: as.URI,
		Avatar: as.Avatar, AvatarStatic: as.AvatarStatic, Header: as.Header, HeaderStatic: as.HeaderStatic, Emojis: as.Emojis}
}

// groupRelationship is how the caller stands to a group.
type groupRelationship struct {
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

func groupRelationshipOf(v *linnet.GroupRelation) groupRelationship {
	return groupRelationship{ID: v.ID.String(), Member: v.Role > linnet.Outsider, Role: nullable(v.Role.String()), Requested: v.Requested,
		Invited: v.Invited, BlockedBy: v.Banned, ShowingReblogs: v.Reposts, Notifying: v.Notify, Muting: v.Muting}
}

func (a *API) getGroups(r *request) (any, error) {
	vs, err := a.svc.Groups.MyGroups(r.Context(), r.me())
	if err != nil {
		return nil, err
	}
	return each(vs, a.group), nil
}

func (a *API) getGroup(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Groups.Group(r.Context(), r.me(), id)
	if err != nil {
		return nil, err
	}
	return a.group(&v), nil
}

func (a *API) createGroup(r *request) (any, error) {
	n := linnet.NewGroup{Login: r.in.text("username"), Name: r.in.text("display_name"), Note: r.in.text("note"),
		Kind: linnet.PublicGroup, Invite: r.in.ids("account_ids", linnet.MaxGroupInvites)}
	if kind := groupKind(r.in); kind != nil {
		n.Kind = *kind
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Groups.CreateGroup(r.Context(), r.me(), n)
	if err != nil {
		return nil, err
	}
	return a.group(&v), nil
}

// groupKind reads the word for a kind of group, nil if there is none.
func groupKind(in *input) *linnet.GroupKind {
	word := in.text("kind")
	if word == "" {
		return nil
	}
	k, ok := linnet.ParseGroupKind(word)
	if !ok {
		in.fault("kind", "must be public, private, announcement or chat")
		return nil
	}
	return &k
}

func (a *API) updateGroup(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	c := linnet.GroupChange{Name: r.in.optText("display_name"), Note: r.in.optText("note"), Kind: groupKind(r.in)}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if err := a.unlessRead(r, id, &c.Note); err != nil {
		return nil, err
	}
	if err := r.setPictures(func(shape media.Shape, f *uploads.File) error {
		return a.svc.Groups.SetPicture(r.Context(), r.me(), id, shape, f)
	}); err != nil {
		return nil, err
	}
	v, err := a.svc.Groups.UpdateGroup(r.Context(), r.me(), id, c)
	if err != nil {
		return nil, err
	}
	return a.group(&v), nil
}

// removeGroupPicture makes a handler that takes a picture of a group away, as that of a
// profile is.
func removeGroupPicture(shape media.Shape) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		if err := a.svc.Groups.SetPicture(r.Context(), r.me(), id, shape, nil); err != nil {
			return nil, err
		}
		return a.getGroup(r)
	}
}

func (a *API) deleteGroup(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	return empty{}, a.svc.Groups.DeleteGroup(r.Context(), r.me(), id)
}

func (a *API) groupRelationships(r *request) (any, error) {
	ids := r.in.ids("id", linnet.MaxIDsInQuery)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.Groups.GroupRelations(r.Context(), r.me(), ids)
	if err != nil {
		return nil, err
	}
	return each(vs, groupRelationshipOf), nil
}

func (a *API) groupTimeline(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	p := timelinePage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Reading.GroupTimeline(r.Context(), r.me(), id, p)
	return a.statuses(r, s, err)
}

// removeFromGroup takes a status out of a group.
func (a *API) removeFromGroup(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	status, ok := linnet.ParseID(r.PathValue("status"))
	if !ok {
		return nil, errNotFound()
	}
	return empty{}, a.svc.Posting.RemoveFromGroup(r.Context(), r.me(), id, status)
}

// groupLimits are the bounds of groups in the instance document.
type groupLimits struct {
	Kinds          []string `json:"kinds"`
	MaxOwned       int      `json:"max_owned"`
	MaxJoined      int      `json:"max_joined"`
	MaxChatMembers int      `json:"max_chat_members"`
}

func limitsOfGroups() groupLimits {
	l := groupLimits{MaxOwned: linnet.MaxGroupsOwned, MaxJoined: linnet.MaxGroupsJoined, MaxChatMembers: linnet.MaxChatMembers}
	for k := linnet.PublicGroup; k <= linnet.Chat; k++ {
		l.Kinds = append(l.Kinds, k.String())
	}
	return l
}
