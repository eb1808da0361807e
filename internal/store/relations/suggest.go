package relations

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// maxDismissed is the maximum number of dismissed suggestions. The oldest ones can be suggested
// again.
const maxDismissed = 1000

// Dismiss stops suggesting a user.
func (s *Store) Dismiss(ctx context.Context, user, id linnet.ID) error {
	if err := s.SetMember(ctx, record.Dismissed, user, id, true); err != nil {
		return fmt.Errorf("dismiss a suggestion: %w", err)
	}
	if id%16 != 0 { // one in sixteen trims
		return nil
	}
	return s.db.Apply(ctx, kv.Trim{Key: record.Dismissed.Key(user), Keep: maxDismissed})
}

// FollowedBy reads the latest follows of many users, at most limit of each, with one query per user
// in one round trip.
func (s *Store) FollowedBy(ctx context.Context, people []linnet.ID, limit int) ([][]linnet.ID, error) {
	qs := make([]kv.Query, len(people))
	for i, id := range people {
		qs[i] = &kv.Range{Key: record.Follows().OwnedKey(id), Desc: true, Limit: limit}
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read follows of several users: %w", err)
	}
	out := make([][]linnet.ID, len(people))
	for i, q := range qs {
		for _, m := range q.(*kv.Range).Members {
			id, _ := record.SplitEntry(m.Member)
			out[i] = append(out[i], id)
		}
	}
	return out, nil
}
