package feeds

import (
	"context"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// fillTTL is the maximum duration of a fill. After it another fill can start.
const fillTTL = 30 * time.Second

// BeginFill marks a dropped feed as being filled by the holder of token. Entries pushed from now on
// are stored.
func (s *Store) BeginFill(ctx context.Context, key kv.Key, token string) error {
	return s.db.Apply(ctx, kv.Fill{Key: key, Token: token, TTL: fillTTL})
}

// EndFill writes the entries read since BeginFill. They are complete above floor.
func (s *Store) EndFill(ctx context.Context, key kv.Key, token string, ids []linnet.ID, floor linnet.ID) error {
	return s.db.Apply(ctx, kv.Filled{Key: key, Token: token, IDs: rawIDs(ids), Floor: uint64(floor)})
}

func rawIDs(ids []linnet.ID) []uint64 {
	out := make([]uint64, len(ids))
	for i, id := range ids {
		out[i] = uint64(id)
	}
	return out
}

// Push adds a status to many feeds in one call. Cold feeds ignore it. It also applies the
// operations in along.
func (s *Store) Push(ctx context.Context, id linnet.ID, feeds []kv.Key, along ...kv.Op) error {
	ops, pushes := make([]kv.Op, len(feeds), len(feeds)+len(along)), make([]kv.Push, len(feeds))
	for i, k := range feeds {
		pushes[i] = kv.Push{Key: k, ID: uint64(id)}
		ops[i] = &pushes[i]
	}
	return s.db.Apply(ctx, append(ops, along...)...)
}

// Pull removes a status from many feeds.
func (s *Store) Pull(ctx context.Context, id linnet.ID, feeds []kv.Key) error {
	ops := make([]kv.Op, len(feeds))
	for i, k := range feeds {
		ops[i] = kv.Pull{Key: k, ID: uint64(id)}
	}
	return s.db.Apply(ctx, ops...)
}

// MergeFeed adds statuses to a feed: after a follow, the newest of the followed user (listing 8.4).
// It drops other feeds that depend on the follow.
func (s *Store) MergeFeed(ctx context.Context, feed kv.Key, ids []linnet.ID, forget ...kv.Key) error {
	ops := make([]kv.Op, 0, 1+len(forget))
	if len(ids) > 0 {
		ops = append(ops, kv.Merge{Key: feed, IDs: rawIDs(ids)})
	}
	for _, k := range forget {
		ops = append(ops, kv.Delete{Key: k})
	}
	if len(ops) == 0 {
		return nil
	}
	return s.db.Apply(ctx, ops...)
}

// Whole returns the ids of a feed, at most kv.MaxRange. page has its newest entries. A feed can be
// longer than one read, see kv.FeedMax.
func (s *Store) Whole(ctx context.Context, key kv.Key, page *db.FeedPage) ([]linnet.ID, error) {
	ids := page.IDs()
	if len(ids) < kv.MaxRange {
		return ids, nil
	}
	b := s.db.Batch()
	rest := b.Feed(key, db.Span{Below: ids[len(ids)-1], Limit: kv.MaxRange})
	err := b.Run(ctx)
	return append(ids, rest.IDs()...), err
}

// RemoveStatuses removes statuses from a feed and drops other feeds of its shard, if a condition of
// the shard holds. It reports whether the condition held.
func (s *Store) RemoveStatuses(ctx context.Context, feed kv.Key, ids []linnet.ID, when kv.Cond, forget ...kv.Key) (bool, error) {
	ops := make([]kv.Op, 0, len(ids)+len(forget))
	for _, id := range ids {
		ops = append(ops, kv.Pull{Key: feed, ID: uint64(id)})
	}
	for _, k := range forget {
		ops = append(ops, kv.Delete{Key: k})
	}
	if len(ops) == 0 {
		return true, nil
	}
	return s.db.Txn(ctx, []kv.Cond{when}, ops...)
}

// ForgetFeeds makes feeds cold, so that the next read rebuilds them.
func (s *Store) ForgetFeeds(ctx context.Context, feeds ...kv.Key) error {
	ops := make([]kv.Op, len(feeds))
	for i, k := range feeds {
		ops[i] = kv.Delete{Key: k}
	}
	return s.db.Apply(ctx, ops...)
}
