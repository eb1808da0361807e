package view

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// WithRelationships loads users in the order of ids, with the viewer's relationship to each,
// in one round trip.
func (s *Service) WithRelationships(ctx context.Context, viewer linnet.ID, ids []linnet.ID) ([]*db.UserRef, *db.Reader, error) {
	b := s.st.Batch()
	reader := b.Reader(viewer)
	refs := make([]*db.UserRef, len(ids))
	for i, id := range ids {
		refs[i] = b.User(id)
		reader.AskRelationship(id)
	}
	if err := b.Run(ctx); err != nil {
		return nil, nil, core.StoreError(err)
	}
	return refs, reader, nil
}

// WithoutBlocked returns the users among ids that exist, are not suspended, and have no
// block with the viewer.
func (s *Service) WithoutBlocked(ctx context.Context, viewer linnet.ID, ids []linnet.ID) ([]linnet.UserView, error) {
	refs, reader, err := s.WithRelationships(ctx, viewer, ids)
	if err != nil {
		return nil, err
	}
	out := make([]linnet.UserView, 0, len(ids))
	for i, ref := range refs {
		if ref.User != nil && !ref.User.Hidden() && !reader.Relationship(ids[i]).Blocked() {
			out = append(out, s.UserView(ref))
		}
	}
	return s.Known(ctx, viewer, out, false)
}

// Relationship returns the viewer's relationship to a user.
func (s *Service) Relationship(ctx context.Context, viewer, id linnet.ID) (db.ViewerState, error) {
	b := s.st.Batch()
	reader := b.Reader(viewer)
	reader.AskRelationship(id)
	if err := b.Run(ctx); err != nil {
		return 0, core.StoreError(err)
	}
	return reader.Relationship(id), nil
}
