package store

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/task"
)

// MaxHiddenTrends is how many things of a kind moderators can keep out of trends
// at a time: beyond, the one that was hidden first is forgotten.
const MaxHiddenTrends = 200

func untrendKeys() []KeyDoc {
	return []KeyDoc{{kUntrended, "value", "kind", "names of tags, links and statuses that moderators keep out of trends, the first hidden first, JSON", "200", "", noSecret()}}
}

func untrendedKey(kind TrendKind) kv.Key { return kv.Key{Kind: kUntrended, ID: string(kind)} }

// TrendKinds are all kinds of things that people talk about.
func TrendKinds() []TrendKind { return []TrendKind{TrendTags, TrendLinks, TrendStatuses} }

type untrendedRecord struct {
	Names []string `json:"names"`
}

// HiddenTrends reads what moderators keep out of trends, by kind.
func (s *Store) HiddenTrends(ctx context.Context) (map[TrendKind][]string, error) {
	qs := make([]kv.Query, 0, 3)
	for _, kind := range TrendKinds() {
		qs = append(qs, &kv.Get{Key: untrendedKey(kind)})
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read hidden trends: %w", err)
	}
	out := map[TrendKind][]string{}
	for i, kind := range TrendKinds() {
		if get := qs[i].(*kv.Get); get.Version != 0 {
			var r untrendedRecord
			if err := decode(get, &r); err != nil {
				return nil, err
			}
			out[kind] = r.Names
		}
	}
	return out, nil
}

// HideTrend keeps a thing out of trends, or no longer, and writes a task with that,
// which lies in shard 0. It reports false, and writes nothing, if it is so already.
func (s *Store) HideTrend(ctx context.Context, kind TrendKind, name string, hide bool, t task.Task) (changed bool, err error) {
	for range maxRaces {
		get := &kv.Get{Key: untrendedKey(kind)}
		if err := s.kv.Read(ctx, get); err != nil {
			return false, err
		}
		var r untrendedRecord
		if get.Version != 0 {
			if err := decode(get, &r); err != nil {
				return false, err
			}
		}
		i := slices.Index(r.Names, name)
		switch {
		case hide == (i >= 0) && surely(&ctx):
			continue
		case hide == (i >= 0):
			return changed, nil
		case hide:
			r.Names = append(r.Names, name)
			r.Names = r.Names[max(len(r.Names)-MaxHiddenTrends, 0):]
		default:
			r.Names = slices.Delete(r.Names, i, i+1)
		}
		failed, err := s.kv.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			append(t.Ops(), kv.Put{Key: get.Key, Data: encode(r), Version: get.Version + 1})...)
		switch {
		case errors.Is(err, kv.ErrUnknown):
			changed, ctx = true, kv.Durable(ctx) // the loop reads what became of it
		case err != nil:
			return false, fmt.Errorf("hide a trend: %w", err)
		case failed < 0:
			return true, nil
		}
	}
	return false, errRaces("hidden trends of kind "+string(kind), 0)
}

// untrended: the record can be read, is of a kind, and holds no more than it may.
func (x *auditing) untrended(key kv.Key) {
	if !slices.ContainsFunc(TrendKinds(), func(k TrendKind) bool { return untrendedKey(k) == key }) {
		x.found(RuleRecord, key, "there is no such kind of trends")
		return
	}
	get := &kv.Get{Key: key}
	x.ask(func() {
		var r untrendedRecord
		if read(x, get, &r) && len(r.Names) > MaxHiddenTrends {
			x.found(RuleRecord, key, fmt.Sprintf("it holds %d names", len(r.Names)))
		}
	}, get)
}
