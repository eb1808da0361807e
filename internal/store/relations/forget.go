package relations

import (
	"context"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// ForgetHalves completes removals of relations that a deleted user owned: their
// other sides are brought up to date, then the tombstones go. It handles at most
// limit of them and reports how many there were.
func (s *Store) ForgetHalves(ctx context.Context, k record.EdgeKind, user linnet.ID, limit int) (int, error) {
	gone := record.IDKey(k.Owned+".gone", user)
	ids, _, err := s.db.After(ctx, gone, kv.Member{}, limit)
	if err != nil {
		return 0, err
	}
	ops := make([]kv.Op, len(ids))
	for i, other := range ids {
		if _, err := s.CopyEdge(ctx, k, user, other, Transition{}, nil); err != nil {
			return 0, err
		}
		ops[i] = kv.Remove{Key: gone, Member: other.String()}
	}
	if len(ops) == 0 {
		return 0, nil
	}
	return len(ids), s.db.Apply(ctx, ops...)
}

// ForgetNotes removes what a deleted user has noted about at most limit people
// and reports how many there were.
func (s *Store) ForgetNotes(ctx context.Context, user linnet.ID, limit int) (int, error) {
	ids, _, err := s.db.After(ctx, record.IDKey(record.KindNoted, user), kv.Member{}, limit)
	if err != nil || len(ids) == 0 {
		return 0, err
	}
	var ops []kv.Op
	for _, about := range ids {
		ops = append(ops, kv.Delete{Key: record.NoteKey(user, about)}, kv.Remove{Key: record.IDKey(record.KindNoted, user), Member: about.String()})
	}
	return len(ids), s.db.Apply(ctx, ops...)
}
