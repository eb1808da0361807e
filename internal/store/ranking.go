package store

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Order asks for an order; its Version is 0 after Run if there is none.
func (b *Batch) Order(key kv.Key) *record.RankOrder {
	o := &record.RankOrder{}
	get := &kv.Get{Key: key}
	b.ask(get, func() error {
		if get.Version == 0 {
			return nil
		}
		var r record.Rank
		if err := record.Decode(get, &r); err != nil {
			return err
		}
		made, err := r.Order(get.Version)
		*o = made
		return err
	})
	return o
}

// PutOrder keeps an order for linnet.RankingAge, in place of the one of o.Version
// (0: of none), if guards hold. It reports whether it was that one still; if not,
// somebody else has been faster. ErrGone if a guard does not hold.
func (s *Store) PutOrder(ctx context.Context, key kv.Key, o *record.RankOrder, guards ...kv.Cond) (bool, error) {
	conds := append([]kv.Cond{kv.VersionIs{Key: key, Version: o.Version}}, guards...)
	failed, err := s.kv.Txn(ctx, conds, kv.Put{Key: key, Data: record.EncodeOrder(o), Version: o.Version + 1, TTL: linnet.RankingAge})
	switch {
	case errors.Is(err, kv.ErrUnknown):
		return false, nil // whatever lies there now is as good
	case err != nil:
		return false, fmt.Errorf("keep order %v: %w", key, err)
	case failed > 0:
		return false, ErrGone
	}
	return failed < 0, nil
}

// ForgetOrder lets the next reader make the order anew.
func (s *Store) ForgetOrder(ctx context.Context, key kv.Key) error {
	if err := s.kv.Apply(ctx, kv.Delete{Key: key}); err != nil {
		return fmt.Errorf("forget order %v: %w", key, err)
	}
	return nil
}
