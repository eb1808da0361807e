package statuses

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/task"
)

// MaxHiddenTrends limits the hidden things of a kind. Beyond it, the first hidden one is shown
// again.
const MaxHiddenTrends = 200

// HiddenTrends reads the things that moderators hide from trends, by kind.
func (s *Tags) HiddenTrends(ctx context.Context) (map[record.TrendKind][]string, error) {
	var qs []kv.Query
	for _, kind := range record.TrendKinds() {
		qs = append(qs, &kv.Get{Key: record.UntrendedKey(kind)})
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read hidden trends: %w", err)
	}
	out := map[record.TrendKind][]string{}
	for i, kind := range record.TrendKinds() {
		if get := qs[i].(*kv.Get); get.Version != 0 {
			var r record.Untrended
			if err := record.Decode(get, &r); err != nil {
				return nil, err
			}
			out[kind] = r.Names
		}
	}
	return out, nil
}

// HideTrend hides a thing from trends, or shows it again, and stores a task in shard 0. It returns
// false without a write if nothing changes.
func (s *Tags) HideTrend(ctx context.Context, kind record.TrendKind, name string, hide bool, t task.Task) (changed bool, err error) {
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
		i := slices.Index(r.Names, name)
		switch {
		case hide == (i >= 0) && db.RetryDurable(&ctx):
			continue
		case hide == (i >= 0):
			return changed, nil
		case hide:
			r.Names = append(r.Names, name)
			r.Names = r.Names[max(len(r.Names)-MaxHiddenTrends, 0):]
		default:
			r.Names = slices.Delete(r.Names, i, i+1)
		}
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
