package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// hands is a clock that is set by hand.
type hands struct {
	mu  sync.Mutex
	now time.Time
}

func (h *hands) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

func (h *hands) turn(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
}

func newHands() *hands { return &hands{now: time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)} }

// TestIDsAreUniqueAndRise checks that ids drawn concurrently in all shards are unique and increase
// for each caller, also when the clock goes back.
func TestIDsAreUniqueAndRise(t *testing.T) {
	clock := newHands()
	s := store.New(memkv.New(memkv.Options{}), store.Options{Now: clock.Now})
	const drawers, each = 64, 3000
	all := make([][]linnet.ID, drawers)
	var wg sync.WaitGroup
	for d := range drawers {
		wg.Go(func() {
			shard := uint16(d * 16 % kv.Shards)
			for i := range each {
				if d == 0 && i%100 == 0 {
					clock.turn(time.Millisecond)
				}
				if d == 0 && i == each/2 {
					clock.turn(-time.Hour)
				}
				all[d] = append(all[d], s.NewID(shard, 0))
			}
		})
	}
	wg.Wait()
	seen := map[linnet.ID]bool{}
	for d, drawn := range all {
		for i, id := range drawn {
			if seen[id] {
				t.Fatalf("id %v was drawn twice", id)
			}
			seen[id] = true
			if id.Shard() != uint16(d*16%kv.Shards) {
				t.Fatalf("id %v is of shard %d", id, id.Shard())
			}
			if i > 0 && id <= drawn[i-1] {
				t.Fatalf("drawer %d: %v after %v", d, id, drawn[i-1])
			}
		}
	}
}

// TestIDsRiseOverShards checks that a single caller gets increasing ids in all shards, which stay
// close to the clock.
func TestIDsRiseOverShards(t *testing.T) {
	clock := newHands()
	s := store.New(memkv.New(memkv.Options{}), store.Options{Now: clock.Now})
	last := linnet.ID(0)
	for i := range 500 {
		id := s.NewID(uint16(i*389%kv.Shards), 0)
		if ahead := id.Time().Sub(clock.Now()); ahead > 21*time.Millisecond {
			t.Fatalf("draw %d lies %v ahead of the clock", i, ahead)
		}
		if id <= last && last.Time().Sub(clock.Now()) < 20*time.Millisecond {
			t.Fatalf("draw %d: %v after %v", i, id, last)
		}
		last = max(last, id)
		if i%5 == 0 {
			clock.turn(time.Millisecond)
		}
	}
}

// TestIDAfter checks that an id is greater than its predecessor, even one in the future or in
// another shard.
func TestIDAfter(t *testing.T) {
	clock := newHands()
	s := store.New(memkv.New(memkv.Options{}), store.Options{Now: clock.Now})
	for _, ahead := range []time.Duration{-time.Hour, 0, time.Hour} {
		for _, shard := range []uint16{0, 5, 1023} {
			for _, seq := range []uint8{0, 62, 63} {
				after := linnet.MakeID(clock.Now().Add(ahead), shard, seq)
				for _, mine := range []uint16{0, 5, 1023} {
					t.Run(fmt.Sprint(ahead, shard, seq, mine), func(t *testing.T) {
						if id := s.NewID(mine, after); id <= after || id.Shard() != mine {
							t.Errorf("%v in shard %d after %v", id, id.Shard(), after)
						}
					})
				}
			}
		}
	}
}

// TestClockOfTheEngine checks that servers with different clocks draw ids by the engine's clock.
func TestClockOfTheEngine(t *testing.T) {
	engine := newHands()
	e := memkv.New(memkv.Options{Now: engine.Now})
	for _, off := range []time.Duration{-time.Hour, time.Hour} {
		s := store.New(e, store.Options{Now: func() time.Time { return engine.Now().Add(off) }})
		got, err := s.SyncClock(t.Context())
		if err != nil || got != -off {
			t.Errorf("offset %v, want %v: %v", got, -off, err)
		}
		if d := s.NewID(1, 0).Time().Sub(engine.Now()).Abs(); d > 20*time.Millisecond {
			t.Errorf("an id lies %v from the engine's time", d)
		}
	}
}

// TestClockIsNotSetBack checks that a clock that is slightly ahead stops for a while, so that later
// actions have later times. A wrong clock is set back.
func TestClockIsNotSetBack(t *testing.T) {
	engine, own := newHands(), newHands()
	s := store.New(memkv.New(memkv.Options{Now: engine.Now}), store.Options{Now: own.Now})
	for _, ahead := range []time.Duration{5 * time.Millisecond, 900 * time.Millisecond} {
		own.turn(ahead)
		before, id := s.Now(), s.NewID(1, 0)
		if off, err := s.SyncClock(t.Context()); err != nil || s.Now().Before(before) {
			t.Errorf("from %v to %v with an offset of %v: %v", before, s.Now(), off, err)
		}
		if next := s.NewID(2, 0); next <= id || next.Time().Before(before) {
			t.Errorf("id %v of %v after %v", next, next.Time(), id)
		}
		for _, h := range []*hands{engine, own} {
			h.turn(ahead + 2*time.Millisecond)
		}
		if !s.Now().Equal(engine.Now()) {
			t.Errorf("%v, where the engine says %v", s.Now(), engine.Now())
		}
	}
	own.turn(2 * time.Second)
	_, err := s.SyncClock(t.Context())
	fresh := store.New(memkv.New(memkv.Options{Now: engine.Now}), store.Options{Now: func() time.Time { return engine.Now().Add(900 * time.Millisecond) }})
	_, err2 := fresh.SyncClock(t.Context())
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if !s.Now().Equal(engine.Now()) {
			t.Errorf("a clock that was wrong: %v, where the engine says %v", s.Now(), engine.Now())
		}
		if !fresh.Now().Equal(engine.Now()) {
			t.Errorf("a server that has just begun: %v, where the engine says %v", fresh.Now(), engine.Now())
		}
		for _, h := range []*hands{engine, own} {
			h.turn(500 * time.Millisecond)
		}
	}
}

// slow is an engine with a delay in each direction.
type slow struct {
	kv.Engine
	clock       *hands
	there, back time.Duration
}

func (s slow) Now(context.Context) (time.Time, error) {
	s.clock.turn(s.there)
	now := s.clock.Now()
	s.clock.turn(s.back)
	return now, nil
}

// TestClockOverASlowLine checks that an asymmetric delay does not change the clock, but that a
// larger difference does.
func TestClockOverASlowLine(t *testing.T) {
	clock := newHands()
	for i, c := range []struct{ there, back, off, want time.Duration }{
		{0, 40 * time.Millisecond, 0, 0}, {40 * time.Millisecond, 0, 0, 0}, {10 * time.Millisecond, 10 * time.Millisecond, 15 * time.Millisecond, 15 * time.Millisecond},
		{0, 0, 2 * time.Millisecond, 2 * time.Millisecond},
		// A delayed process on a machine with differing processor clocks.
		{-time.Microsecond, 737 * time.Millisecond, 0, 0}, {737 * time.Millisecond, -time.Microsecond, 0, 0},
	} {
		s := store.New(slow{memkv.New(memkv.Options{}), clock, c.there, c.back}, store.Options{Now: func() time.Time { return clock.Now().Add(-c.off) }})
		if got, err := s.SyncClock(t.Context()); err != nil || got != c.want {
			t.Errorf("case %d: %v, want %v: %v", i, got, c.want, err)
		}
	}
}
