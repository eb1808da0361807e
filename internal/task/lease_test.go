package task_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/task"
)

func TestFirstPassInTheRequest(t *testing.T) {
	bubble(t, func(w *world) {
		q := task.NewQueue(w.engine, map[string]task.Handler{"count": w.countdown("a"), "other": nil}, task.Options{Now: time.Now})
		q.Run(context.Background(), w.put(7, "count", steps{"x", 1}))
		w.want(w.notes(), "a x 1")
		if n := q.Held(); n != 1 || len(w.list(false)) != 1 {
			t.Errorf("%d held, waiting %v", n, w.list(false))
		}
		loads := q.Loads()
		if l := loads["count"]; l.Held != 1 || !l.Oldest.Equal(w.start) {
			t.Errorf("the load is %+v, want one task since %v", l, w.start)
		}
		if l, ok := loads["other"]; !ok || l.Held != 0 || !l.Oldest.IsZero() {
			t.Errorf("the load of a kind of which there is none is %+v, %v", l, ok)
		}
		ctx, stop := context.WithCancel(context.Background())
		go q.Serve(ctx)
		synctest.Wait()
		w.want(w.notes(), "a x 1") // the request may still be writing its response
		time.Sleep(10 * time.Millisecond)
		synctest.Wait()
		w.want(w.notes(), "a x 1", "a x 0")
		if !q.Idle() {
			t.Error("not idle")
		}
		stop()
		synctest.Wait()
		w.clean()
	})
}

// TestTaskOfADeadServer checks that one other server takes the task of a dead server after the end
// of its lease, and not before.
func TestTaskOfADeadServer(t *testing.T) {
	bubble(t, func(w *world) {
		for _, name := range []string{"a", "b", "c"} {
			w.server(task.Options{}, map[string]task.Handler{"count": w.countdown(name)})
		}
		time.Sleep(5 * time.Second) // they know each other
		for i := range 30 {
			w.put(uint16(i*30), "count", steps{fmt.Sprint(i), 0})
		}
		time.Sleep(task.Lease - time.Second)
		w.want(w.notes())
		time.Sleep(4 * time.Second)
		if n := len(w.notes()); n != 30 {
			t.Errorf("%d of 30 done: %v", n, w.notes())
		}
		by := map[byte]int{}
		for _, n := range w.notes() {
			by[n[0]]++
		}
		if len(by) != 3 {
			t.Errorf("the servers did not share the work: %v", by)
		}
		w.clean()
	})
}

// TestStartAlone checks that the only server of a store voids the leases of its predecessor.
func TestStartAlone(t *testing.T) {
	bubble(t, func(w *world) {
		for i := range 350 { // more than a batch of one shard
			w.put(9, "count", steps{fmt.Sprint(i), 0})
		}
		w.server(task.Options{Exclusive: true}, map[string]task.Handler{"count": w.countdown("a")})
		time.Sleep(time.Millisecond)
		if n := len(w.notes()); n != 350 {
			t.Errorf("%d of 350 done", n)
		}
		w.clean()
	})
}

// TestStartAloneBesideRequests checks that tasks of requests during such a start run once in their
// request. If the request ends early, they are found like others.
func TestStartAloneBesideRequests(t *testing.T) {
	bubble(t, func(w *world) {
		q := task.NewQueue(w.over(w.engine), map[string]task.Handler{"count": w.countdown("a")}, task.Options{Exclusive: true, Now: time.Now})
		made := func(name string) task.Task {
			one, err := q.New(9, "count", steps{name, 0})
			if err != nil {
				t.Fatal(err)
			}
			w.txn(one.Ops()...)
			return one
		}
		one := made("goes on")
		made("does not")
		w.serve(q)
		time.Sleep(time.Millisecond) // it has swept
		w.want(w.notes())
		q.Run(w.Context(), one)
		w.want(w.notes(), "a goes on 0")
		time.Sleep(2 * time.Minute)
		w.want(w.notes(), "a goes on 0", "a does not 0")
		w.clean()
	})
}

// TestSweepAlone checks that a single server finds tasks that an operator has retried.
func TestSweepAlone(t *testing.T) {
	bubble(t, func(w *world) {
		w.server(task.Options{Exclusive: true}, map[string]task.Handler{"count": w.countdown("a")})
		time.Sleep(time.Second)
		w.put(9, "count", steps{"x", 0})
		time.Sleep(2 * time.Minute)
		w.want(w.notes(), "a x 0")
		w.clean()
	})
}

// TestRenewal checks that a server renews the lease of a long task, and that a crash loses little
// progress.
func TestRenewal(t *testing.T) {
	bubble(t, func(w *world) {
		slow := func(by string) map[string]task.Handler {
			count := w.countdown(by)
			return map[string]task.Handler{"count": func(ctx context.Context, args []byte) (any, error) {
				time.Sleep(5 * time.Second)
				return count(ctx, args)
			}}
		}
		a, _ := w.server(task.Options{}, slow("a"))
		w.server(task.Options{}, slow("b"))
		a.Start(w.put(1, "count", steps{"x", 40}))
		time.Sleep(100 * time.Second)
		if l := w.list(false); len(l) != 1 || string(l[0].Args) == `{"Name":"x","Left":40}` {
			t.Errorf("nothing of the progress is in the store: %+v", l)
		}
		time.Sleep(200 * time.Second)
		var want []string
		for i := range 41 {
			want = append(want, fmt.Sprintf("a x %d", 40-i))
		}
		w.want(w.notes(), want...)
		w.clean()
	})
}

// TestLostLease checks that the task of a worker that was suspended for longer than its lease runs
// elsewhere, and that the worker's later writes are refused.
func TestLostLease(t *testing.T) {
	for name, rest := range map[string]any{"in the middle": steps{"x", 3}, "at the end": nil} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				asleep := func(context.Context, []byte) (any, error) {
					w.note("a begins")
					time.Sleep(10 * task.Lease)
					w.note("a ends")
					return rest, nil
				}
				a, _ := w.server(task.Options{Workers: 1}, map[string]task.Handler{"count": asleep})
				w.server(task.Options{}, map[string]task.Handler{"count": w.countdown("b")})
				a.Start(w.put(1, "count", steps{"x", 1}))
				time.Sleep(3 * task.Lease)
				w.want(w.notes(), "a begins", "b x 1", "b x 0")
				time.Sleep(20 * task.Lease)
				w.want(w.notes(), "a begins", "b x 1", "b x 0", "a ends")
				if !a.Idle() {
					t.Error("the first still holds the task")
				}
				w.clean()
			})
		})
	}
}

// TestLostLeaseOfATaskAtWork checks that a worker that resumes too late does not end a task that
// another server runs.
func TestLostLeaseOfATaskAtWork(t *testing.T) {
	bubble(t, func(w *world) {
		asleep := func(context.Context, []byte) (any, error) {
			time.Sleep(4 * task.Lease)
			return nil, nil
		}
		count := w.countdown("b")
		slow := func(ctx context.Context, args []byte) (any, error) {
			time.Sleep(task.Lease / 2)
			return count(ctx, args)
		}
		a, _ := w.server(task.Options{Workers: 1}, map[string]task.Handler{"count": asleep})
		w.server(task.Options{}, map[string]task.Handler{"count": slow})
		a.Start(w.put(1, "count", steps{"x", 15}))
		time.Sleep(5 * task.Lease)
		if l := w.list(false); len(l) != 1 || !a.Idle() {
			t.Errorf("want the task with the second alone: %+v", l)
		}
		time.Sleep(10 * task.Lease)
		if got := w.notes(); len(got) != 16 {
			t.Errorf("%d passes: %v", len(got), got)
		}
		w.clean()
	})
}

// TestHandBack checks that a stopping server releases its leases: of ready, waiting and running
// tasks, and of tasks that only have to be removed.
func TestHandBack(t *testing.T) {
	bubble(t, func(w *world) {
		fails := func(context.Context, []byte) (any, error) { return nil, fmt.Errorf("not today") }
		slow := func(ctx context.Context, _ []byte) (any, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		a, stop := w.server(task.Options{Workers: 1}, map[string]task.Handler{"fails": fails, "slow": slow, "count": w.countdown("a")})
		a.Start(w.put(1, "fails", 0))
		synctest.Wait() // it waits for its second try
		a.Start(w.put(2, "slow", 0))
		synctest.Wait() // it occupies the only worker
		a.Start(w.put(3, "count", steps{"x", 0}))
		a.Run(context.Background(), w.put(4, "count", steps{"done", 0}))
		if n := a.Held(); n != 4 {
			t.Fatalf("%d held", n)
		}
		before := time.Now()
		stop()
		if d := time.Since(before); d > time.Second {
			t.Errorf("stopping took %v", d)
		}
		if !a.Idle() {
			t.Error("still holds tasks")
		}
		for _, l := range w.list(false) {
			if l.At.After(time.Now()) || l.Kind == "count" && l.Shard == 4 {
				t.Errorf("keeps its lease: %+v", l)
			}
		}
		done := w.countdown("b")
		b := func(context.Context, []byte) (any, error) { w.note("b"); return nil, nil }
		w.server(task.Options{}, map[string]task.Handler{"fails": b, "slow": b, "count": done})
		time.Sleep(5 * time.Second) // far less than a lease
		got := w.notes()
		slices.Sort(got)
		w.want(got, "a done 0", "b", "b", "b x 0")
		w.clean()
	})
}

// TestRunAfterTheStop checks that a request that outlives the queue releases the rest of its task.
func TestRunAfterTheStop(t *testing.T) {
	bubble(t, func(w *world) {
		a, stop := w.server(task.Options{}, map[string]task.Handler{"count": w.countdown("a")})
		stop()
		a.Run(context.Background(), w.put(1, "count", steps{"x", 1}))
		a.Run(context.Background(), w.put(1, "count", steps{"y", 0}))
		if l := w.list(false); len(l) != 1 || l[0].At.After(time.Now()) || string(l[0].Args) != `{"Name":"x","Left":0}` {
			t.Errorf("want the rest of x, due now: %+v", l)
		}
		if !a.Idle() {
			t.Error("still holds tasks")
		}
	})
}

// TestStopWithoutTheStore checks that the queue stops even if the store is away.
func TestStopWithoutTheStore(t *testing.T) {
	bubble(t, func(w *world) {
		a, stop := w.server(task.Options{}, map[string]task.Handler{"count": w.countdown("a")})
		tasks := []task.Task{w.put(1, "count", steps{"x", 3}), w.put(2, "count", steps{"y", 0})}
		w.engine.Away(true)
		for _, t := range tasks {
			a.Start(t)
		}
		synctest.Wait()
		before := time.Now()
		stop()
		if d := time.Since(before); d > 10*time.Second {
			t.Errorf("stopping took %v", d)
		}
		w.engine.Away(false)
		w.server(task.Options{Exclusive: true}, map[string]task.Handler{"count": w.countdown("b")})
		time.Sleep(time.Second)
		w.clean()
	})
}

// TestRequestEnds checks that a worker repeats the first batch if the request ends during it.
func TestRequestEnds(t *testing.T) {
	bubble(t, func(w *world) {
		var calls atomic.Int32
		h := func(ctx context.Context, _ []byte) (any, error) {
			if calls.Add(1) == 1 {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return nil, nil
		}
		a, _ := w.server(task.Options{}, map[string]task.Handler{"h": h})
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		a.Run(ctx, w.put(1, "h", 0))
		synctest.Wait()
		if n := calls.Load(); n != 2 || w.seconds() > 1.5 {
			t.Errorf("%d calls after %v s", n, w.seconds())
		}
		w.clean()
	})
}

// TestEachWriteFails fails each write of the queue, before or after its effect. The task runs and
// leaves nothing behind.
func TestEachWriteFails(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n := 1; n <= 10; n++ {
			bubble(t, func(w *world) {
				count := w.countdown("a")
				slow := func(ctx context.Context, args []byte) (any, error) {
					time.Sleep(15 * time.Second) // each batch renews
					return count(ctx, args)
				}
				tk := w.put(1, "slow", steps{"x", 3})
				w.engine.Reset()
				w.engine.FailAt(n, when)
				a, _ := w.server(task.Options{Exclusive: true}, map[string]task.Handler{"slow": slow})
				a.Start(tk)
				time.Sleep(4 * time.Minute)
				got := w.notes()
				for _, step := range []string{"a x 3", "a x 2", "a x 1", "a x 0"} {
					if !slices.Contains(got, step) {
						t.Errorf("write %d failed (%v): %s is missing in %v", n, when, step, got)
					}
				}
				w.clean()
				if !a.Idle() {
					t.Errorf("write %d failed (%v): still held", n, when)
				}
			})
		}
	}
}

// TestEntryWithoutRecord checks that an entry without a record is removed by a sweep.
func TestEntryWithoutRecord(t *testing.T) {
	bubble(t, func(w *world) {
		w.txn(kv.Add{Key: task.DueKey(3), Member: "nothing", Score: 1})
		w.server(task.Options{Exclusive: true}, nil)
		synctest.Wait()
		w.clean()
	})
}
