package app

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/social"
	"linnet/internal/store/relations"
)

// ServeTasks runs tasks like Run, without the other background work.
func (s *App) ServeTasks(ctx context.Context) { s.tasks.Serve(ctx) }

// Relate runs the task of a relation, for tests of the order.
func (s *App) Relate(ctx context.Context, kind string, owner, other linnet.ID) error {
	return s.Social.Relate(ctx, social.RelationArgs{Kind: kind, Owner: owner, Other: other})
}

// EndQuietly ends a membership without publishing it, which is the state between the write and its
// event.
func (s *App) EndQuietly(ctx context.Context, who, group linnet.ID) error {
	_, err := s.st.Relations.SetRelation(ctx, relations.RelationChange{Kind: record.Follows(), Owner: who, Other: group})
	return err
}
