package diskkv

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
)

// Copy implements kv.Copier with a snapshot of the library. It delays no writes. Files of the
// snapshot stay on disk until it is closed.
func (e *Engine) Copy(ctx context.Context, opt kv.CopyOptions) (kv.Copy, error) {
	if err := e.enter(ctx); err != nil {
		return nil, fmt.Errorf("copy the store: %w", err)
	}
	return &snapshot{e: e, kinds: opt.Kinds, moment: e.opts.Now(), from: e.db.NewSnapshot()}, nil
}

// Records implements kv.Copier.
func (e *Engine) Records(ctx context.Context, kinds map[string]kv.Shape, keys []kv.Key, each func(*kv.Entry) error) error {
	if err := e.enter(ctx); err != nil {
		return fmt.Errorf("read records: %w", err)
	}
	defer e.leave()
	it, err := e.db.NewIter(nil)
	if err != nil {
		return fmt.Errorf("read records: %w", e.damaged(err))
	}
	defer it.Close()
	for _, k := range keys {
		if _, wanted := kinds[k.Kind]; !wanted {
			continue
		}
		it.SetBounds(appendShape(nil, k, 0), appendShape(nil, k, shapeEnd))
		w := shardWalk{it: it, kinds: kinds, now: e.opts.Now(), each: each}
		if err := w.all(ctx); err != nil {
			return fmt.Errorf("read %v: %w", k, err)
		}
		if err := it.Error(); err != nil {
			return fmt.Errorf("read %v: %w", k, e.damaged(err))
		}
	}
	return nil
}

// snapshot is a kv.Copy.
type snapshot struct {
	e      *Engine
	kinds  map[string]kv.Shape
	moment time.Time
	from   *pebble.Snapshot
}

// Moment implements kv.Copy.
func (s *snapshot) Moment() time.Time { return s.moment }

// Close implements kv.Copy.
func (s *snapshot) Close() error {
	defer s.e.leave()
	if err := s.from.Close(); err != nil {
		return fmt.Errorf("close a copy: %w", err)
	}
	return nil
}

// copyStride is how many entries are read between two checks of the context.
const copyStride = 1024

// Shard implements kv.Copy.
func (s *snapshot) Shard(ctx context.Context, shard uint16, each func(*kv.Entry) error) error {
	it, err := s.from.NewIter(&pebble.IterOptions{
		LowerBound: binary.BigEndian.AppendUint16(nil, shard),
		UpperBound: binary.BigEndian.AppendUint16(nil, shard+1),
	})
	if err != nil {
		return fmt.Errorf("copy shard %d: %w", shard, s.e.damaged(err))
	}
	defer it.Close()
	w := shardWalk{it: it, kinds: s.kinds, now: s.moment, each: each}
	if err := w.all(ctx); err != nil {
		return err
	}
	if err := it.Error(); err != nil {
		return fmt.Errorf("copy shard %d: %w", shard, s.e.damaged(err))
	}
	return nil
}

// shardWalk iterates over the entries of a shard.
type shardWalk struct {
	it    *pebble.Iterator
	kinds map[string]kv.Shape
	now   time.Time
	each  func(*kv.Entry) error

	entry  kv.Entry
	record []byte // prefix of the entries of entry.Key
	next   []byte // buffer for keys
}

// all reads all entries within the bounds of the iterator.
func (w *shardWalk) all(ctx context.Context) (err error) {
	n := 0
	for ok := w.it.First(); ok; n++ {
		if n%copyStride == 0 && ctx.Err() != nil {
			return fmt.Errorf("read entries: %w", ctx.Err())
		}
		if ok, err = w.step(); err != nil {
			return err
		}
	}
	return nil
}

// step reports the entry at the iterator if it is selected, and moves the iterator.
func (w *shardWalk) step() (more bool, err error) {
	key := w.it.Key()
	rest, same := bytes.CutPrefix(key, w.record)
	if !same || len(w.record) == 0 || len(rest) == 0 || rest[0] >= shapeEnd {
		k, r, err := splitRecord(key)
		if err != nil {
			return false, err
		}
		if _, wanted := w.kinds[k.Kind]; !wanted {
			w.next = append(append(binary.BigEndian.AppendUint16(w.next[:0], k.Shard), k.Kind...), 1)
			return w.it.SeekGE(w.next), nil
		}
		w.entry, rest = kv.Entry{Key: k}, r
		w.record = append(w.record[:0], key[:len(key)-len(r)]...)
	}
	if len(rest) > 0 && rest[0] == shapeScore { // the rank entries repeat the members in order
		w.next = append(append(w.next[:0], w.record...), shapeRank)
		return w.it.SeekGE(w.next), nil
	}
	there, err := w.read(rest)
	if err == nil && there {
		err = w.each(&w.entry)
	}
	if err != nil {
		return false, err
	}
	return w.it.Next(), nil
}

// read fills the entry. It returns false for an entry that is left out.
func (w *shardWalk) read(rest []byte) (bool, error) {
	b, err := w.it.ValueAndErr()
	if err != nil {
		return false, err
	}
	e := &w.entry
	switch {
	case len(rest) == 1 && rest[0] == shapeValue:
		v, err := readValue(b)
		e.Shape, e.Data, e.Version, e.Until = kv.ValueShape, v.data, v.version, time.Time{}
		if v.until != 0 {
			e.Until = time.UnixMilli(v.until)
		}
		return !v.expired(w.now), err
	case len(rest) > 1 && rest[0] == shapeCounter:
		n, err := readNumber(b)
		e.Shape, e.Name, e.Number = kv.CounterShape, string(rest[1:]), n
		return n != 0, err
	case len(rest) > 1 && rest[0] == shapeRank:
		score, member, err := splitRank(rest[1:])
		e.Shape, e.Name, e.Number = kv.SetShape, string(member), score
		return true, err
	}
	return false, fmt.Errorf("%w: invalid entry %x", errMalformed, w.it.Key())
}
