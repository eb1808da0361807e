package task_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/kv/faultkv"
	"linnet/internal/task"
)

// leave writes a scheduled task.
func (w *world) leave(q *task.Queue, shard uint16, id string, args any, at time.Time) {
	w.Helper()
	t, err := task.NewLater(shard, id, "count", args, at)
	if err != nil {
		w.Fatal(err)
	}
	w.txn(t.Ops()...)
	q.Left(context.Background(), shard)
}

// TestLaterTasks checks that one server runs a scheduled task at its time, however far ahead it is
// and however often the servers restart. A start voids leases, not times.
func TestLaterTasks(t *testing.T) {
	for _, alone := range []bool{true, false} {
		bubbles(t, func(w *world) {
			var q *task.Queue
			start := func(name string) (stop func()) {
				q, stop = w.server(task.Options{Exclusive: alone}, map[string]task.Handler{"count": func(ctx context.Context, raw []byte) (any, error) {
					w.note("%.0f", w.seconds())
					return nil, nil
				}})
				return stop
			}
			stops := []func(){start("a")}
			if !alone {
				stops = append(stops, start("b"))
			}
			far := 4 * time.Hour // many leases; a month of heartbeats would take minutes
			for i, at := range []time.Duration{2 * time.Minute, 40 * time.Minute, 40 * time.Minute, far} {
				w.leave(q, uint16(i), fmt.Sprint("t", i), steps{}, w.start.Add(at))
			}
			time.Sleep(41 * time.Minute)
			if l := w.list(false); len(l) > 0 {
				t.Errorf("what is left for later is among what is due: %+v", l)
			}
			for _, stop := range stops {
				stop()
			}
			time.Sleep(time.Hour)
			start("c")
			time.Sleep(far - time.Hour - 42*time.Minute)
			near(t, w.notes(), 2*60, 40*60, 40*60)
			time.Sleep(2 * time.Minute)
			near(t, w.notes(), 2*60, 40*60, 40*60, 4*60*60)
			w.clean()
		})
	}
}

// near compares noted seconds with expected ones, with a tolerance of two.
func near(t *testing.T, got []string, want ...int) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("done at %v, want at %v", got, want)
	}
	for i, s := range got {
		var n int
		if _, err := fmt.Sscan(s, &n); err != nil || n < want[i] || n > want[i]+2 {
			t.Errorf("done at %v, want at %v", got, want)
		}
	}
}

// TestLaterTaskTakenBack checks that canceled tasks do not run, and that no time is missed while
// the store is away.
func TestLaterTaskTakenBack(t *testing.T) {
	bubble(t, func(w *world) {
		q, _ := w.server(task.Options{Exclusive: true}, map[string]task.Handler{"count": w.countdown("a")})
		w.leave(q, 1, "back", steps{"back", 0}, w.start.Add(time.Hour))
		w.leave(q, 2, "stays", steps{"stays", 0}, w.start.Add(time.Hour))
		w.txn(task.Recall(1, "back")...)
		w.engine.Away(true)
		time.Sleep(2 * time.Hour)
		synctest.Wait()
		w.want(w.notes())
		w.engine.Away(false)
		time.Sleep(2 * time.Minute)
		w.want(w.notes(), "a stays 0")
		w.clean()
	})
}

// TestLaterTaskWithFaults fails each write that makes a task due, before or after its effect. The
// task runs.
func TestLaterTaskWithFaults(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n := 1; n <= 2; n++ {
			bubble(t, func(w *world) {
				q, _ := w.server(task.Options{Exclusive: true}, map[string]task.Handler{"count": w.countdown("a")})
				w.leave(q, 1, "one", steps{"one", 0}, w.start.Add(time.Hour))
				w.engine.Reset()
				w.engine.FailAt(n, when)
				time.Sleep(2 * time.Hour)
				if got := w.notes(); len(got) == 0 {
					t.Errorf("write %d fails (%v): it is never done", n, when)
				}
				w.clean()
			})
		}
	}
}
