package statuses

import (
	"context"
	"errors"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// MaxHiddenTrends limits the decisions of moderators about a kind. Beyond it, the first one is
// forgotten.
const MaxHiddenTrends = 200

// HiddenTrends reads the decisions of moderators about trends, by kind.
func (s *Tags) HiddenTrends(ctx context.Context) (map[record.TrendKind]record.Untrended, error) {
	var qs []kv.Query
	for _, kind := range record.TrendKinds() {
		qs = append(qs, &kv.Get{Key: record.UntrendedKey(kind)})
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read hidden trends: %w", err)
	}
	out := map[record.TrendKind]record.Untrended{}
	for i, kind := range record.TrendKinds() {
		if get := qs[i].(*kv.Get); get.Version != 0 {
			var r record.Untrended
			if err := record.Decode(get, &r); err != nil {
				return nil, err
			}
			out[kind] = r
		}
	}
	return out, nil
}

// DecideTrend changes the decisions of moderators about a kind, and stores a task in shard 0. It
// returns false without a write if change returns false.
func (s *Tags) DecideTrend(ctx context.Context, kind record.TrendKind, t task.Task, change func(*record.Untrended) bool) (changed bool, err error) {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.UntrendedKey(kind)}
		if err := s.db.Read(ctx, get); err != nil {
			return false, err
		}
		var r record.Untrended
		if get.Version != 0 {
			if err := record.Decode(get, &r); err != nil {
				return false, err
			}
		}
		if !change(&r) {
			if db.RetryDurable(&ctx) {
				continue
			}
			return changed, nil
		}
		r.Names = r.Names[max(len(r.Names)-MaxHiddenTrends, 0):]
		r.Shown = r.Shown[max(len(r.Shown)-MaxHiddenTrends, 0):]
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			append(t.Ops(), kv.Put{Key: get.Key, Data: record.Encode(r), Version: get.Version + 1})...)
		switch {
		case errors.Is(err, kv.ErrUnknown):
			changed, ctx = true, kv.Durable(ctx) // the next attempt reads the outcome
		case err != nil:
			return false, fmt.Errorf("hide a trend: %w", err)
		case made:
			return true, nil
		}
	}
	return false, db.TooManyRaces("hidden trends of kind "+string(kind), 0)
}
