package feeds

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// PutOrder stores a ranking for linnet.RankingAge in place of version o.Version (0 for none), if
// the guards hold. It returns false if a concurrent request was first. It returns ErrDeleted if a
// guard doesn't hold.
func (s *Store) PutOrder(ctx context.Context, key kv.Key, o *record.RankOrder, guards ...kv.Cond) (bool, error) {
	conds := append([]kv.Cond{kv.VersionIs{Key: key, Version: o.Version}}, db.AllElse(guards, db.ErrDeleted)...)
	made, err := s.db.Txn(ctx, conds, kv.Put{Key: key, Data: record.EncodeOrder(o), Version: o.Version + 1, TTL: linnet.RankingAge})
	switch {
	case errors.Is(err, kv.ErrUnknown):
		return false, nil // the stored ranking is equally good
	case errors.Is(err, db.ErrDeleted):
		return false, err
	case err != nil:
		return false, fmt.Errorf("store ranking %v: %w", key, err)
	}
	return made, nil
}

// ForgetOrder deletes a ranking, so that the next reader computes it again.
func (s *Store) ForgetOrder(ctx context.Context, key kv.Key) error {
	if err := s.db.Apply(ctx, kv.Delete{Key: key}); err != nil {
		return fmt.Errorf("delete ranking %v: %w", key, err)
	}
	return nil
}
