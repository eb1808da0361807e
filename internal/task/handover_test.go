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

// A server that hands over does the first pass and removes what is finished; the
// rest is taken by a worker long before a lease would run out.
func TestHandOver(t *testing.T) {
	bubble(t, func(w *world) {
		web, _ := w.server(task.Options{HandOver: true}, map[string]task.Handler{"count": w.countdown("web")})
		w.server(task.Options{}, map[string]task.Handler{"count": w.countdown("worker")})
		time.Sleep(2 * time.Second)
		web.Run(context.Background(), w.put(1, "count", steps{"short", 0}))
		web.Run(context.Background(), w.put(2, "count", steps{"long", 2}))
		web.Start(w.put(3, "count", steps{"whole", 0}))
		synctest.Wait()
		w.want(w.notes(), "web short 0", "web long 2")
		if !web.Idle() {
			t.Errorf("it holds %d tasks", web.Held())
		}
		for _, l := range w.list(false) {
			if l.At.After(time.Now()) {
				t.Errorf("keeps its lease: %+v", l)
			}
		}
		time.Sleep(1500 * time.Millisecond)
		notes := w.notes()[2:]
		if len(notes) != 3 || strings.Contains(fmt.Sprint(notes), "web") {
			t.Errorf("after a sweep: %v", notes)
		}
		w.clean()
	})
}

// Servers that hand over take no part of the shards, and leave alone what is due.
func TestHandOverDoesNotSweep(t *testing.T) {
	bubble(t, func(w *world) {
		w.server(task.Options{HandOver: true}, map[string]task.Handler{"count": w.countdown("web")})
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

// A first pass that fails is counted and tried again by a worker.
func TestHandOverOfAFault(t *testing.T) {
	bubble(t, func(w *world) {
		fails := func(context.Context, []byte) (any, error) { return nil, fmt.Errorf("not today") }
		web, _ := w.server(task.Options{HandOver: true}, map[string]task.Handler{"count": fails})
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

// It warns as long as there is nobody to take its tasks.
func TestHandOverToNobody(t *testing.T) {
	bubble(t, func(w *world) {
		log := &lines{}
		w.server(task.Options{HandOver: true, Log: slog.New(slog.NewTextHandler(log, nil))}, nil)
		time.Sleep(95 * time.Second)
		if n := log.count("role is worker"); n != 3 {
			t.Errorf("%d warnings", n)
		}
		w.server(task.Options{}, nil)
		time.Sleep(95 * time.Second)
		if n := log.count("role is worker"); n != 3 {
			t.Errorf("%d warnings although there is a worker", n)
		}
	})
}

// lines is a log.
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
