package task_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/kv"
	"linnet/internal/task"
)

// TestHandOver checks that a server that delegates makes the first batch and removes finished
// tasks. A worker takes the rest at once, or with its next sweep if the hint is lost.
func TestHandOver(t *testing.T) {
	bubbles(t, func(w *world) {
		web, _ := w.server(task.Options{Delegate: true}, map[string]task.Handler{"count": w.countdown("web")})
		w.server(task.Options{}, map[string]task.Handler{"count": w.countdown("worker")})
		time.Sleep(2 * time.Second)
		web.Run(context.Background(), w.put(1, "count", steps{"short", 0}))
		web.Run(context.Background(), w.put(2, "count", steps{"long", 2}))
		web.Start(w.put(3, "count", steps{"whole", 0}))
		synctest.Wait()
		notes := w.notes()
		w.want(notes[:2], "web short 0", "web long 2")
		if len(notes) != 5 || strings.Contains(fmt.Sprint(notes[2:]), "web") {
			t.Errorf("at once: %v", notes)
		}
		if !web.Idle() {
			t.Errorf("it holds %d tasks", web.Held())
		}
		w.clean()
	})
}

// TestHandOverWithoutHints checks that a delegated task without a hint waits for the next sweep:
// one second if all shards are in one place, and otherwise up to 90 s.
func TestHandOverWithoutHints(t *testing.T) {
	bubbles(t, func(w *world) {
		w.deaf.Store(true)
		web, _ := w.server(task.Options{Delegate: true}, map[string]task.Handler{"count": w.countdown("web")})
		w.server(task.Options{}, map[string]task.Handler{"count": w.countdown("worker")})
		time.Sleep(10 * time.Second)
		web.Run(context.Background(), w.put(1, "count", steps{"x", 1}))
		synctest.Wait()
		w.want(w.notes(), "web x 1")
		if l := w.list(false); !web.Idle() || len(l) != 1 || l[0].At.After(time.Now()) {
			t.Errorf("keeps its lease: %+v", l)
		}
		within := 1500 * time.Millisecond
		if w.spread {
			within = 92 * time.Second
		}
		time.Sleep(within)
		w.want(w.notes(), "web x 1", "worker x 0")
		w.clean()
	})
}

// TestPutBackAmongServers checks that a retried task is taken at once.
func TestPutBackAmongServers(t *testing.T) {
	bubbles(t, func(w *world) {
		w.txn(kv.Add{Key: task.DeadKey(900), Member: "x", Score: 1},
			kv.Put{Key: task.Key(900, "x"), Version: 1, Data: []byte(`{"kind":"count","args":{"Name":"x","Left":0},"tries":5}`)})
		for _, name := range []string{"a", "b", "c"} {
			w.server(task.Options{}, map[string]task.Handler{"count": w.countdown(name)})
		}
		time.Sleep(10 * time.Second)
		w.want(w.notes())
		if ok, err := task.Retry(w.Context(), w.over(w.engine), 900, "x", time.Now()); !ok || err != nil {
			t.Fatal(ok, err)
		}
		synctest.Wait()
		if n := len(w.notes()); n != 1 {
			t.Errorf("%d servers took it: %v", n, w.notes())
		}
		w.clean()
	})
}

// TestLeftWithoutAWord checks that the tasks of a server that stops silently are found. Other
// servers notice a missing heartbeat, whatever the leases of its tasks, and otherwise the sweep of
// all shards finds them.
func TestLeftWithoutAWord(t *testing.T) {
	stuck := map[string]task.Handler{"count": func(ctx context.Context, _ []byte) (any, error) { <-ctx.Done(); return nil, ctx.Err() }}
	for _, c := range []struct {
		name           string
		leave          func(w *world)
		within, spread time.Duration
	}{
		{"a server that hands over dies in its pass", func(w *world) {
			m := w.mortalWith("web", stuck, task.Options{Delegate: true})
			time.Sleep(5 * time.Second)
			for i := range 20 {
				w.post(m, uint16(i*50), steps{fmt.Sprint(i), 0})
			}
			m.die()
		}, 45 * time.Second, 45 * time.Second},
		{"a server dies before it has joined", func(w *world) {
			m := w.mortal("victim", stuck)
			time.Sleep(5 * time.Second)
			for i := range 20 {
				w.put(uint16(i*50), "count", steps{fmt.Sprint(i), 0})
			}
			m.die()
		}, 45 * time.Second, 45 * time.Second},
		{"nobody knows of the server", func(w *world) {
			for i := range 20 {
				w.put(uint16(i*50), "count", steps{fmt.Sprint(i), 0})
			}
		}, task.Lease + 3*time.Second, task.Lease + 92*time.Second},
		{"the store was away as it was left", func(w *world) {
			for i := range 20 {
				w.put(uint16(i*50), "count", steps{fmt.Sprint(i), 0})
			}
			w.engine.Away(true)
			time.Sleep(10 * time.Second)
			w.engine.Away(false)
			// a second until the return of the store is noticed, one after the lease, and a beat
			// and a quarter until the next one
		}, task.Lease + 3*time.Second, task.Lease + 4*time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubbles(t, func(w *world) {
				for _, name := range []string{"a", "b", "c"} {
					w.server(task.Options{Name: name}, map[string]task.Handler{"count": w.countdown(name)})
				}
				time.Sleep(10 * time.Second)
				c.leave(w)
				within := c.within
				if w.spread {
					within = c.spread
				}
				time.Sleep(within)
				if n := len(w.notes()); n != 20 {
					t.Errorf("%d of 20 were done within %v: %v", n, within, w.notes())
				}
				w.clean()
			})
		})
	}
}

// TestHandOverDoesNotSweep checks that servers that delegate take no shards and no due tasks.
func TestHandOverDoesNotSweep(t *testing.T) {
	bubble(t, func(w *world) {
		w.server(task.Options{Delegate: true}, map[string]task.Handler{"count": w.countdown("web")})
		w.put(5, "count", steps{"x", 0})
		time.Sleep(3 * task.Lease)
		w.want(w.notes())
		r := &kv.Range{Key: task.ServersKey(), Limit: 10}
		if err := w.engine.Read(context.Background(), r); err != nil || len(r.Members) > 0 {
			t.Errorf("servers that sweep: %v, %v", r.Members, err)
		}
		w.server(task.Options{}, map[string]task.Handler{"count": w.countdown("worker")})
		time.Sleep(2 * time.Second)
		w.want(w.notes(), "worker x 0")
	})
}

// TestHandOverOfAFault checks that a failed first batch counts as a try and is repeated by a
// worker.
func TestHandOverOfAFault(t *testing.T) {
	bubble(t, func(w *world) {
		fails := func(context.Context, []byte) (any, error) { return nil, fmt.Errorf("not today") }
		web, _ := w.server(task.Options{Delegate: true}, map[string]task.Handler{"count": fails})
		web.Run(context.Background(), w.put(1, "count", steps{"x", 0}))
		time.Sleep(2 * time.Second)
		if l := w.list(false); len(l) != 1 || l[0].Tries != 1 || l[0].At.After(time.Now()) {
			t.Errorf("want one failure, and due now: %+v", l)
		}
		w.server(task.Options{}, map[string]task.Handler{"count": w.countdown("worker")})
		time.Sleep(2 * time.Second)
		w.want(w.notes(), "worker x 0")
		w.clean()
	})
}

// TestHandOverToNobody checks that a server that delegates logs warnings while no other server
// takes its tasks.
func TestHandOverToNobody(t *testing.T) {
	bubble(t, func(w *world) {
		log := &lines{}
		w.server(task.Options{Delegate: true, Log: slog.New(slog.NewTextHandler(log, nil))}, nil)
		time.Sleep(95 * time.Second)
		if n := log.count("--role worker"); n != 3 {
			t.Errorf("%d warnings", n)
		}
		w.server(task.Options{}, nil)
		time.Sleep(95 * time.Second)
		if n := log.count("--role worker"); n != 3 {
			t.Errorf("%d warnings although there is a worker", n)
		}
	})
}

// lines collects log lines.
type lines struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(b)
}

func (l *lines) count(what string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.buf.String(), what)
}
