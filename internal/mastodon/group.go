package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

func (a *API) getGroups(r *request.Request) (any, error) {
	vs, err := a.svc.Groups.MyGroups(r.Context(), r.Viewer())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.enc.Group), nil
}

func (a *API) getGroup(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	v, err := a.svc.Groups.Group(r.Context(), r.Viewer(), id)
	if err != nil {
		return nil, err
	}
	return a.enc.Group(&v), nil
}

func (a *API) createGroup(r *request.Request) (any, error) {
	n := linnet.NewGroup{Login: r.In.String("username"), Name: r.In.String("display_name"), Note: r.In.String("note"),
		Kind: linnet.PublicGroup, Invite: r.In.IDs("account_ids", linnet.MaxGroupInvites)}
	if kind := groupKind(r.In); kind != nil {
		n.Kind = *kind
	}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	v, err := a.svc.Groups.CreateGroup(r.Context(), r.Viewer(), n)
	if err != nil {
		return nil, err
	}
	return a.enc.Group(&v), nil
}

// groupKind reads the word for a kind of group, nil if there is none.
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

func (a *API) updateGroup(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	c := linnet.GroupChange{Name: r.In.OptString("display_name"), Note: r.In.OptString("note"), Kind: groupKind(r.In)}
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	if err := a.unlessRead(r, id, &c.Note); err != nil {
		return nil, err
	}
	if err := setPictures(r, func(shape media.Shape, f *uploads.File) error {
		return a.svc.Groups.SetPicture(r.Context(), r.Viewer(), id, shape, f)
	}); err != nil {
		return nil, err
	}
	v, err := a.svc.Groups.UpdateGroup(r.Context(), r.Viewer(), id, c)
	if err != nil {
		return nil, err
	}
	return a.enc.Group(&v), nil
}

// removeGroupPicture makes a handler that takes a picture of a group away, as that of a
// profile is.
func (a *API) removeGroupPicture(shape media.Shape) request.Handler {
	return func(r *request.Request) (any, error) {
		id, err := r.PathID()
		if err != nil {
			return nil, err
		}
		if err := a.svc.Groups.SetPicture(r.Context(), r.Viewer(), id, shape, nil); err != nil {
			return nil, err
		}
		return a.getGroup(r)
	}
}

func (a *API) deleteGroup(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	return wire.Empty{}, a.svc.Groups.DeleteGroup(r.Context(), r.Viewer(), id)
}

func (a *API) groupRelationships(r *request.Request) (any, error) {
	ids := r.In.IDs("id", linnet.MaxIDsInQuery)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	vs, err := a.svc.Groups.GroupRelations(r.Context(), r.Viewer(), ids)
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, wire.GroupRelationshipOf), nil
}

func (a *API) groupTimeline(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	p := request.TimelinePage(r.In)
	if err := r.In.Err(); err != nil {
		return nil, err
	}
	s, err := a.svc.Reading.GroupTimeline(r.Context(), r.Viewer(), id, p)
	return a.statuses(r, s, err)
}

// removeFromGroup takes a status out of a group.
func (a *API) removeFromGroup(r *request.Request) (any, error) {
	id, err := r.PathID()
	if err != nil {
		return nil, err
	}
	status, ok := linnet.ParseID(r.PathValue("status"))
	if !ok {
		return nil, request.ErrNotFound()
	}
	return wire.Empty{}, a.svc.Posting.RemoveFromGroup(r.Context(), r.Viewer(), id, status)
}
