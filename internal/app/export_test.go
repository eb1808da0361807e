package app

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store/relations"
)

// ServeTasks is Run without all that a server does by itself.
func (s *App) ServeTasks(ctx context.Context) { s.tasks.Serve(ctx) }

// Relate runs the task of a relation, for tests of its order.
func (s *App) Relate(ctx context.Context, kind string, owner, other linnet.ID) error {
	return s.Social.Relate(ctx, social.EdgeArgs{Kind: kind, Owner: owner, Other: other})
}

// EndQuietly ends that somebody is in a group and tells nobody: what is between the
// write and the news of it.
func (s *App) EndQuietly(ctx context.Context, who, group linnet.ID) error {
	_, err := s.st.Relations.SetEdge(ctx, relations.EdgeChange{Kind: record.Follows(), Owner: who, Other: group})
	return err
}
