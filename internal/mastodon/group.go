package mastodon

import (
	"linnet/internal/linnet"
	"linnet/internal/mastodon/wire"
	"linnet/internal/media"
	"linnet/internal/uploads"
)

func (a *API) getGroups(r *request) (any, error) {
	vs, err := a.svc.Groups.MyGroups(r.Context(), r.me())
	if err != nil {
		return nil, err
	}
	return wire.Each(vs, a.enc.Group), nil
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
	return a.enc.Group(&v), nil
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
	return a.enc.Group(&v), nil
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
	return a.enc.Group(&v), nil
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
	return wire.Empty{}, a.svc.Groups.DeleteGroup(r.Context(), r.me(), id)
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
	return wire.Each(vs, wire.GroupRelationshipOf), nil
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
	return wire.Empty{}, a.svc.Posting.RemoveFromGroup(r.Context(), r.me(), id, status)
}
