package faultkv_test

import (
	"errors"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/kvtest"
	"linnet/internal/kv/memkv"
)

// TestSuite checks that an engine without faults behaves like the wrapped one.
func TestSuite(t *testing.T) {
	clock := kvtest.NewClock()
	open := func(t *testing.T) kv.Engine {
		e := faultkv.New(memkv.New(memkv.Options{Now: clock.Now}))
		t.Cleanup(func() { e.Close() })
		return e
	}
	kvtest.Run(t, open, kvtest.Caps{Advance: clock.Advance, Rounds: 4})
}

func newEngine(t *testing.T, clock *kvtest.Clock) *faultkv.Engine {
	e := faultkv.New(memkv.New(memkv.Options{Now: clock.Now}))
	t.Cleanup(func() { e.Close() })
	return e
}

func at(id string) kv.Key { return kv.Key{Kind: "v", Shard: 1, ID: id} }

// made returns the values among a, b, c and d that exist after the faults.
func made(t *testing.T, e *faultkv.Engine) string {
	t.Helper()
	s := ""
	for _, id := range []string{"a", "b", "c", "d"} {
		q := &kv.Get{Key: at(id)}
		if err := e.Read(t.Context(), q); err != nil {
			t.Fatal(err)
		}
		if q.Version != 0 {
			s += id
		}
	}
	return s
}

func puts(ids string) []kv.Op {
	var ops []kv.Op
	for _, id := range ids {
		ops = append(ops, kv.Put{Key: at(string(id)), Version: 1})
	}
	return ops
}

func TestFailAt(t *testing.T) {
	for _, tc := range []struct {
		name       string
		when       faultkv.When
		txn, apply error
		txnMade    string // after writing a, then bcd, then c
		applyMade  string
	}{
		{"Before", faultkv.Before, kv.ErrUnavailable, kv.ErrUnavailable, "ac", "ac"},
		{"After", faultkv.After, kv.ErrUnknown, kv.ErrUnavailable, "abcd", "abcd"},
		{"Half", faultkv.Half, kv.ErrUnavailable, kv.ErrUnavailable, "ac", "abc"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, txn := range []bool{true, false} {
				e := newEngine(t, kvtest.NewClock())
				write := func(ids string) error {
					if !txn {
						return e.Apply(t.Context(), puts(ids)...)
					}
					_, err := e.Txn(t.Context(), nil, puts(ids)...)
					return err
				}
				wantErr, wantMade := tc.apply, tc.applyMade
				if txn {
					wantErr, wantMade = tc.txn, tc.txnMade
				}
				e.FailAt(2, tc.when)
				for i, ids := range []string{"a", "bcd", "c"} {
					err := write(ids)
					if i == 1 && !errors.Is(err, wantErr) || i != 1 && err != nil {
						t.Errorf("txn %v, write %d: %v", txn, i+1, err)
					}
				}
				if got := made(t, e); got != wantMade {
					t.Errorf("txn %v: made %q, want %q", txn, got, wantMade)
				}
			}
		})
	}
}

// TestAlone checks that writes without replicas are made, but not acknowledged.
func TestAlone(t *testing.T) {
	inner := memkv.New(memkv.Options{})
	e := faultkv.New(inner)
	t.Cleanup(func() { e.Close() })
	e.Alone(2, func() kv.Engine { return inner.Clone() })
	_, first := e.Txn(t.Context(), nil, puts("a")...)
	early := e.Read(t.Context(), &kv.Get{Key: at("a")})
	_, second := e.Txn(t.Context(), nil, puts("b")...)
	_, failed := e.Txn(t.Context(), []kv.Cond{kv.Absent(at("b"))}, puts("c")...)
	apply := e.Apply(t.Context(), puts("d")...)
	for what, ok := range map[string]bool{
		"a write before": first == nil && early == nil, "a write": errors.Is(second, kv.ErrUnknown),
		"a condition that fails": errors.Is(failed, kv.ErrUnavailable), "an apply": errors.Is(apply, kv.ErrUnavailable),
		"a durable read": errors.Is(e.Read(kv.Durable(t.Context()), &kv.Get{Key: at("a")}), kv.ErrUnavailable),
	} {
		if !ok {
			t.Errorf("%s: %v, %v, %v, %v", what, first, second, failed, apply)
		}
	}
	if got := made(t, e); got != "abd" {
		t.Errorf("made %q, want all but what a condition forbade", got)
	}
	e.FailOver()
	if got := made(t, e); got != "a" {
		t.Errorf("after the failover %q is there, want what was acknowledged", got)
	}
	if err := e.Read(kv.Durable(t.Context()), &kv.Get{Key: at("b")}); err != nil {
		t.Errorf("after the failover: %v", err)
	}
}

// TestRefusedHasNoNumber checks that a refused call returns its error and does not trigger a fault.
func TestRefusedHasNoNumber(t *testing.T) {
	e := newEngine(t, kvtest.NewClock())
	e.FailAt(1, faultkv.After)
	if _, err := e.Txn(t.Context(), nil); !errors.Is(err, kv.ErrRefused) {
		t.Errorf("Txn without changes: %v", err)
	}
	failed, err := e.Txn(t.Context(), []kv.Cond{kv.Present{Key: at("b")}}, puts("a")...)
	if failed != -1 || !errors.Is(err, kv.ErrUnknown) {
		t.Errorf("Txn whose condition fails and whose answer is lost: %d, %v", failed, err)
	}
	if got := made(t, e); got != "" {
		t.Errorf("made %q", got)
	}
}

func TestStats(t *testing.T) {
	e := newEngine(t, kvtest.NewClock())
	e.FailAt(2, faultkv.Before)
	e.Read(t.Context(), &kv.Get{Key: at("a")}, &kv.Get{Key: at("b")})
	e.Txn(t.Context(), nil, puts("a")...)
	e.Apply(t.Context(), puts("abc")...)
	e.Apply(t.Context(), kv.Incr{Key: at("a"), Name: "n"}) // refused
	e.Publish(t.Context(), "t", nil)
	e.Count(t.Context(), "k", 1, time.Hour)
	want := faultkv.Stats{Reads: 1, Txns: 1, Applies: 1, Queries: 2, Changes: 4, Publishes: 1, Counts: 1}
	if got := e.Stats(); got != want || got.RoundTrips() != 3 || got.Writes() != 2 {
		t.Errorf("got %+v, want %+v", got, want)
	}
	e.FailAt(1, faultkv.Before)
	e.Reset()
	if got := e.Stats(); got != (faultkv.Stats{}) {
		t.Errorf("after Reset: %+v", got)
	}
	if _, err := e.Txn(t.Context(), nil, puts("a")...); err != nil {
		t.Errorf("after Reset a write fails: %v", err)
	}
}

func TestAway(t *testing.T) {
	e := newEngine(t, kvtest.NewClock())
	sub, err := e.Subscribe(t.Context(), "t")
	if err != nil {
		t.Fatal(err)
	}
	e.Away(true)
	if _, ok := <-sub.Messages(); ok {
		t.Error("a subscription outlived its engine's going away")
	}
	wantAway(t, e)
	e.Away(false)
	if got := made(t, e); got != "" {
		t.Errorf("while the engine was away %q was made", got)
	}
	if err := sub.Close(); err != nil {
		t.Error(err)
	}
}

func TestFailFor(t *testing.T) {
	clock := kvtest.NewClock()
	e := newEngine(t, clock)
	if err := e.FailFor(t.Context(), time.Minute); err != nil {
		t.Fatal(err)
	}
	clock.Advance(time.Minute - 1)
	wantAway(t, e)
	clock.Advance(1)
	if err := e.Apply(t.Context(), puts("d")...); err != nil {
		t.Errorf("after a minute: %v", err)
	}
	if got := made(t, e); got != "d" {
		t.Errorf("made %q, want what was written after the minute", got)
	}
}

// wantAway checks that each call fails with ErrUnavailable.
func wantAway(t *testing.T, e *faultkv.Engine) {
	t.Helper()
	ctx := t.Context()
	_, txnErr := e.Txn(ctx, nil, puts("a")...)
	_, _, keysErr := e.Keys(ctx, "")
	_, countErr := e.Count(ctx, "k", 1, time.Hour)
	_, subErr := e.Subscribe(ctx, "t")
	_, nowErr := e.Now(ctx)
	for name, err := range map[string]error{
		"Read": e.Read(ctx, &kv.Get{Key: at("a")}), "Txn": txnErr, "Apply": e.Apply(ctx, puts("b")...), "Keys": keysErr,
		"Count": countErr, "Publish": e.Publish(ctx, "t", nil), "Subscribe": subErr, "Now": nowErr, "Ping": e.Ping(ctx),
	} {
		if !errors.Is(err, kv.ErrUnavailable) {
			t.Errorf("%s while the engine is away: %v", name, err)
		}
	}
}
