package mastodon

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// relationship returns the viewer's relationship to a group.
func (h *groupHandler) relationship(r *request.Request, id linnet.ID) (any, error) {
	vs, err := h.groups.GroupRelations(r.Context(), r.Viewer(), []linnet.ID{id})
	if err != nil {
		return nil, err
	}
	if len(vs) == 0 { // a chat that the viewer has left
		return wire.GroupRelationship{ID: id.String()}, nil
	}
	return wire.GroupRelationshipOf(&vs[0]), nil
}

func (h *groupHandler) join(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	o := linnet.FollowOptions{Reposts: r.In.OptFlag("reblogs"), Notify: r.In.OptFlag("notify")}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if _, err := h.groups.Group(r.Context(), r.Viewer(), id); err != nil {
		return nil, err
	}
	if _, err := h.social.Follow(r.Context(), r.Viewer(), id, o); err != nil {
		return nil, err
	}
	return h.relationship(r, id)
}

func (h *groupHandler) leave(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	if _, err := h.groups.Group(r.Context(), r.Viewer(), id); err != nil {
		return nil, err
	}
	if _, err := h.social.Unfollow(r.Context(), r.Viewer(), id); err != nil {
		return nil, err
	}
	return h.relationship(r, id)
}

func (h *groupHandler) members(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	role := groupRole(r.In, linnet.Outsider)
	p := request.AccountPage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.groups.GroupMembers(r.Context(), r.Viewer(), id, role, p)
	if err != nil {
		return nil, err
	}
	return request.Paged(r, s, h.enc.Membership), nil
}

// groupRole reads the parameter role. It returns usual if there is none.
func groupRole(in *request.Input, usual linnet.GroupRole) linnet.GroupRole {
	word := in.String("role")
	if word == "" {
		return usual
	}
	role, ok := linnet.ParseGroupRole(word)
	if !ok {
		in.Fault("role", "must be member, moderator or owner")
	}
	return role
}

// act returns the handler of an action on members.
func (h *groupHandler) act(act func(ctx context.Context, me, group, who linnet.ID) error) request.Handler {
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

// mostGroupActs is the limit of accounts in one request. Each is a separate action.
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

// setRoles returns the handler that sets the role of members. usual is the default role.
func (h *groupHandler) setRoles(usual linnet.GroupRole) request.Handler {
	return func(r *request.Request) (any, error) {
		role := groupRole(r.In, usual)
		id, who, err := groupAndPeople(r)
		if err != nil {
			return nil, err
		}
		out := make([]wire.Membership, 0, len(who))
		for _, one := range who {
			v, err := h.groups.SetGroupRole(r.Context(), r.Viewer(), id, one, role)
			if err != nil {
				return nil, err
			}
			out = append(out, h.enc.Membership(&v))
		}
		return out, nil
	}
}

func (h *groupHandler) invite(r *request.Request) (any, error) {
	id, who, err := groupAndPeople(r)
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, h.groups.InviteToGroup(r.Context(), r.Viewer(), id, who)
}
