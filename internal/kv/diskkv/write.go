package diskkv

import (
	"fmt"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv/feeds"
)

// writer builds a batch of changes. The caller holds the locks of the shards from the first read
// until the batch is visible.
type writer struct {
	reader
	feeds *feeds.Feeds
	b     *pebble.Batch
	val   []byte // buffer for values
}

// build returns a batch of all stored changes.
func (e *Engine) build(changes []kv.Op) (*pebble.Batch, error) {
	w := writer{feeds: e.feeds}
	w.now = e.opts.Now()
	if dependent(changes) {
		w.b = e.db.NewIndexedBatch()
		w.from = w.b
	} else {
		w.b = e.db.NewBatch()
		w.from = e.db
	}
	for len(changes) > 0 {
		c, n := changes[0], addsToOne(changes)
		var err error
		if n > 0 {
			err = w.addAll(changes[:n])
		} else {
			n, err = 1, w.change(c)
		}
		w.close() // an iterator does not see later writes
		if err != nil {
			w.b.Close()
			return nil, fmt.Errorf("change %v: %w", kv.KeyOfOp(c), err)
		}
		changes = changes[n:]
	}
	return w.b, nil
}

// dependent reports whether a change may have to read the result of an earlier one. Then the batch
// has to be indexed, which costs time.
func dependent(changes []kv.Op) bool {
	const few = 12
	if len(changes) > few {
		seen := make(map[kv.Key]struct{}, len(changes))
		for _, c := range changes {
			if feeds.Concerns(c) {
				continue
			}
			k := kv.KeyOfOp(c)
			if _, ok := seen[k]; ok {
				return true
			}
			seen[k] = struct{}{}
		}
		return false
	}
	for i, c := range changes {
		if _, blind := c.(kv.Put); blind || feeds.Concerns(c) {
			continue
		}
		for _, before := range changes[:i] {
			if kv.KeyOfOp(before) == kv.KeyOfOp(c) {
				return true
			}
		}
	}
	return false
}

func (w *writer) change(c kv.Op) error {
	switch c := c.(type) {
	case kv.Put: // an older entry of the expiry index remains and is recognized as outdated when it is due
		until := expiry(w.now, c.TTL)
		w.key = appendShape(w.key[:0], c.Key, shapeValue)
		w.val = appendValue(w.val[:0], value{version: c.Version, until: until, data: c.Data})
		if err := w.b.Set(w.key, w.val, nil); err != nil {
			return err
		}
		if until == 0 {
			return nil
		}
		w.key = appendExpiry(w.key[:0], until, c.Key)
		return w.b.Set(w.key, nil, nil)
	case kv.Delete:
		if w.feeds.Has(c.Key) {
			return nil // feeds are changed when the batch is visible
		}
		w.key = appendShape(w.key[:0], c.Key, shapeValue)
		var found bool // looking for a value is cheaper than iterating over the entries
		if err := w.point(func([]byte) error { found = true; return nil }); err != nil {
			return err
		}
		if found {
			return w.b.Delete(w.key, nil)
		}
		return w.deleteAll(c.Key)
	case kv.Incr:
		n, err := w.counter(c.Key, c.Name) // sets w.key to the entry's key
		if err != nil {
			return err
		}
		w.val = appendNumber(w.val[:0], n+c.By)
		return w.b.Set(w.key, w.val, nil)
	case kv.Add:
		return w.add(c)
	case kv.Remove:
		old, found, err := w.score(c.Key, c.Member)
		if err != nil || !found {
			return err
		}
		if err := w.b.Delete(w.key, nil); err != nil {
			return err
		}
		w.rank(c.Key, old, c.Member)
		return w.b.Delete(w.key, nil)
	case kv.Trim:
		w.key = appendShape(w.key[:0], c.Key, shapeRank)
		w.end = appendShape(w.end[:0], c.Key, shapeRank+1)
		prefix := len(w.key)
		it, err := w.within(w.key, w.end)
		if err != nil {
			return err
		}
		ok := it.Last()
		for i := 0; ok && i < c.Keep; i++ {
			ok = it.Prev()
		}
		for ; ok; ok = it.Prev() {
			_, member, err := splitRank(it.Key()[prefix:])
			if err != nil {
				return err
			}
			if err := w.b.Delete(it.Key(), nil); err != nil {
				return err
			}
			w.val = append(appendShape(w.val[:0], c.Key, shapeScore), member...)
			if err := w.b.Delete(w.val, nil); err != nil {
				return err
			}
		}
		return it.Error()
	}
	if feeds.Concerns(c) {
		return nil // made when the batch is visible
	}
	return fmt.Errorf("%w: unknown change %T", kv.ErrRefused, c)
}

// deleteAll removes the entries of a counter or a set. It removes few entries one by one, because a
// range tombstone slows reads down until it is compacted.
func (w *writer) deleteAll(k kv.Key) error {
	const few = 64
	w.key = appendShape(w.key[:0], k, 0)
	w.end = appendShape(w.end[:0], k, shapeEnd)
	it, err := w.within(w.key, w.end)
	if err != nil {
		return err
	}
	n := 0
	for ok := it.First(); ok; ok = it.Next() {
		if n++; n > few {
			return w.b.DeleteRange(w.key, w.end, nil)
		}
		if err := w.b.Delete(it.Key(), nil); err != nil {
			return err
		}
	}
	return it.Error()
}
