package social

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// ServeTasks is Run without all that a server does by itself.
func (s *Service) ServeTasks(ctx context.Context) { s.tasks.Serve(ctx) }

// Relate runs the task of a relation, for tests of its order.
func (s *Service) Relate(ctx context.Context, kind string, owner, other linnet.ID) error {
	return s.relate(ctx, edgeArgs{kind, owner, other})
}

// EndQuietly ends that somebody is in a group and tells nobody: what is between the
// write and the news of it.
func (s *Service) EndQuietly(ctx context.Context, who, group linnet.ID) error {
	_, err := s.st.SetEdge(ctx, store.EdgeChange{Kind: record.Follows(), Owner: who, Other: group})
	return err
}

// Note notes a status and a vote for it, as acts do.
func (s *Service) Note(st *linnet.Status, by linnet.ID) {
	s.lately.posted(st)
	s.lately.marked(st.ID, by)
}

// LoginTotal is how many failed log-ins of all make the limits tighter.
const LoginTotal = loginTotal
