package task_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/task"
)

// world is a store with queues in a synctest bubble: time passes only when all goroutines wait.
type world struct {
	*testing.T
	engine *faultkv.Engine
	start  time.Time
	spread bool        // the shards are on several servers
	deaf   atomic.Bool // hints are lost

	mu  sync.Mutex
	log []string // notes of handlers, in order
}

// bubble runs a test in a bubble with an empty store.
func bubble(t *testing.T, f func(w *world)) {
	synctest.Test(t, func(t *testing.T) {
		f(&world{T: t, engine: faultkv.New(memkv.New(memkv.Options{})), start: time.Now()})
	})
}

// bubbles runs a test in a bubble on an engine with all shards in one place, and on one whose
// shards are on several servers.
func bubbles(t *testing.T, f func(w *world)) {
	for _, spread := range []bool{false, true} {
		t.Run(fmt.Sprintf("spread %v", spread), func(t *testing.T) {
			bubble(t, func(w *world) { w.spread = spread; f(w) })
		})
	}
}

// over returns an engine as the servers of this world see it.
func (w *world) over(e *faultkv.Engine) task.Engine { return seen{e, w} }

// seen is an engine of a world's server.
type seen struct {
	*faultkv.Engine
	w *world
}

func (s seen) Spread() bool { return s.w.spread }

func (s seen) Publish(ctx context.Context, topic string, payload []byte) error {
	if s.w.deaf.Load() {
		return nil
	}
	return s.Engine.Publish(ctx, topic, payload)
}

// note records an action of a handler, with the seconds since the start.
func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.log = append(w.log, fmt.Sprintf(format, args...))
}

func (w *world) notes() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.log)
}

func (w *world) seconds() float64 { return time.Since(w.start).Seconds() }

// steps are the arguments of tasks that count down to 0, one batch each.
type steps struct {
	Name string
	Left int
}

// countdown is a handler that notes each batch.
func (w *world) countdown(by string) task.Handler {
	return func(_ context.Context, raw []byte) (any, error) {
		var s steps
		if err := json.Unmarshal(raw, &s); err != nil {
			return nil, err
		}
		w.note("%s %s %d", by, s.Name, s.Left)
		if s.Left == 0 {
			return nil, nil
		}
		return steps{s.Name, s.Left - 1}, nil
	}
}

// server runs a queue until stop is called.
func (w *world) server(opt task.Options, handlers map[string]task.Handler) (q *task.Queue, stop func()) {
	opt.Now = time.Now
	q = task.NewQueue(w.over(w.engine), handlers, opt)
	return q, w.serve(q)
}

func (w *world) serve(q *task.Queue) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); q.Serve(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-done })
	w.Cleanup(stop)
	return stop
}

// put writes a task like an action.
func (w *world) put(shard uint16, kind string, args any) task.Task {
	w.Helper()
	t, err := task.New(shard, kind, args, time.Now())
	if err != nil {
		w.Fatal(err)
	}
	if _, err := w.engine.Txn(w.Context(), nil, t.Ops()...); err != nil {
		w.Fatal(err)
	}
	return t
}

// list returns the waiting tasks, or the failed ones.
func (w *world) list(dead bool) []task.Listed {
	w.Helper()
	l, err := task.List(context.Background(), w.engine, dead, 5000)
	if err != nil {
		w.Fatal(err)
	}
	return l
}

// clean fails if any data of a task is left in the store.
func (w *world) clean() {
	w.Helper()
	if l := append(w.list(false), w.list(true)...); len(l) > 0 {
		w.Fatalf("%d tasks are left, such as %+v", len(l), l[0])
	}
	var cursor string
	for {
		keys, next, err := w.engine.Keys(context.Background(), cursor)
		if err != nil {
			w.Fatal(err)
		}
		for _, k := range keys {
			if k.Kind == task.Key(0, "").Kind {
				w.Errorf("record %v is left", k)
			}
		}
		if cursor = next; cursor == "" {
			return
		}
	}
}

func (w *world) want(got []string, want ...string) {
	w.Helper()
	if !slices.Equal(got, want) {
		w.Errorf("got %q, want %q", got, want)
	}
}

func (w *world) txn(ops ...kv.Op) {
	w.Helper()
	if _, err := w.engine.Txn(context.Background(), nil, ops...); err != nil {
		w.Fatal(err)
	}
}
