package mastodon

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
)

// standing answers with how the caller stands to a group after an act.
func (a *API) standing(r *request.Request, id linnet.ID) (any, error) {
	vs, err := a.svc.Groups.GroupRelations(r.Context(), r.Viewer(), []linnet.ID{id})
	if err != nil {
		return nil, err
	}
	if len(vs) == 0 { // a chat that was left: nothing of it is there any more
		return wire.GroupRelationship{ID: id.String()}, nil
	}
	return wire.GroupRelationshipOf(&vs[0]), nil
}

func (a *API) joinGroup(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	o := linnet.FollowOptions{Reposts: r.In.OptFlag("reblogs"), Notify: r.In.OptFlag("notify")}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if _, err := a.svc.Groups.Group(r.Context(), r.Viewer(), id); err != nil {
		return nil, err
	}
	if _, err := a.svc.Social.Follow(r.Context(), r.Viewer(), id, o); err != nil {
		return nil, err
	}
	return a.standing(r, id)
}

func (a *API) leaveGroup(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	if _, err := a.svc.Groups.Group(r.Context(), r.Viewer(), id); err != nil {
		return nil, err
	}
	if _, err := a.svc.Social.Unfollow(r.Context(), r.Viewer(), id); err != nil {
		return nil, err
	}
	return a.standing(r, id)
}

func (a *API) groupMembers(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	role := linnet.Outsider
	if word := r.In.String("role"); word != "" {
		var ok bool
		if role, ok = linnet.ParseGroupRole(word); !ok {
			r.In.Fault("role", "must be member, moderator or owner")
		}
	}
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Groups.GroupMembers(r.Context(), r.Viewer(), id, role, p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, a.enc.Membership), nil
}

// groupPeople makes a handler of a list of people that a group keeps for those who
// run it.
func (a *API) groupPeople(list func(context.Context, linnet.ID, linnet.ID, linnet.Page) (linnet.Slice[linnet.UserView], error)) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		p := request.AccountPage(r.In)
		if err := r.In.Err(); err != nil {
			return nil, err
		}
		s, err := list(r.Context(), r.Viewer(), id, p)
		if err != nil {
			return nil, err
		}
		return request.Paged(r, s, a.enc.Account), nil
	}
}

// groupAct makes a handler of an act on people in a group.
func (a *API) groupAct(act func(ctx context.Context, me, group, who linnet.ID) error) request.Handler {
	return func(r *request.Request) (any, error) {
		id, who, err := groupAndPeople(r)
		if err != nil {
			return nil, err
		}
		for _, one := range who {
			if err := act(r.Context(), r.Viewer(), id, one); err != nil {
				return nil, err
			}
		}
		return wire.Empty{}, nil
	}
}

// mostGroupActs is how many people one request acts on: each is an act of its own.
const mostGroupActs = 40

func groupAndPeople(r *request.Request) (group linnet.ID, who []linnet.ID, err error) {
	if group, err = r.PathID(); err != nil {
		return 0, nil, err
	}
	if text := r.PathValue("account"); text != "" {
		one, ok := linnet.ParseID(text)
		if !ok {
			return 0, nil, request.ErrNotFound()
		}
		return group, []linnet.ID{one}, r.In.Err()
	}
	if who = r.In.IDs("account_ids", mostGroupActs); len(who) == 0 {
		r.In.Fault("account_ids", "must list at least one account")
	}
	return group, who, r.In.Err()
}

// setGroupRoles makes a handler that gives people a role: the one that is named,
// or usual.
func (a *API) setGroupRoles(usual linnet.GroupRole) request.Handler {
	return func(r *request.Request) (any, error) {
		role := usual
		if word := r.In.String("role"); word != "" {
			var ok bool
			if role, ok = linnet.ParseGroupRole(word); !ok {
				r.In.Fault("role", "must be member, moderator or owner")
			}
		}
		id, who, err := groupAndPeople(r)
		if err != nil {
			return nil, err
		}
		out := make([]wire.Membership, 0, len(who))
		for _, one := range who {
			v, err := a.svc.Groups.SetGroupRole(r.Context(), r.Viewer(), id, one, role)
			if err != nil {
				return nil, err
			}
			out = append(out, a.enc.Membership(&v))
		}
		return out, nil
	}
}

func (a *API) inviteToGroup(r *request.Request) (any, error) {
	id, who, err := groupAndPeople(r)
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Groups.InviteToGroup(r.Context(), r.Viewer(), id, who)
}

// groupTable lists the routes of groups.
func (a *API) groupTable() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/groups", request.User("read:groups"), a.getGroups),
		request.Handle("POST /api/v1/groups", request.User("write:groups"), a.createGroup),
		request.Handle("GET /api/v1/groups/relationships", request.User("read:groups"), a.groupRelationships),
		request.Handle("GET /api/v1/groups/{id}", request.Anyone("read:groups"), a.getGroup),
		request.Handle("PUT /api/v1/groups/{id}", request.WithFiles(request.User("write:groups")), a.updateGroup),
		request.Handle("DELETE /api/v1/groups/{id}/avatar", request.User("write:groups"), a.removeGroupPicture(media.Avatar)),
		request.Handle("DELETE /api/v1/groups/{id}/header", request.User("write:groups"), a.removeGroupPicture(media.Banner)),
		request.Handle("DELETE /api/v1/groups/{id}", request.User("write:groups"), a.deleteGroup),
		request.Handle("POST /api/v1/groups/{id}/join", request.User("write:groups"), a.joinGroup),
		request.Handle("POST /api/v1/groups/{id}/leave", request.User("write:groups"), a.leaveGroup),
		request.Handle("GET /api/v1/groups/{id}/memberships", request.Anyone("read:groups"), a.groupMembers),
		request.Handle("GET /api/v1/groups/{id}/membership_requests", request.User("read:groups"), a.groupPeople(a.svc.Groups.GroupRequests)),
		request.Handle("POST /api/v1/groups/{id}/membership_requests/{account}/authorize", request.User("write:groups"), a.groupAct(a.svc.Groups.AcceptMember)),
		request.Handle("POST /api/v1/groups/{id}/membership_requests/{account}/reject", request.User("write:groups"), a.groupAct(a.svc.Groups.RejectMember)),
		request.Handle("POST /api/v1/groups/{id}/invites", request.User("write:groups"), a.inviteToGroup),
		request.Handle("GET /api/v1/groups/{id}/blocks", request.User("read:groups"), a.groupPeople(a.svc.Groups.GroupBans)),
		request.Handle("POST /api/v1/groups/{id}/blocks", request.User("write:groups"), a.groupAct(a.svc.Groups.BanMember)),
		request.Handle("DELETE /api/v1/groups/{id}/blocks", request.User("write:groups"), a.groupAct(a.svc.Groups.UnbanMember)),
		request.Handle("POST /api/v1/groups/{id}/kick", request.User("write:groups"), a.groupAct(a.svc.Groups.KickMember)),
		request.Handle("POST /api/v1/groups/{id}/promote", request.User("write:groups"), a.setGroupRoles(linnet.GroupModerator)),
		request.Handle("POST /api/v1/groups/{id}/demote", request.User("write:groups"), a.setGroupRoles(linnet.GroupMember)),
		request.Handle("DELETE /api/v1/groups/{id}/statuses/{status}", request.User("write:groups"), a.removeFromGroup).Limited(core.RateDelete),
		request.Handle("GET /api/v1/timelines/group/{id}", request.Anyone("read:groups"), a.groupTimeline),
	}
}
