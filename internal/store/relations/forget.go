package relations

import (
	"context"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// ForgetHalves completes the removal of a deleted user's relations: it updates the other sides and
// deletes the tombstones. It handles at most limit and returns their number.
func (s *Store) ForgetHalves(ctx context.Context, k record.RelationKind, user linnet.ID, limit int) (int, error) {
	tombstones := record.IDKey(k.Owned+".gone", user)
	ids, _, err := s.db.After(ctx, tombstones, kv.Member{}, limit)
	if err != nil {
		return 0, err
	}
	ops := make([]kv.Op, len(ids))
	for i, other := range ids {
		if _, err := s.CopyRelation(ctx, k, user, other, Transition{}, nil); err != nil {
			return 0, err
		}
		ops[i] = kv.Remove{Key: tombstones, Member: other.String()}
	}
	if len(ops) == 0 {
		return 0, nil
	}
	return len(ids), s.db.Apply(ctx, ops...)
}

// ForgetNotes deletes at most limit notes of a deleted user and returns their number.
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
