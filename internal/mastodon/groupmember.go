package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
)

// standing answers with how the caller stands to a group after an act.
func (a *API) standing(r *request, id linnet.ID) (any, error) {
	vs, err := a.svc.Groups.GroupRelations(r.Context(), r.me(), []linnet.ID{id})
	if err != nil {
		return nil, err
	}
	if len(vs) == 0 { // a chat that was left: nothing of it is there any more
		return wire.GroupRelationship{ID: id.String()}, nil
	}
	return wire.GroupRelationshipOf(&vs[0]), nil
}

func (a *API) joinGroup(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	o := linnet.FollowOptions{Reposts: r.in.optFlag("reblogs"), Notify: r.in.optFlag("notify")}
	if err := r.in.err(); err != nil {
		return nil, err
	}
	if _, err := a.svc.Groups.Group(r.Context(), r.me(), id); err != nil {
		return nil, err
	}
	if _, err := a.svc.Social.Follow(r.Context(), r.me(), id, o); err != nil {
		return nil, err
	}
	return a.standing(r, id)
}

func (a *API) leaveGroup(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	if _, err := a.svc.Groups.Group(r.Context(), r.me(), id); err != nil {
		return nil, err
	}
	if _, err := a.svc.Social.Unfollow(r.Context(), r.me(), id); err != nil {
		return nil, err
	}
	return a.standing(r, id)
}

func (a *API) groupMembers(r *request) (any, error) {
	id, err := r.pathID()
	if err != nil {
		return nil, err
	}
	role := linnet.Outsider
	if word := r.in.text("role"); word != "" {
		var ok bool
		if role, ok = linnet.ParseGroupRole(word); !ok {
			r.in.fault("role", "must be member, moderator or owner")
		}
	}
	p := accountPage(r.in)
	if err := r.in.err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Groups.GroupMembers(r.Context(), r.me(), id, role, p)
	if err != nil {
		return nil, err
	}
	return paged(r, s, a.enc.Membership), nil
}

// groupPeople makes a handler of a list of people that a group keeps for those who
// run it.
func groupPeople(list func(context.Context, linnet.ID, linnet.ID, linnet.Page) (linnet.Slice[linnet.UserView], error)) handler {
	return func(a *API, r *request) (any, error) {
		id, err := r.pathID()
		if err != nil {
			return nil, err
		}
		p := accountPage(r.in)
		if err := r.in.err(); err != nil {
			return nil, err
		}
		s, err := list(r.Context(), r.me(), id, p)
		if err != nil {
			return nil, err
		}
		return paged(r, s, a.enc.Account), nil
	}
}

// groupAct makes a handler of an act on people in a group.
func groupAct(act func(ctx context.Context, me, group, who linnet.ID) error) handler {
	return func(a *API, r *request) (any, error) {
		id, who, err := groupAndPeople(r)
		if err != nil {
			return nil, err
		}
		for _, one := range who {
			if err := act(r.Context(), r.me(), id, one); err != nil {
				return nil, err
			}
		}
		return wire.Empty{}, nil
	}
}

// mostGroupActs is how many people one request acts on: each is an act of its own.
const mostGroupActs = 40

func groupAndPeople(r *request) (group linnet.ID, who []linnet.ID, err error) {
	if group, err = r.pathID(); err != nil {
		return 0, nil, err
	}
	if text := r.PathValue("account"); text != "" {
		one, ok := linnet.ParseID(text)
		if !ok {
			return 0, nil, errNotFound()
		}
		return group, []linnet.ID{one}, r.in.err()
	}
	if who = r.in.ids("account_ids", mostGroupActs); len(who) == 0 {
		r.in.fault("account_ids", "must list at least one account")
	}
	return group, who, r.in.err()
}

// setGroupRoles makes a handler that gives people a role: the one that is named,
// or usual.
func setGroupRoles(usual linnet.GroupRole) handler {
	return func(a *API, r *request) (any, error) {
		role := usual
		if word := r.in.text("role"); word != "" {
			var ok bool
			if role, ok = linnet.ParseGroupRole(word); !ok {
				r.in.fault("role", "must be member, moderator or owner")
			}
		}
		id, who, err := groupAndPeople(r)
		if err != nil {
			return nil, err
		}
		out := make([]wire.Membership, 0, len(who))
		for _, one := range who {
			v, err := a.svc.Groups.SetGroupRole(r.Context(), r.me(), id, one, role)
			if err != nil {
				return nil, err
			}
			out = append(out, a.enc.Membership(&v))
		}
		return out, nil
	}
}

func (a *API) inviteToGroup(r *request) (any, error) {
	id, who, err := groupAndPeople(r)
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Groups.InviteToGroup(r.Context(), r.me(), id, who)
}

// groupTable lists the routes of groups.
func (a *API) groupTable() []route {
	return []route{
		{"GET /api/v1/groups", user("read:groups"), noLimit, (*API).getGroups},
		{"POST /api/v1/groups", user("write:groups"), noLimit, (*API).createGroup},
		{"GET /api/v1/groups/relationships", user("read:groups"), noLimit, (*API).groupRelationships},
		{"GET /api/v1/groups/{id}", anyone("read:groups"), noLimit, (*API).getGroup},
		{"PUT /api/v1/groups/{id}", uploading(user("write:groups")), noLimit, (*API).updateGroup},
		{"DELETE /api/v1/groups/{id}/avatar", user("write:groups"), noLimit, removeGroupPicture(media.Avatar)},
		{"DELETE /api/v1/groups/{id}/header", user("write:groups"), noLimit, removeGroupPicture(media.Banner)},
		{"DELETE /api/v1/groups/{id}", user("write:groups"), noLimit, (*API).deleteGroup},
		{"POST /api/v1/groups/{id}/join", user("write:groups"), noLimit, (*API).joinGroup},
		{"POST /api/v1/groups/{id}/leave", user("write:groups"), noLimit, (*API).leaveGroup},
		{"GET /api/v1/groups/{id}/memberships", anyone("read:groups"), noLimit, (*API).groupMembers},
		{"GET /api/v1/groups/{id}/membership_requests", user("read:groups"), noLimit, groupPeople(a.svc.Groups.GroupRequests)},
		{"POST /api/v1/groups/{id}/membership_requests/{account}/authorize", user("write:groups"), noLimit, groupAct(a.svc.Groups.AcceptMember)},
		{"POST /api/v1/groups/{id}/membership_requests/{account}/reject", user("write:groups"), noLimit, groupAct(a.svc.Groups.RejectMember)},
		{"POST /api/v1/groups/{id}/invites", user("write:groups"), noLimit, (*API).inviteToGroup},
		{"GET /api/v1/groups/{id}/blocks", user("read:groups"), noLimit, groupPeople(a.svc.Groups.GroupBans)},
		{"POST /api/v1/groups/{id}/blocks", user("write:groups"), noLimit, groupAct(a.svc.Groups.BanMember)},
		{"DELETE /api/v1/groups/{id}/blocks", user("write:groups"), noLimit, groupAct(a.svc.Groups.UnbanMember)},
		{"POST /api/v1/groups/{id}/kick", user("write:groups"), noLimit, groupAct(a.svc.Groups.KickMember)},
		{"POST /api/v1/groups/{id}/promote", user("write:groups"), noLimit, setGroupRoles(linnet.GroupModerator)},
		{"POST /api/v1/groups/{id}/demote", user("write:groups"), noLimit, setGroupRoles(linnet.GroupMember)},
		{"DELETE /api/v1/groups/{id}/statuses/{status}", user("write:groups"), limitDelete, (*API).removeFromGroup},
		{"GET /api/v1/timelines/group/{id}", anyone("read:groups"), noLimit, (*API).groupTimeline},
	}
}
