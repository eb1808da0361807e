package mastodon

import (
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

func (a *API) relationships(r *request.Request) (any, error) {
	ids := r.In.IDs("id", linnet.MaxUsersPage) // clients ask about a whole page of people at once
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	suspended := r.In.Flag("with_suspended")
	vs, err := a.svc.Social.Relationships(r.Context(), r.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	vs = slices.DeleteFunc(vs, func(v linnet.Relationship) bool { return v.Suspended && !suspended })
	return wire.Each(vs, wire.RelationshipOf), nil
}

func (a *API) follow(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	o := linnet.FollowOptions{Reposts: r.In.OptFlag("reblogs"), Notify: r.In.OptFlag("notify")}
	if r.In.Has("languages") {
		languages := r.In.Strings("languages")
		o.Languages = &languages
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Social.Follow(r.Context(), r.Viewer(), id, o)
	if err != nil {
		return nil, err
	}
	return wire.RelationshipOf(&v), nil
}

// The lists of people of a user or a status, for people.

func (a *API) followers(r *request.Request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.View.Followers(r.Context(), r.Viewer(), id, p)
}

func (a *API) following(r *request.Request, id linnet.ID, p linnet.Page) (linnet.Slice[linnet.UserView], error) {
	return a.svc.View.Following(r.Context(), r.Viewer(), id, p)
}

// mostFamiliar limits the ids in a request for familiar followers.
const mostFamiliar = 200

// getFamiliarFollowers responds with all familiar followers of one account. Those of several
// accounts share the same limit, but each account can have a page of them.
// https://docs.joinmastodon.org/methods/accounts/#familiar_followers
func (a *API) getFamiliarFollowers(r *request.Request) (any, error) {
	ids := r.In.IDs("id", mostFamiliar)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	most := max(linnet.MaxFollowing/max(len(ids), 1), linnet.MaxPage)
	out := make([]wire.FamiliarFollowers, 0, len(ids))
	for part := range slices.Chunk(ids, linnet.MaxIDsInQuery) {
		vs, err := a.svc.View.FamiliarFollowers(r.Context(), r.Viewer(), part, most)
		if err != nil {
			return nil, err
		}
		for i := range vs {
			out = append(out, wire.FamiliarFollowers{ID: vs[i].ID.String(), Accounts: wire.Each(vs[i].Users, a.enc.Account)})
		}
	}
	return out, nil
}
