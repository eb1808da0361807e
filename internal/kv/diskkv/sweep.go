package diskkv

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
)

// sweepBatch limits the entries of the expiry index that one step of a sweep reads.
const sweepBatch = 500

// hint is an entry of the expiry index.
type hint struct {
	until int64
	key   kv.Key
}

// Sweep removes expired values and returns their number. Reads never return expired values, so it
// only frees space. The engine calls it every minute.
func (e *Engine) Sweep(ctx context.Context) (int, error) {
	if err := e.enter(ctx); err != nil {
		return 0, fmt.Errorf("remove expired values: %w", err)
	}
	defer e.leave()
	removed := 0
	for {
		hints, err := e.due(e.opts.Now())
		if err != nil {
			return removed, fmt.Errorf("remove expired values: %w", e.damaged(err))
		}
		var awaited []*commit
		for rest := hints; len(rest) > 0; {
			shard, n := rest[0].key.Shard, 1
			for n < len(rest) && rest[n].key.Shard == shard {
				n++
			}
			r, c, err := e.sweepShard(ctx, shard, rest[:n])
			if err != nil {
				return removed, fmt.Errorf("remove expired values: %w", e.damaged(err))
			}
			removed, awaited, rest = removed+r, append(awaited, c), rest[n:]
		}
		for _, c := range awaited {
			if err := e.wait(ctx, c); err != nil {
				return removed, fmt.Errorf("remove expired values: %w", e.damaged(err))
			}
		}
		if len(hints) < sweepBatch {
			return removed, nil
		}
		if err := e.usable(ctx); err != nil {
			return removed, fmt.Errorf("remove expired values: %w", err)
		}
	}
}

// sweepAll runs the worker once.
func (e *Engine) sweepAll() {
	e.feeds.Sweep()
	e.meters.sweep(e.opts.Now())
	ctx, cancel := context.WithTimeout(context.Background(), sweepEvery)
	defer cancel()
	n, err := e.Sweep(ctx)
	switch {
	case err == nil && n > 0:
		e.opts.Logger.Debug("removed expired values", "count", n)
	case err != nil && !errors.Is(err, kv.ErrFull) && !errors.Is(err, kv.ErrClosed):
		e.opts.Logger.Warn("cannot remove expired values", "err", err)
	}
}

// due returns the oldest hints that are due, ordered by shard.
func (e *Engine) due(now time.Time) ([]hint, error) {
	lower := binary.BigEndian.AppendUint16(nil, expiryIndex)
	upper := binary.BigEndian.AppendUint64(slices.Clone(lower), uint64(max(0, now.UnixMilli()))+1)
	it, err := e.db.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return nil, err
	}
	defer it.Close()
	var hints []hint
	for ok := it.First(); ok && len(hints) < sweepBatch; ok = it.Next() {
		b := it.Key()
		if len(b) < expiryStart {
			return nil, fmt.Errorf("%w: invalid expiry %x", errMalformed, b)
		}
		k, _, err := splitRecord(b[expiryStart:])
		if err != nil {
			return nil, err
		}
		hints = append(hints, hint{int64(binary.BigEndian.Uint64(b[2:])), k})
	}
	slices.SortStableFunc(hints, func(a, b hint) int { return cmp.Compare(a.key.Shard, b.key.Shard) })
	return hints, it.Error()
}

// sweepShard removes the hints of one shard, and the values that they still describe.
func (e *Engine) sweepShard(ctx context.Context, shard uint16, hints []hint) (int, *commit, error) {
	if err := e.space.check(0); err != nil {
		return 0, nil, err
	}
	if err := e.lockShard(ctx, shard); err != nil {
		return 0, nil, err
	}
	held := []uint16{shard}
	b := e.db.NewBatch()
	removed, err := deleteExpired(e.db, b, hints)
	if err != nil {
		b.Close()
		e.shards.unlockAll(held)
		return 0, nil, err
	}
	return removed, e.commit(b, held, nil, false), nil
}

// deleteExpired adds the deletions of hints, and of the values that they still describe, to b.
func deleteExpired(db *pebble.DB, b *pebble.Batch, hints []hint) (int, error) {
	r := reader{from: db} // at time 0 nothing has expired
	removed := 0
	for _, h := range hints {
		stale := true
		if err := r.value(h.key, func(v value) { stale = v.until != h.until }); err != nil {
			return 0, err
		}
		if !stale {
			if err := b.Delete(r.key, nil); err != nil {
				return 0, err
			}
			removed++
		}
		r.key = appendExpiry(r.key[:0], h.until, h.key)
		if err := b.Delete(r.key, nil); err != nil {
			return 0, err
		}
	}
	return removed, nil
}
