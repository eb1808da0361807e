package task_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/kv"
	"linnet/internal/task"
)

// TestDeadLetters checks that a task that always fails is moved to the dead-letter set after five
// tries, with its error, and does not delay other tasks.
func TestDeadLetters(t *testing.T) {
	bubble(t, func(w *world) {
		w.server(task.Options{Workers: 2}, map[string]task.Handler{
			"fails":  func(context.Context, []byte) (any, error) { w.note("try"); return nil, errors.New("no such thing") },
			"panics": func(context.Context, []byte) (any, error) { panic("oh") },
			"broken": func(context.Context, []byte) (any, error) { return func() {}, nil },
			"count":  w.countdown("a"),
		})
		for _, kind := range []string{"fails", "panics", "broken", "unheard-of"} {
			w.put(1, kind, steps{})
		}
		w.txn(kv.Put{Key: task.Key(2, "bad"), Data: []byte("{"), Version: 1}, kv.Add{Key: task.DueKey(2), Member: "bad", Score: 1})
		time.Sleep(task.Lease + 2*time.Second)
		w.put(1, "count", steps{"x", 20})
		time.Sleep(task.Lease + 2*time.Second)
		if got := w.notes(); got[len(got)-1] != "a x 0" {
			t.Errorf("others were delayed: %v", got)
		}
		time.Sleep(10 * time.Minute)
		causes := map[string]string{"fails": "no such thing", "panics": "panic in task panics: oh", "broken": "encode the remaining part of the task",
			"unheard-of": "newer version", "": "decode task bad"}
		dead := w.list(true)
		if len(dead) != len(causes) || len(w.list(false)) != 0 {
			t.Fatalf("dead: %+v, waiting: %+v", dead, w.list(false))
		}
		for _, d := range dead {
			if !strings.Contains(d.Cause, causes[d.Kind]) || d.Kind != "" && d.Tries != task.MaxTries || !d.Dead {
				t.Errorf("set aside: %+v", d)
			}
			if ok, err := task.Drop(w.Context(), w.engine, d.Shard, d.ID); !ok || err != nil {
				t.Errorf("drop: %v %v", ok, err)
			}
		}
		if n := strings.Count(fmt.Sprint(w.notes()), "try"); n != task.MaxTries {
			t.Errorf("%d tries", n)
		}
		w.clean()
	})
}

// TestRetry checks that an operator's retry restores all tries of a task.
func TestRetry(t *testing.T) {
	bubble(t, func(w *world) {
		var healed atomic.Bool
		w.server(task.Options{Exclusive: true}, map[string]task.Handler{"h": func(context.Context, []byte) (any, error) {
			w.note("try")
			if !healed.Load() {
				return nil, errors.New("ill")
			}
			return nil, nil
		}})
		id := w.put(1, "h", 0).ID
		for range 2 { // fails, is retried and fails again
			time.Sleep(10 * time.Minute)
			if d := w.list(true); len(d) != 1 || d[0].Tries != task.MaxTries {
				t.Fatalf("dead: %+v", d)
			}
			if ok, err := task.Retry(w.Context(), w.engine, 1, id, time.Now()); !ok || err != nil {
				t.Fatalf("retry: %v %v", ok, err)
			}
			if ok, err := task.Retry(w.Context(), w.engine, 1, id, time.Now()); ok || err != nil {
				t.Fatalf("second retry: %v %v", ok, err)
			}
		}
		time.Sleep(10 * time.Minute)
		healed.Store(true)
		if n := len(w.notes()); n != 3*task.MaxTries {
			t.Errorf("%d tries", n)
		}
		if ok, _ := task.Retry(w.Context(), w.engine, 1, "unknown", time.Now()); ok {
			t.Error("retried what does not exist")
		}
		if ok, _ := task.Drop(w.Context(), w.engine, 1, "unknown"); ok {
			t.Error("dropped what does not exist")
		}
		if ok, err := task.Retry(w.Context(), w.engine, 1, id, time.Now()); !ok || err != nil {
			t.Fatal(ok, err)
		}
		time.Sleep(3 * time.Minute)
		w.clean()
	})
}

// TestUnavailableIsNoFault checks that a task waits while the store is away, without a counted try.
func TestUnavailableIsNoFault(t *testing.T) {
	for name, cause := range map[string]error{"the engine": nil, "a part of it": kv.ErrUnavailable, "an unknown outcome": kv.ErrUnknown,
		"a full disk": fmt.Errorf("write: %w", kv.ErrFull), "a deadline": context.DeadlineExceeded} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				var back atomic.Bool
				var tries atomic.Int32
				a, _ := w.server(task.Options{Exclusive: true}, map[string]task.Handler{"h": func(ctx context.Context, _ []byte) (any, error) {
					tries.Add(1)
					if cause != nil && !back.Load() {
						return nil, cause
					}
					return nil, w.engine.Read(ctx, &kv.Get{Key: task.Key(1, "x")})
				}})
				tk := w.put(1, "h", 0)
				w.engine.Away(cause == nil)
				a.Start(tk)
				time.Sleep(15 * time.Minute)
				if n := tries.Load(); cause == nil && n != 1 { // afterwards the task cannot be read either
					t.Errorf("%d batches in 15 minutes without the engine, want 1", n)
				} else if cause != nil && (n < 15 || n > 40) {
					t.Errorf("%d tries in 15 minutes: want backing off to one a minute", n)
				}
				back.Store(true)
				w.engine.Away(false)
				time.Sleep(2 * time.Minute)
				if !a.Idle() || len(w.list(true)) != 0 {
					t.Errorf("idle %v, dead %+v", a.Idle(), w.list(true))
				}
				w.clean()
			})
		})
	}
}

// TestStoreReturnsOlder checks that after an outage a task repeats the batches that the store may no
// longer have, and that a task without a record ends.
func TestStoreReturnsOlder(t *testing.T) {
	bubble(t, func(w *world) {
		var back atomic.Bool
		count := w.countdown("a")
		a, _ := w.server(task.Options{Exclusive: true}, map[string]task.Handler{"count": func(ctx context.Context, raw []byte) (any, error) {
			if !back.Load() && !strings.Contains(string(raw), ":3") {
				return nil, kv.ErrUnavailable
			}
			return count(ctx, raw)
		}})
		a.Start(w.put(1, "count", steps{"stored", 3}))
		undone := w.put(1, "count", steps{"undone", 3})
		a.Start(undone)
		time.Sleep(time.Second)
		w.txn(kv.Delete{Key: task.Key(1, undone.ID)}, kv.Remove{Key: task.DueKey(1), Member: undone.ID})
		back.Store(true)
		time.Sleep(time.Minute)
		got := w.notes()
		w.want(got[len(got)-4:], "a stored 3", "a stored 2", "a stored 1", "a stored 0")
		if slices.Contains(got, "a undone 2") || !a.Idle() {
			t.Errorf("a task without a record continued: %q", got)
		}
		w.clean()
	})
}

// TestFairness checks that long tasks alternate.
func TestFairness(t *testing.T) {
	bubble(t, func(w *world) {
		q := task.NewQueue(w.engine, map[string]task.Handler{"count": w.countdown("")}, task.Options{Now: time.Now, Workers: 1})
		q.Start(w.put(1, "count", steps{"x", 50}))
		q.Start(w.put(2, "count", steps{"y", 50}))
		ctx, stop := context.WithCancel(context.Background())
		go q.Serve(ctx)
		synctest.Wait()
		got := w.notes()
		if len(got) != 102 {
			t.Fatalf("%d passes", len(got))
		}
		ahead := 0
		for i, n := range got {
			if strings.Contains(n, "x") {
				ahead++
			} else {
				ahead--
			}
			if ahead < -1 || ahead > 1 {
				t.Fatalf("after %d passes one is %d ahead", i+1, ahead)
			}
		}
		stop()
		synctest.Wait()
	})
}

// TestRestTooLarge checks that a rest that is too large to be stored is finished from memory.
func TestRestTooLarge(t *testing.T) {
	bubble(t, func(w *world) {
		var passes atomic.Int32
		a, _ := w.server(task.Options{Exclusive: true}, map[string]task.Handler{"big": func(context.Context, []byte) (any, error) {
			time.Sleep(20 * time.Second)
			if passes.Add(1) == 5 {
				return nil, nil
			}
			return strings.Repeat("x", 10<<20), nil
		}})
		a.Start(w.put(1, "big", 0))
		time.Sleep(20 * time.Minute)
		if n := passes.Load(); n < 5 || !a.Idle() {
			t.Errorf("%d passes", n)
		}
		w.clean()
	})
}

func TestListIsBounded(t *testing.T) {
	bubble(t, func(w *world) {
		for i := range 20 {
			w.put(uint16(i), "count", steps{})
		}
		l, err := task.List(w.Context(), w.engine, false, 7)
		if err != nil || len(l) != 7 || l[0].Kind != "count" || l[0].At.Before(time.Now()) {
			t.Errorf("%+v %v", l, err)
		}
	})
}
