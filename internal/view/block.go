package view

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// WithRelationships reads people, in the order of ids, and how a viewer stands to them, in
// one round trip.
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

// WithoutBlocked shows those of ids that exist, are not suspended, and between whom and the
// viewer there is no block.
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

// Relationship is how a viewer stands to somebody.
func (s *Service) Relationship(ctx context.Context, viewer, id linnet.ID) (db.ViewerState, error) {
	b := s.st.Batch()
	reader := b.Reader(viewer)
	reader.AskRelationship(id)
	if err := b.Run(ctx); err != nil {
		return 0, core.StoreError(err)
	}
	return reader.Relationship(id), nil
}
