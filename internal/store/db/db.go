// Package db is the engine as seen by the packages of the store: reads collected into one round
// trip, caches of the process, ids and the clock, and the conditions of transactions. Package
// record defines keys and formats. Only those packages use a DB; others use a store.Store.
package db

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// DB reads and writes an engine. It is safe for concurrent use.
type DB struct {
	kv     kv.Store // the engine, with the cache told of every write
	engine kv.Engine
	opt    Options
	ids    [kv.Shards]idState
	lastID atomic.Uint64             // the greatest id drawn by this process
	offset atomic.Int64              // nanoseconds that the engine's clock is ahead of ours
	said   atomic.Pointer[time.Time] // before which time stands still; nil: nowhere
	cache  *recordCache
}

// New opens an engine.
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

// Read answers questions in one round trip, see kv.Store.
func (s *DB) Read(ctx context.Context, qs ...kv.Query) error { return s.kv.Read(ctx, qs...) }

// Txn makes changes of one shard if conditions hold, see kv.Store, and reports whether
// it did. If one does not hold, err is what that condition carries (see Else), or nil.
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

// Apply makes changes that need no condition, see kv.Store.
func (s *DB) Apply(ctx context.Context, changes ...kv.Op) error { return s.kv.Apply(ctx, changes...) }

// Options of a Store.
type Options struct {
	Now        func() time.Time // local clock; nil: time.Now
	CacheBytes int64            // of cached users, statuses and viewer states; 0: 64 MiB
	Shared     bool             // other processes write to the engine too: see Follow
}

// Engine is the engine below, for what is not a record: bus, meter, state.
func (s *DB) Engine() kv.Engine { return s.engine }

// Now is the time of the installation: the engine's clock, as last compared. Where that
// said that we were somewhat ahead, time stands still until it has come so far: what is
// done later has a later time and a later id, or members would not see what is posted
// just after they joined.
func (s *DB) Now() time.Time {
	now := s.opt.Now().Add(time.Duration(s.offset.Load()))
	if said := s.said.Load(); said != nil && now.Before(*said) {
		return *said
	}
	return now
}

// stillMost is how far time is held rather than set back. By more only a clock is ahead
// that was wrong.
const stillMost = time.Second

// clockGrain is how far two looks at one clock may be wrong against each other: processors
// of a machine differ by microseconds, and a clock that is being set right runs up to a
// two-thousandth too fast or too slow. Ids have no finer time than this.
const clockGrain = time.Millisecond

// SyncClock compares our clock with the engine's and returns the offset. Half
// of the round trip is taken to lie on each way, so the comparison may be wrong
// by that much, and by clockGrain: an offset that it does not contradict stays, lest time
// jump back and forth by the luck of the line.
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

// hold lets time stand still before it is set back to now, unless it is wrong by too
// much, or nothing was done yet in this process.
func (s *DB) hold(now time.Time) {
	said := s.Now().Add(clockGrain) // and what others are told before it is set
	if s.lastID.Load() == 0 || said.Sub(now) > stillMost {
		s.said.Store(nil)
		return
	}
	s.said.Store(&said)
}

// idState is the last id given out for a shard by this process.
type idState struct {
	mu   sync.Mutex
	last linnet.ID
}

// borrowMost is how far ids may run ahead of the clock to keep those of one
// process in order over all shards. Beyond it (some thousand ids a second) two
// ids drawn within that time may stand in either order.
const borrowMost = 20 * time.Millisecond

// NewID draws an id in a shard: later than every id that this process drew for
// the shard, and later than after; and later than every id that this process
// drew at all, unless that would lead too far ahead of the clock. When a
// millisecond's 64 ids are used up, the next one is borrowed. Uniqueness across
// servers is for the caller to guard by the absence of the record.
func (s *DB) NewID(shard uint16, after linnet.ID) linnet.ID {
	st := &s.ids[shard]
	st.mu.Lock()
	defer st.mu.Unlock()
	now := s.Now()
	floor := max(st.last, after)
	if last := linnet.ID(s.lastID.Load()); last.Millis() < now.Add(borrowMost).UnixMilli() {
		floor = max(floor, last)
	}
	id := linnet.MakeID(now, shard, randomStart())
	if id <= floor {
		id = nextID(floor, shard)
	}
	st.last = id
	for old := s.lastID.Load(); uint64(id) > old && !s.lastID.CompareAndSwap(old, uint64(id)); {
		old = s.lastID.Load()
	}
	return id
}

// nextID is the smallest id of the shard above floor.
func nextID(floor linnet.ID, shard uint16) linnet.ID {
	switch {
	case floor.Shard() == shard && floor&63 < 63:
		return floor + 1
	case floor.Shard() < shard:
		return linnet.MakeID(time.UnixMilli(floor.Millis()), shard, 0)
	}
	return linnet.MakeID(time.UnixMilli(floor.Millis()+1), shard, 0)
}
