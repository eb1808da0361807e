package diskkv

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
)

// readStride is how many queries are answered between two looks at the context.
const readStride = 64

// Read implements kv.Store. It waits for the disk without a deadline within a
// query, and honours its context between them.
func (e *Engine) Read(ctx context.Context, qs ...kv.Query) error {
	if err := kv.CheckRead(qs); err != nil {
		return err
	}
	if err := e.enter(ctx); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	defer e.leave()
	r := e.reader()
	defer e.release(r)
	for i, q := range qs {
		if i%readStride == readStride-1 && ctx.Err() != nil {
			return fmt.Errorf("read: %w", ctx.Err())
		}
		if f, ok := q.(*kv.Feed); ok {
			e.feeds.Page(f)
			r.close() // what is answered next is not of an earlier moment
			continue
		}
		if err := r.answer(q); err != nil {
			return fmt.Errorf("read %v: %w", kv.KeyOf(q), e.damaged(err))
		}
	}
	if kv.IsDurable(ctx) {
		return e.awaitRead(ctx, qs)
	}
	return nil
}

// awaitRead returns when what was read is durable. A batch is visible a moment
// before its shard is unlocked, so the locks tell which commits may have been seen.
func (e *Engine) awaitRead(ctx context.Context, qs []kv.Query) error {
	var seen [kv.Shards]bool
	for _, q := range qs {
		for _, k := range kv.KeysOf(q) {
			if seen[k.Shard] {
				continue
			}
			seen[k.Shard] = true
			if err := e.awaitShard(ctx, k.Shard); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *Engine) awaitShard(ctx context.Context, shard uint16) error {
	if err := e.lockShard(ctx, shard); err != nil {
		return fmt.Errorf("read: %w", err)
	}
	last := e.shards.last(shard)
	e.shards.unlockAll([]uint16{shard})
	if err := e.wait(ctx, last); err != nil {
		return fmt.Errorf("read: %w: what was read is not durable: %v", kv.ErrUnavailable, err) // %v: no write is in doubt
	}
	return nil
}

// reader reads records, from the store or from a batch that is being built. It
// is of one goroutine.
type reader struct {
	from  pebble.Reader
	now   time.Time
	iter  *pebble.Iterator // made when first needed; of that moment
	key   []byte           // for building keys
	end   []byte
	text  []byte // of the page being read
	ends  []rankEnd
	order []int // of the names being looked for
}

// reader returns a reader of the store, with buffers that others used before.
func (e *Engine) reader() *reader {
	r, ok := e.readers.Get().(*reader)
	if !ok {
		r = &reader{from: e.db}
	}
	r.now = e.opts.Now()
	return r
}

func (e *Engine) release(r *reader) {
	r.close()
	e.readers.Put(r)
}

func (r *reader) close() {
	if r.iter != nil {
		r.iter.Close()
		r.iter = nil
	}
}

func (r *reader) answer(q kv.Query) error {
	switch q := q.(type) {
	case *kv.Get:
		return r.get(q)
	case *kv.Counters:
		return r.counters(q)
	case *kv.Scores:
		return r.scores(q)
	case *kv.Range:
		return r.page(q)
	case *kv.AnyMember:
		return r.anyMember(q)
	}
	return fmt.Errorf("%w: unknown query %T", kv.ErrRefused, q)
}

func (r *reader) get(q *kv.Get) error {
	q.Data, q.Version = nil, 0
	return r.value(q.Key, func(v value) {
		q.Data, q.Version = append(make([]byte, 0, len(v.data)), v.data...), v.version
	})
}

// value calls use with the value under k, if there is one. What use gets is
// valid only during the call.
func (r *reader) value(k kv.Key, use func(value)) error {
	r.key = appendShape(r.key[:0], k, shapeValue)
	return r.point(func(b []byte) error {
		v, err := readValue(b)
		if err == nil && !v.expired(r.now) {
			use(v)
		}
		return err
	})
}

// point calls use with what lies under r.key, if something does: as of the iterator's
// moment, if there is one, so that no later answer is of an earlier moment.
func (r *reader) point(use func([]byte) error) error {
	if r.iter != nil {
		return r.pointWithin(use)
	}
	b, closer, err := r.from.Get(r.key)
	if errors.Is(err, pebble.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	defer closer.Close()
	return use(b)
}

func (r *reader) pointWithin(use func([]byte) error) error {
	r.iter.SetBounds(nil, nil)
	if !r.iter.SeekPrefixGE(r.key) {
		return r.iter.Error()
	}
	b, err := r.iter.ValueAndErr()
	if err != nil {
		return err
	}
	return use(b)
}

func (r *reader) counters(q *kv.Counters) error {
	q.Values = make([]int64, len(q.Names))
	r.key = appendShape(r.key[:0], q.Key, shapeCounter)
	return r.numbers(q.Names, func(i int, n int64) { q.Values[i] = n })
}

func (r *reader) scores(q *kv.Scores) error {
	q.Found, q.Values = make([]bool, len(q.Members)), make([]int64, len(q.Members))
	r.key = appendShape(r.key[:0], q.Key, shapeScore)
	return r.numbers(q.Members, func(i int, n int64) { q.Found[i], q.Values[i] = true, n })
}

func (r *reader) anyMember(q *kv.AnyMember) error {
	q.Found = false
	for _, k := range q.Keys {
		one := kv.Range{Key: k, Limit: 1}
		if err := r.page(&one); err != nil {
			return err
		}
		if q.Found = len(one.Members) > 0; q.Found {
			break
		}
	}
	return nil
}

// numbers looks for each name behind r.key. They are of one moment, so that a
// query never sees half of a transaction: several are read by one iterator, which
// goes through them in order and passes over all that are not there at once.
func (r *reader) numbers(names []string, found func(i int, n int64)) error {
	switch len(names) {
	case 0:
		return nil
	case 1:
		r.key = append(r.key, names[0]...)
		n, ok, err := r.number()
		if ok {
			found(0, n)
		}
		return err
	}
	prefix, order := len(r.key), r.inOrder(names)
	first, last := names[order[0]], names[order[len(order)-1]]
	r.end = append(append(append(r.end[:0], r.key...), last...), 0)
	r.key = append(r.key, first...)
	it, err := r.within(r.key, r.end)
	if err != nil {
		return err
	}
	ok := it.First()
	for _, i := range order {
		name := names[i]
		// Most often the next name is the next entry.
		if ok && string(it.Key()[prefix:]) < name {
			ok = it.Next()
		}
		if ok && string(it.Key()[prefix:]) < name {
			r.key = append(r.key[:prefix], name...)
			ok = it.SeekGE(r.key)
		}
		if !ok {
			break
		}
		if string(it.Key()[prefix:]) != name {
			continue
		}
		b, err := it.ValueAndErr()
		if err != nil {
			return err
		}
		n, err := readNumber(b)
		if err != nil {
			return err
		}
		found(i, n)
	}
	return it.Error()
}

// inOrder are the places of names in the order of the names. It is good until the next
// call.
func (r *reader) inOrder(names []string) []int {
	r.order = r.order[:0]
	for i := range names {
		r.order = append(r.order, i)
	}
	slices.SortFunc(r.order, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	return r.order
}

// number reads the number under r.key.
func (r *reader) number() (n int64, found bool, err error) {
	err = r.point(func(b []byte) error {
		found = true
		n, err = readNumber(b)
		return err
	})
	return n, found, err
}

func (r *reader) counter(k kv.Key, name string) (int64, error) {
	r.key = append(appendShape(r.key[:0], k, shapeCounter), name...)
	n, _, err := r.number()
	return n, err
}

func (r *reader) score(k kv.Key, member string) (int64, bool, error) {
	r.key = append(appendShape(r.key[:0], k, shapeScore), member...)
	return r.number()
}
