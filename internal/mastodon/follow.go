package mastodon

import (
	"slices"

	"linnet/internal/linnet"
)

// relationship is the entity Relationship.
// https://docs.joinmastodon.org/entities/Relationship/
type relationship struct {
	ID                  string   `json:"id"`
	Following           bool     `json:"following"`
	ShowingReblogs      bool     `json:"showing_reblogs"`
	Notifying           bool     `json:"notifying"`
	Languages           []string `json:"languages"`
	FollowedBy          bool     `json:"followed_by"`
	Blocking            bool     `json:"blocking"`
	BlockedBy           bool     `json:"blocked_by"`
	Muting              bool     `json:"muting"`
	MutingNotifications bool     `json:"muting_notifications"`
	MutingExpiresAt     *string  `json:"muting_expires_at"`
	Requested           bool     `json:"requested"`
	RequestedBy         bool     `json:"requested_by"`
	DomainBlocking      bool     `json:"domain_blocking"`
	Endorsed            bool     `json:"endorsed"`
	Note                string   `json:"note"`
}

func relationshipOf(v *linnet.Relationship) relationship {
	return relationship{ID: v.ID.String(), Following: v.Following, ShowingReblogs: v.Reposts, Notifying: v.Notify,
		FollowedBy: v.FollowedBy, Requested: v.Requested, RequestedBy: v.RequestedBy, Languages: v.Languages, Endorsed: v.Endorsed, Note: v.Note,
		Blocking: v.Blocking, BlockedBy: v.BlockedBy, Muting: v.Muting, MutingNotifications: v.MutingNotices,
		MutingExpiresAt: optTimestamp(v.MutedUntil)}
}

func (a *API) relationships(r *request) (any, error) {
	ids := r.in.ids("id", linnet.MaxUsersPage) // clients ask about a whole page of people at once
	if err := r.in.err(); err != nil {
		return nil, err
	}
	suspended := r.in.flag("with_suspended")
	vs, err := a.svc.Social.Relationships(r.Context(), r.me(), ids)
	if err != nil {
		return nil, err
	}
	vs = slices.DeleteFunc(vs, func(v linnet.Relationship) bool { return v.Suspended && !suspended })
	return each(vs, relationshipOf), nil
}

func (a *API) follow(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	o := linnet.FollowOptions{Reposts: r.in.optFlag("reblogs"), Notify: r.in.optFlag("notify")}
	if r.in.has("languages") {
		languages := r.in.texts("languages")
		o.Languages = &languages
	}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Social.Follow(r.Context(), r.me(), id, o)
	if err != nil {
		return nil, err
	}
	return relationshipOf(&v), nil
}

// The lists of people of a user or a status, for people.

func (a *API) followers(r *request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.View.Followers(r.Context(), r.me(), id, p)
}

func (a *API) following(r *request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.View.Following(r.Context(), r.me(), id, p)
}

// familiarFollowers is the entity FamiliarFollowers.
// https://docs.joinmastodon.org/entities/FamiliarFollowers/
type familiarFollowers struct {
	ID       string    `json:"id"`
	Accounts []account `json:"accounts"`
}

// mostFamiliar limits the ids in a request for familiar followers.
const mostFamiliar = 200

// getFamiliarFollowers responds with all familiar followers of one account. Those of several
// accounts share the same limit, but each account can have a page of them.
// https://docs.joinmastodon.org/methods/accounts/#familiar_followers
func (a *API) getFamiliarFollowers(r *request) (any, error) {
	ids := r.in.ids("id", mostFamiliar)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	most := max(linnet.MaxFollowing/max(len(ids), 1), linnet.MaxPage)
	out := make([]familiarFollowers, 0, len(ids))
	for part := range slices.Chunk(ids, linnet.MaxIDsInQuery) {
		vs, err := a.svc.View.FamiliarFollowers(r.Context(), r.me(), part, most)
		if err != nil {
			return nil, err
		}
		for i := range vs {
			out = append(out, familiarFollowers{ID: vs[i].ID.String(), Accounts: each(vs[i].Users, a.account)})
		}
	}
	return out, nil
}
