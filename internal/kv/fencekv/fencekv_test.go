package fencekv_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/fencekv"
	"linnet/internal/kv/kvtest"
	"linnet/internal/kv/memkv"
)

var (
	fence   = kv.Key{Kind: "fence"}
	errHeld = fmt.Errorf("%w: held", kv.ErrUnavailable)
)

func judge(get *kv.Get) (rule kv.WriteRule) {
	switch string(get.Data) {
	case "brief":
		rule.Brief = true
	case "slow":
		rule.Gap = 10 * time.Millisecond
	default:
		if get.Version > 0 {
			rule.Err = errHeld
		}
	}
	return rule
}

func options(alone bool, clock *kvtest.Clock) fencekv.Options {
	return fencekv.Options{Key: fence, Judge: judge, Free: func(kind string) bool { return kind == "fence" || kind == "free" }, Alone: alone, Now: clock.Now}
}

// TestSuite checks that an engine with an open fence behaves like the wrapped one.
func TestSuite(t *testing.T) {
	for _, alone := range []bool{true, false} {
		t.Run(fmt.Sprint(alone), func(t *testing.T) {
			clock := kvtest.NewClock()
			open := func(t *testing.T) kv.Engine {
				e := fencekv.New(memkv.New(memkv.Options{Now: clock.Now}), options(alone, clock))
				t.Cleanup(func() { e.Close() })
				return e
			}
			kvtest.Run(t, open, kvtest.Caps{Advance: clock.Advance, Rounds: 4})
		})
	}
}

func at(kind string) kv.Key { return kv.Key{Kind: kind, Shard: 1, ID: "a"} }

// wants checks the results of writes.
func wants(t *testing.T, e kv.Engine, held bool) {
	t.Helper()
	_, txn := e.Txn(t.Context(), nil, kv.Put{Key: at("v"), Version: 1})
	apply := e.Apply(t.Context(), kv.Put{Key: at("free"), Version: 1}, kv.Put{Key: at("v"), Version: 1})
	if errors.Is(txn, errHeld) != held || errors.Is(apply, errHeld) != held || !held && (txn != nil || apply != nil) {
		t.Errorf("writes end with %v and %v; held: %v", txn, apply, held)
	}
	_, txn = e.Txn(t.Context(), nil, kv.Put{Key: at("free"), Version: 1})
	if err := errors.Join(txn, e.Apply(t.Context(), kv.Put{Key: at("free"), Version: 1}), e.Read(t.Context(), &kv.Get{Key: at("v")})); err != nil {
		t.Errorf("what is free, and reads: %v", err)
	}
}

func TestFenceOfOneProcess(t *testing.T) {
	clock := kvtest.NewClock()
	e := fencekv.New(memkv.New(memkv.Options{Now: clock.Now}), options(true, clock))
	wants(t, e, false)
	if _, err := e.Txn(t.Context(), nil, kv.Put{Key: fence, Version: 1, TTL: time.Minute}); err != nil || e.Quiet() != 0 {
		t.Fatal(err)
	}
	wants(t, e, true)
	clock.Advance(time.Minute)
	wants(t, e, false) // the record has expired
	if _, err := e.Txn(t.Context(), nil, kv.Put{Key: fence, Version: 2}); err != nil {
		t.Fatal(err)
	}
	wants(t, e, true)
	if _, err := e.Txn(t.Context(), nil, kv.Delete{Key: fence}); err != nil {
		t.Fatal(err)
	}
	wants(t, e, false)
}

// TestFenceWaitsForWrites checks that no write is in progress when the record is written.
func TestFenceWaitsForWrites(t *testing.T) {
	clock := kvtest.NewClock()
	slow := &slowEngine{Engine: memkv.New(memkv.Options{Now: clock.Now}), begun: make(chan struct{}), end: make(chan struct{})}
	e := fencekv.New(slow, options(true, clock))
	var wg sync.WaitGroup
	wg.Go(func() { _ = e.Apply(t.Context(), kv.Put{Key: at("v"), Version: 1}) })
	<-slow.begun
	closed := make(chan struct{})
	wg.Go(func() {
		_, _ = e.Txn(t.Context(), nil, kv.Put{Key: fence, Version: 1})
		close(closed)
	})
	select {
	case <-closed:
		t.Error("the fence is closed while a write is under way")
	case <-time.After(20 * time.Millisecond):
	}
	close(slow.end)
	wg.Wait()
	wants(t, e, true)
}

// slowEngine is an engine whose first Apply waits.
type slowEngine struct {
	kv.Engine
	begun, end chan struct{}
	once       sync.Once
}

func (s *slowEngine) Apply(ctx context.Context, ops ...kv.Op) error {
	s.once.Do(func() {
		close(s.begun)
		<-s.end
	})
	return s.Engine.Apply(ctx, ops...)
}

// TestFenceOfOthers checks that no write is acknowledged from Quiet on after another process has
// closed the fence. Until the record is checked, writes are still acknowledged.
func TestFenceOfOthers(t *testing.T) {
	clock := kvtest.NewClock()
	within := &slipping{Engine: memkv.New(memkv.Options{Now: clock.Now})}
	e := fencekv.New(within, options(false, clock))
	wants(t, e, false)
	hold := func(version uint64) {
		t.Helper()
		if err := within.Engine.Apply(t.Context(), kv.Put{Key: fence, Version: version}); err != nil {
			t.Fatal(err)
		}
	}
	hold(1)
	wants(t, e, false) // by the last check
	clock.Advance(e.Quiet())
	wants(t, e, true)
	if err := within.Engine.Apply(t.Context(), kv.Delete{Key: fence}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(fencekv.LookEvery)
	wants(t, e, false)
	// A write that takes as long as the lease, or whose process was paused.
	within.during = func() { hold(2); clock.Advance(fencekv.Lease) }
	if _, err := e.Txn(t.Context(), nil, kv.Put{Key: at("v"), Version: 9}); !errors.Is(err, kv.ErrUnknown) || !errors.Is(err, errHeld) {
		t.Errorf("a transaction over which the fence was closed ends with %v", err)
	}
	within.during = nil
	if err := within.Engine.Apply(t.Context(), kv.Delete{Key: fence}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(fencekv.LookEvery)
	within.during = func() { hold(3); clock.Advance(fencekv.Lease) }
	if err := e.Apply(t.Context(), kv.Put{Key: at("v"), Version: 9}); !errors.Is(err, errHeld) {
		t.Errorf("an Apply over which the fence was closed ends with %v", err)
	}
}

// TestBriefLease checks that waiting for BriefQuiet is enough once each process checks the record
// more often.
func TestBriefLease(t *testing.T) {
	clock := kvtest.NewClock()
	within := memkv.New(memkv.Options{Now: clock.Now})
	e := fencekv.New(within, options(false, clock))
	wants(t, e, false)
	set := func(version uint64, rule string) {
		t.Helper()
		if err := within.Apply(t.Context(), kv.Put{Key: fence, Version: version, Data: []byte(rule)}); err != nil {
			t.Fatal(err)
		}
	}
	set(1, "brief")
	clock.Advance(e.Quiet())
	wants(t, e, false)
	set(2, "closed")
	wants(t, e, false) // by the last check
	clock.Advance(e.BriefQuiet())
	wants(t, e, true)
	if alone := fencekv.New(memkv.New(memkv.Options{}), options(true, clock)); alone.BriefQuiet() != 0 || e.BriefQuiet() >= e.Quiet()/2 {
		t.Errorf("waits %v alone, %v with others", alone.BriefQuiet(), e.BriefQuiet())
	}
}

// TestGap checks that writes of a process take turns, that reads do not wait, and that writes fail
// instead of waiting long.
func TestGap(t *testing.T) {
	e := fencekv.New(memkv.New(memkv.Options{}), fencekv.Options{Key: fence, Judge: judge, Free: func(kind string) bool { return kind == "fence" }, Alone: true})
	if _, err := e.Txn(t.Context(), nil, kv.Put{Key: fence, Version: 1, Data: []byte("slow")}); err != nil {
		t.Fatal(err)
	}
	write := func() error { return e.Apply(t.Context(), kv.Put{Key: at("v"), Version: 1}) }
	began := time.Now()
	for range 5 {
		if err := write(); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(began); took < 40*time.Millisecond {
		t.Errorf("five writes took %v", took)
	}
	var refused, made atomic.Int64
	var writers sync.WaitGroup
	for range 300 {
		writers.Go(func() {
			switch err := write(); {
			case err == nil:
				made.Add(1)
			case errors.Is(err, kv.ErrMoving):
				refused.Add(1)
			default:
				t.Errorf("a write ends with %v", err)
			}
		})
	}
	writers.Wait()
	if made.Load() < 50 || refused.Load() < 50 {
		t.Errorf("%d writes at once: %d made, %d refused", 300, made.Load(), refused.Load())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		if err := e.Apply(ctx, kv.Put{Key: at("v"), Version: 2}); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("a write whose caller has left ends with %v", err)
		}
	}
}

// slipping is an engine that calls a function during a write.
type slipping struct {
	kv.Engine
	during func()
}

func (s *slipping) happen() {
	if s.during != nil {
		s.during()
	}
}

func (s *slipping) Txn(ctx context.Context, conds []kv.Cond, ops ...kv.Op) (int, error) {
	s.happen()
	return s.Engine.Txn(ctx, conds, ops...)
}

func (s *slipping) Apply(ctx context.Context, ops ...kv.Op) error {
	s.happen()
	return s.Engine.Apply(ctx, ops...)
}

func TestChanges(t *testing.T) {
	clock := kvtest.NewClock()
	e := fencekv.New(memkv.New(memkv.Options{Now: clock.Now}), options(true, clock))
	ctx, cancel := context.WithCancel(t.Context())
	var heard []kv.Key
	alive := 0
	if err := e.Changes(ctx, []string{"v", "free"}, func(keys []kv.Key, ok bool) {
		if heard = append(heard, keys...); ok && keys == nil {
			alive++
		}
	}); err != nil {
		t.Fatal(err)
	}
	wants(t, e, false)
	if err := e.Apply(t.Context(), kv.Put{Key: at("other"), Version: 1}); err != nil {
		t.Fatal(err)
	}
	want := []kv.Key{at("v"), at("free"), at("v"), at("free"), at("free")}
	if !slices.Equal(heard, want) || alive != 1 {
		t.Errorf("heard %v and %d times that all is heard, want %v and once", heard, alive, want)
	}
	cancel()
	if err := e.Track(t.Context(), nil, nil); !errors.Is(err, kv.ErrRefused) {
		t.Errorf("an engine that tells others' changes: %v", err)
	}
}

// lateEngine is an engine that makes writes after their callers gave up.
type lateEngine struct {
	kv.Engine
	heard []func([]kv.Key)
}

func (e *lateEngine) Late(f func([]kv.Key)) { e.heard = append(e.heard, f) }

func (e *lateEngine) write(t *testing.T, k kv.Key) {
	t.Helper()
	if err := e.Engine.Apply(t.Context(), kv.Put{Key: k, Version: 1}); err != nil {
		t.Fatal(err)
	}
	for _, f := range e.heard {
		f([]kv.Key{k})
	}
}

// TestLateWrites checks that late writes are reported to listeners at both levels and cause a check
// of the record.
func TestLateWrites(t *testing.T) {
	clock := kvtest.NewClock()
	late := &lateEngine{Engine: memkv.New(memkv.Options{Now: clock.Now})}
	e := fencekv.New(late, options(true, clock))
	var heard, above []kv.Key
	if err := e.Changes(t.Context(), []string{"v"}, func(keys []kv.Key, _ bool) { heard = append(heard, keys...) }); err != nil {
		t.Fatal(err)
	}
	e.Late(func(keys []kv.Key) { above = append(above, keys...) })
	late.write(t, at("v"))
	late.write(t, at("other"))
	if want := []kv.Key{at("v")}; !slices.Equal(heard, want) || !slices.Equal(above, []kv.Key{at("v"), at("other")}) {
		t.Errorf("heard %v, and above %v", heard, above)
	}
	wants(t, e, false)
	late.write(t, fence)
	wants(t, e, true)
}
