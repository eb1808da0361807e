package mastodon

import (
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
	"linnet/internal/posting"
	"linnet/internal/reading"
	"linnet/internal/social"
	"linnet/internal/uploads"
	"linnet/internal/view"
)

// groupHandler handles groups, which are accounts.
// docs/own-api.md describes the methods.
type groupHandler struct {
	enc     *wire.Encoder
	view    *view.Service
	social  *social.Service
	reading *reading.Service
	posts   *posting.GroupPosts
	groups  *social.Groups
}

func (h *groupHandler) routes() []request.Route {
	return []request.Route{
		request.Handle("GET /api/v1/groups", request.User("read:groups"), h.mine),
		request.Handle("POST /api/v1/groups", request.User("write:groups"), h.create),
		request.Handle("GET /api/v1/groups/relationships", request.User("read:groups"), h.relationships),
		request.Handle("GET /api/v1/groups/{id}", request.Anyone("read:groups"), h.get),
		request.Handle("PUT /api/v1/groups/{id}", request.WithFiles(request.User("write:groups")), h.update),
		request.Handle("DELETE /api/v1/groups/{id}/avatar", request.User("write:groups"), h.removePicture(media.Avatar)),
		request.Handle("DELETE /api/v1/groups/{id}/header", request.User("write:groups"), h.removePicture(media.Banner)),
		request.Handle("DELETE /api/v1/groups/{id}", request.User("write:groups"), h.delete),
		request.Handle("POST /api/v1/groups/{id}/join", request.User("write:groups"), h.join),
		request.Handle("POST /api/v1/groups/{id}/leave", request.User("write:groups"), h.leave),
		request.Handle("GET /api/v1/groups/{id}/memberships", request.Anyone("read:groups"), h.members),
		request.Handle("GET /api/v1/groups/{id}/membership_requests", request.User("read:groups"), people(h.enc, h.groups.GroupRequests)),
		request.Handle("POST /api/v1/groups/{id}/membership_requests/{account}/authorize", request.User("write:groups"), h.act(h.groups.AcceptMember)),
		request.Handle("POST /api/v1/groups/{id}/membership_requests/{account}/reject", request.User("write:groups"), h.act(h.groups.RejectMember)),
		request.Handle("POST /api/v1/groups/{id}/invites", request.User("write:groups"), h.invite),
		request.Handle("GET /api/v1/groups/{id}/blocks", request.User("read:groups"), people(h.enc, h.groups.GroupBans)),
		request.Handle("POST /api/v1/groups/{id}/blocks", request.User("write:groups"), h.act(h.groups.BanMember)),
		request.Handle("DELETE /api/v1/groups/{id}/blocks", request.User("write:groups"), h.act(h.groups.UnbanMember)),
		request.Handle("POST /api/v1/groups/{id}/kick", request.User("write:groups"), h.act(h.groups.KickMember)),
		request.Handle("POST /api/v1/groups/{id}/promote", request.User("write:groups"), h.setRoles(linnet.GroupModerator)),
		request.Handle("POST /api/v1/groups/{id}/demote", request.User("write:groups"), h.setRoles(linnet.GroupMember)),
		request.Handle("DELETE /api/v1/groups/{id}/statuses/{status}", request.User("write:groups"), h.removeStatus).Limited(core.RateDelete),
		request.Handle("GET /api/v1/timelines/group/{id}", request.Anyone("read:groups"), h.timeline),
	}
}

func (h *groupHandler) mine(r *request.Request) (any, error) {
	vs, err := h.groups.MyGroups(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, h.enc.Group), nil
}

func (h *groupHandler) get(r *request.Request) (any, error) {
	return request.ByID(r, h.groups.Group, h.enc.Group)
}

func (h *groupHandler) create(r *request.Request) (any, error) {
	n := linnet.NewGroup{Login: r.In.String("username"), Name: r.In.String("display_name"), Note: r.In.String("note"),
		Kind: linnet.PublicGroup, Invite: r.In.IDs("account_ids", linnet.MaxGroupInvites)}
	if kind := groupKind(r.In); kind != nil {
		n.Kind = *kind
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := h.groups.CreateGroup(r.Context(), r.Viewer(), n)
	if err != nil {
		return nil, err
	}
	return h.enc.Group(&v), nil
}

// groupKind parses the kind of a group. It returns nil if it is absent.
func groupKind(in *request.Input) *linnet.GroupKind {
	word := in.String("kind")
	if word == "" {
		return nil
	}
	k, ok := linnet.ParseGroupKind(word)
	if !ok {
		in.Fault("kind", "must be public, private, announcement or chat")
		return nil
	}
	return &k
}

func (h *groupHandler) update(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	c := linnet.GroupChange{Name: r.In.OptString("display_name"), Note: r.In.OptString("note"), Kind: groupKind(r.In)}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if err := unlessRead(r, h.enc, h.view, id, &c.Note); err != nil {
		return nil, err
	}
	if err := setPictures(r, func(shape media.Shape, f *uploads.File) error {
		return h.groups.SetPicture(r.Context(), r.Viewer(), id, shape, f)
	}); err != nil {
		return nil, err
	}
	v, err := h.groups.UpdateGroup(r.Context(), r.Viewer(), id, c)
	if err != nil {
		return nil, err
	}
	return h.enc.Group(&v), nil
}

// removePicture returns the handler that removes a picture of a group.
func (h *groupHandler) removePicture(shape media.Shape) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		if err := h.groups.SetPicture(r.Context(), r.Viewer(), id, shape, nil); err != nil {
			return nil, err
		}
		return h.get(r)
	}
}

func (h *groupHandler) delete(r *request.Request) (any, error) {
	return request.DoByID(r, h.groups.DeleteGroup)
}

func (h *groupHandler) relationships(r *request.Request) (any, error) {
	ids := r.In.IDs("id", linnet.MaxIDsInQuery)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := h.groups.GroupRelations(r.Context(), r.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, wire.GroupRelationshipOf), nil
}

func (h *groupHandler) timeline(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := h.reading.GroupTimeline(r.Context(), r.Viewer(), id, p)
	return request.Statuses(r, s, err)
}

// removeStatus removes a status from a group.
func (h *groupHandler) removeStatus(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	status, ok := linnet.ParseID(r.PathValue("status"))
	if !ok {
		return nil, request.ErrNotFound()
	}
	return wire.Empty{}, h.posts.Remove(r.Context(), r.Viewer(), id, status)
}
