package memkv

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"linnet/internal/kv"
)

// Copy implements kv.Copier with a clone.
func (e *Engine) Copy(ctx context.Context, opt kv.CopyOptions) (kv.Copy, error) {
	if err := e.Ping(ctx); err != nil {
		return nil, fmt.Errorf("copy the store: %w", err)
	}
	return &replica{e: e.Clone(), kinds: opt.Kinds, moment: e.now()}, nil
}

// Records implements kv.Copier.
func (e *Engine) Records(ctx context.Context, kinds map[string]kv.Shape, keys []kv.Key, each func(*kv.Entry) error) error {
	c, err := e.Copy(ctx, kv.CopyOptions{Kinds: kinds})
	if err != nil {
		return err
	}
	defer c.Close()
	for _, k := range keys {
		if _, wanted := kinds[k.Kind]; !wanted {
			continue
		}
		for _, x := range c.(*replica).entries(k) {
			if err := each(&x); err != nil {
				return err
			}
		}
	}
	return nil
}

type replica struct {
	e      *Engine
	kinds  map[string]kv.Shape
	moment time.Time
}

// Moment implements kv.Copy.
func (r *replica) Moment() time.Time { return r.moment }

// Close implements kv.Copy.
func (r *replica) Close() error { return r.e.Close() }

// Shard implements kv.Copy.
func (r *replica) Shard(_ context.Context, shard uint16, each func(*kv.Entry) error) error {
	var keys []kv.Key
	for k := range r.e.recs {
		if _, wanted := r.kinds[k.Kind]; wanted && k.Shard == shard {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, func(a, b kv.Key) int { return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.ID, b.ID)) })
	for _, k := range keys {
		for _, x := range r.entries(k) {
			if err := each(&x); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *replica) entries(k kv.Key) (out []kv.Entry) {
	switch rec := r.e.recs[k].(type) {
	case *value:
		if rec.until.IsZero() || r.moment.Before(rec.until) {
			out = append(out, kv.Entry{Key: k, Shape: kv.ValueShape, Data: rec.data, Version: rec.version, Until: rec.until})
		}
	case counters:
		for _, name := range slices.Sorted(maps.Keys(rec)) {
			if rec[name] != 0 {
				out = append(out, kv.Entry{Key: k, Shape: kv.CounterShape, Name: name, Number: rec[name]})
			}
		}
	case *set:
		for _, m := range rec.order {
			out = append(out, kv.Entry{Key: k, Shape: kv.SetShape, Name: m.Member, Number: m.Score})
		}
	}
	return out
}
