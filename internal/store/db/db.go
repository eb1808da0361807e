// Package db is the engine as seen by the packages of the store: reads collected into one round
// trip, caches of the process, ids and the clock, and the conditions of transactions. Package
// record defines keys and formats. Only those packages use a DB; others use a store.Store.
package db

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// DB reads and writes an engine. It is safe for concurrent use.
type DB struct {
	kv     kv.Store // the engine; writes evict entries of the cache
	engine kv.Engine
	opt    Options
	ids    [kv.Shards]idState
	lastID atomic.Uint64             // the highest id of this process
	offset atomic.Int64              // nanoseconds by which the engine's clock is ahead of the local one
	said   atomic.Pointer[time.Time] // Now returns at least this time; nil for no limit
	cache  *recordCache
}

// New returns a DB on an engine.
func New(engine kv.Engine, opt Options) *DB {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.CacheBytes == 0 {
		opt.CacheBytes = 64 << 20
	}
	s := &DB{engine: engine, opt: opt, cache: newCache(opt.CacheBytes)}
	s.cache.alive.Store(!opt.Shared)
	s.kv = watched{engine, s.cache}
	if l, ok := engine.(kv.Late); ok {
		l.Late(func(changed []kv.Key) {
			for _, k := range changed {
				s.cache.changed(k, "")
			}
		})
	}
	return s
}

// Read answers queries in one round trip, see kv.Store.
func (s *DB) Read(ctx context.Context, qs ...kv.Query) error { return s.kv.Read(ctx, qs...) }

// Txn makes changes of one shard if conditions hold, see kv.Store, and reports whether it did. If a
// condition fails, err is its error (see Else), or nil.
func (s *DB) Txn(ctx context.Context, conds []kv.Cond, changes ...kv.Op) (made bool, err error) {
	failed, err := s.kv.Txn(ctx, conds, changes...)
	if err != nil || failed < 0 {
		return err == nil, err
	}
	if g, ok := conds[failed].(guard); ok {
		return false, g.err
	}
	return false, nil
}

// Apply makes unconditional changes, see kv.Store.
func (s *DB) Apply(ctx context.Context, changes ...kv.Op) error { return s.kv.Apply(ctx, changes...) }

// Options configure a store.
type Options struct {
	Now        func() time.Time // local clock; nil: time.Now
	CacheBytes int64            // of cached users, statuses and viewer states; 0: 64 MiB
	Shared     bool             // other processes write to the engine too: see Follow
}

// Engine returns the engine, for uses other than records: bus, meter, state.
func (s *DB) Engine() kv.Engine { return s.engine }

// Now returns the time of the instance: the engine's clock, as last compared. If the local clock
// was slightly ahead, Now returns the same time until the engine's clock has caught up. So later
// actions have later times and ids. Otherwise members might not see posts made just after they
// joined.
func (s *DB) Now() time.Time {
	now := s.opt.Now().Add(time.Duration(s.offset.Load()))
	if said := s.said.Load(); said != nil && now.Before(*said) {
		return *said
	}
	return now
}

// stillMost limits the time for which Now returns the same time instead of an earlier one. A clock
// that is further ahead was wrong.
const stillMost = time.Second

// clockGrain is the tolerated error of two readings of one clock. Processors of a machine differ by
// microseconds, and a clock that is being adjusted runs up to a two-thousandth too fast or slow.
// Ids have this resolution.
const clockGrain = time.Millisecond

// SyncClock compares the local clock with the engine's and returns the offset. It assumes that both
// directions take half of the round trip, so the result may be wrong by that much plus clockGrain.
// It keeps an offset within this error, so that time does not jump with the latency of the
// connection.
func (s *DB) SyncClock(ctx context.Context) (time.Duration, error) {
	before := s.opt.Now()
	t, err := s.engine.Now(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the engine's clock: %w", err)
	}
	half := s.opt.Now().Sub(before) / 2
	offset, have := t.Sub(before.Add(half)), time.Duration(s.offset.Load())
	if (offset - have).Abs() <= half+clockGrain {
		return have, nil
	}
	if offset < have {
		s.hold(s.opt.Now().Add(offset))
	}
	s.offset.Store(int64(offset))
	return offset, nil
}

// hold makes Now return the same time until the clock reaches it, before the clock is set back to
// now. It does nothing if the clock was too far ahead, or this process has done nothing yet.
func (s *DB) hold(now time.Time) {
	said := s.Now().Add(clockGrain) // and times that other processes got before the change
	if s.lastID.Load() == 0 || said.Sub(now) > stillMost {
		s.said.Store(nil)
		return
	}
	s.said.Store(&said)
}

// idState is the last id that this process drew for a shard.
type idState struct {
	mu   sync.Mutex
	last linnet.ID
}

// borrowMost limits how far ids run ahead of the clock to keep the ids of one process ordered
// across shards. Beyond it (some thousand ids a second), two ids generated within that time may be
// in either order.
const borrowMost = 20 * time.Millisecond

// NewID generates an id in a shard. It is later than after, and than every id that this process
// generated for the shard. It is also later than every other id of this process, unless that would
// be too far ahead of the clock. When the 64 ids of a millisecond are used up, it borrows the next
// one. Callers guarantee uniqueness across servers by the absence of the record.
func (s *DB) NewID(shard uint16, after linnet.ID) linnet.ID {
	st := &s.ids[shard]
	st.mu.Lock()
	defer st.mu.Unlock()
	now := s.Now()
	floor := max(st.last, after)
	if last := linnet.ID(s.lastID.Load()); last.Millis() < now.Add(borrowMost).UnixMilli() {
		floor = max(floor, last)
	}
	id := linnet.MakeID(now, shard, uint8(rand.Uint32()&31)) // the lower half of the sequence leaves room above
	if id <= floor {
		id = nextID(floor, shard)
	}
	st.last = id
	for old := s.lastID.Load(); uint64(id) > old && !s.lastID.CompareAndSwap(old, uint64(id)); {
		old = s.lastID.Load()
	}
	return id
}

// nextID returns the smallest id of the shard above floor.
func nextID(floor linnet.ID, shard uint16) linnet.ID {
	switch {
	case floor.Shard() == shard && floor&63 < 63:
		return floor + 1
	case floor.Shard() < shard:
		return linnet.MakeID(time.UnixMilli(floor.Millis()), shard, 0)
	}
	return linnet.MakeID(time.UnixMilli(floor.Millis()+1), shard, 0)
}
