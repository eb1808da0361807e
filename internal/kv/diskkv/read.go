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

// readStride is how many queries are answered between two checks of the context.
const readStride = 64

// Read implements kv.Store. It waits for the disk without a deadline within a query, and checks its
// context between queries.
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
			r.close() // later queries must not read an earlier state
			continue
		}
		if err := r.answer(q); err != nil {
			return fmt.Errorf("read %v: %w", kv.KeyOf(q), e.damaged(err))
		}
	}
	if kv.IsDurable(ctx) {
		// A batch is visible shortly before its shard is unlocked, so the locks show which commits
		// may have been read.
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
		return fmt.Errorf("read: %w: the data that was read is not on disk: %v", kv.ErrUnavailable, err) // %v: no write is in doubt
	}
	return nil
}

// reader reads records from the store or from a batch that is being built. Use it from one
// goroutine.
type reader struct {
	from  pebble.Reader
	now   time.Time
	iter  *pebble.Iterator // created when needed; fixes the state that is read
	key   []byte           // buffer for keys
	end   []byte
	text  []byte // text of the page being read
	ends  []rankEnd
	order []int // of the names being read
}

// reader returns a reader of the store with pooled buffers.
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
		q.Data, q.Version = nil, 0
		return r.value(q.Key, func(v value) { q.Data, q.Version = append(make([]byte, 0, len(v.data)), v.data...), v.version })
	case *kv.Counters:
		q.Values = make([]int64, len(q.Names))
		r.key = appendShape(r.key[:0], q.Key, shapeCounter)
		return r.numbers(q.Names, func(i int, n int64) { q.Values[i] = n })
	case *kv.Scores:
		q.Found, q.Values = make([]bool, len(q.Members)), make([]int64, len(q.Members))
		r.key = appendShape(r.key[:0], q.Key, shapeScore)
		return r.numbers(q.Members, func(i int, n int64) { q.Found[i], q.Values[i] = true, n })
	case *kv.Range:
		return r.page(q)
	case *kv.AnyMember:
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
	return fmt.Errorf("%w: unknown query %T", kv.ErrRefused, q)
}

// value calls use with the value under k, if it exists. The argument is valid only during the call.
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

// point calls use with the entry under r.key, if it exists. It reads the state of the iterator, if
// there is one, so that no later answer is from an earlier state.
func (r *reader) point(use func([]byte) error) error {
	if r.iter != nil {
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

// numbers reads the number of each name behind r.key. All are from one state, so that a query never
// sees half of a transaction. For several names it uses one iterator, which visits them in order
// and skips all missing ones at once.
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
		// The next name is usually the next entry.
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

// inOrder returns the indexes of names in the order of the names. The result is valid until the
// next call.
func (r *reader) inOrder(names []string) []int {
	r.order = r.order[:0]
	for i := range names {
		r.order = append(r.order, i)
	}
	slices.SortFunc(r.order, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	return r.order
}

// number returns the number under r.key.
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
