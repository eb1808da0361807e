// Package store holds every read and every write of records, once, over the port.
// Where a record lies and what is in it package record says. It knows nothing of
// permissions: whether an act is allowed is decided above it.
//
// Invariants:
//
//   - Everything of a user lies in the user's shard, everything about a status
//     in its author's, so that an act is one transaction there; the other side
//     of a relation is written by a task.
//   - A feed may be missing at any time; the posts sets and the graph can
//     answer everything that a feed answers.
//   - Once a write has returned, no read that begins later in this process sees
//     what was there before it; what other processes write is seen as soon as the
//     engine tells of it. While it cannot tell, nothing is cached.
package store

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Options of a Store.
type Options struct {
	Now        func() time.Time // local clock; nil: time.Now
	CacheBytes int64            // of cached users, statuses and marks; 0: 64 MiB
	Shared     bool             // other processes write to the engine too: see Follow
}

// Store reads and writes records. It is safe for concurrent use.
type Store struct {
	kv     kv.Store
	engine kv.Engine
	opt    Options
	ids    [kv.Shards]idState
	lastID atomic.Uint64 // the greatest id drawn by this process
	offset atomic.Int64  // nanoseconds that the engine's clock is ahead of ours
	cache  *cache
	added  [record.GlobalSlices]atomic.Uint32 // statuses to each slice of the global timeline
}

// New makes a store over an engine.
func New(engine kv.Engine, opt Options) *Store {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if opt.CacheBytes == 0 {
		opt.CacheBytes = 64 << 20
	}
	s := &Store{engine: engine, opt: opt, cache: newCache(opt.CacheBytes)}
	s.cache.alive.Store(!opt.Shared)
	s.kv = watched{engine, s.cache}
	return s
}

// Engine is the engine below, for what is not a record: bus, meter, state.
func (s *Store) Engine() kv.Engine { return s.engine }

// Now is the time of the installation: the engine's clock, as last compared.
func (s *Store) Now() time.Time {
	return s.opt.Now().Add(time.Duration(s.offset.Load()))
}

// SyncClock compares our clock with the engine's and returns the offset. Half
// of the round trip is taken to lie on each way, so the comparison may be wrong
// by that much: an offset that it does not contradict stays, lest time jump back
// and forth by the luck of the line.
func (s *Store) SyncClock(ctx context.Context) (time.Duration, error) {
	before := s.opt.Now()
	t, err := s.engine.Now(ctx)
	if err != nil {
		return 0, fmt.Errorf("read the engine's clock: %w", err)
	}
	half := s.opt.Now().Sub(before) / 2
	offset, have := t.Sub(before.Add(half)), time.Duration(s.offset.Load())
	if (offset - have).Abs() <= half {
		return have, nil
	}
	s.offset.Store(int64(offset))
	return offset, nil
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
func (s *Store) NewID(shard uint16, after linnet.ID) linnet.ID {
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
