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

// PutOrder keeps an order for linnet.RankingAge, in place of the one of o.Version
// (0: of none), if guards hold. It reports whether it was that one still; if not,
// somebody else has been faster. ErrGone if a guard does not hold.
func (s *Store) PutOrder(ctx context.Context, key kv.Key, o *record.RankOrder, guards ...kv.Cond) (bool, error) {
	conds := append([]kv.Cond{kv.VersionIs{Key: key, Version: o.Version}}, db.AllElse(guards, db.ErrGone)...)
	made, err := s.db.Txn(ctx, conds, kv.Put{Key: key, Data: record.EncodeOrder(o), Version: o.Version + 1, TTL: linnet.RankingAge})
	switch {
	case errors.Is(err, kv.ErrUnknown):
		return false, nil // whatever lies there now is as good
	case errors.Is(err, db.ErrGone):
		return false, err
	case err != nil:
		return false, fmt.Errorf("keep order %v: %w", key, err)
	}
	return made, nil
}

// ForgetOrder lets the next reader make the order anew.
func (s *Store) ForgetOrder(ctx context.Context, key kv.Key) error {
	if err := s.db.Apply(ctx, kv.Delete{Key: key}); err != nil {
		return fmt.Errorf("forget order %v: %w", key, err)
	}
	return nil
}
