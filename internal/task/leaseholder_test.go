package task_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/task"
)

// mortal is a server that can die: it loses its store at once and releases nothing.
type mortal struct {
	*task.Queue
	engine *faultkv.Engine
	end    context.CancelFunc
	done   chan struct{}
}

func (w *world) mortal(name string, handlers map[string]task.Handler) *mortal {
	return w.mortalWith(name, handlers, task.Options{})
}

func (w *world) mortalWith(name string, handlers map[string]task.Handler, opt task.Options) *mortal {
	m := &mortal{engine: faultkv.New(w.engine), done: make(chan struct{})}
	opt.Now, opt.Name = time.Now, name
	m.Queue = task.NewQueue(w.over(m.engine), handlers, opt)
	ctx, end := context.WithCancel(context.Background())
	m.end = end
	go func() { defer close(m.done); m.Serve(ctx) }()
	w.Cleanup(m.die)
	return m
}

func (m *mortal) die() {
	m.engine.Away(true)
	m.end()
	<-m.done
}

// post writes a task on this server, like a request, and starts it.
func (w *world) post(m *mortal, shard uint16, args steps) {
	w.Helper()
	t, err := m.New(shard, "count", args)
	if err != nil {
		w.Fatal(err)
	}
	w.txn(t.Ops()...)
	m.Start(t)
}

// stuck is a handler during which a server dies.
func stuck(ctx context.Context, _ []byte) (any, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// TestTakenOverWithinSeconds checks that the tasks of a dead server are taken by the others within
// five seconds, each once, and that tasks of living servers are not.
func TestTakenOverWithinSeconds(t *testing.T) {
	bubbles(t, func(w *world) {
		taken := func(_ context.Context, raw []byte) (any, error) {
			var s steps
			err := json.Unmarshal(raw, &s)
			w.note("%s", s.Name)
			return nil, err
		}
		victim := w.mortal("victim", map[string]task.Handler{"count": stuck})
		alive := w.mortal("alive", map[string]task.Handler{"count": func(ctx context.Context, raw []byte) (any, error) {
			if strings.Contains(string(raw), "of the victim") {
				return taken(ctx, raw)
			}
			return stuck(ctx, raw)
		}})
		for i := range 3 {
			w.mortal(fmt.Sprint("other", i), map[string]task.Handler{"count": taken})
		}
		time.Sleep(3 * time.Second) // they know each other
		for i := range 40 {
			w.post(victim, uint16(i*25), steps{"of the victim", 0})
			if i < 2 { // so that workers remain for other tasks
				w.post(alive, uint16(i*25+1), steps{"of the other", 0})
			}
		}
		time.Sleep(time.Second)
		w.want(w.notes())
		victim.die()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		for _, n := range w.notes() {
			if n != "of the victim" {
				t.Fatalf("a task %s was taken from it", n)
			}
		}
		if n := len(w.notes()); n != 40 {
			t.Errorf("%d of 40 tasks were taken over within 5 s", n)
		}
	})
}

// TestTakenBackAtOnce checks that a restarted server takes its tasks back at once, alone or with
// other servers.
func TestTakenBackAtOnce(t *testing.T) {
	for _, others := range []int{0, 2} {
		bubbles(t, func(w *world) {
			before := w.mortal("web1", map[string]task.Handler{"count": stuck})
			for i := range others {
				w.mortal(fmt.Sprint("other", i), map[string]task.Handler{"count": stuck})
			}
			time.Sleep(3 * time.Second)
			for i := range 10 {
				w.post(before, uint16(i*100), steps{fmt.Sprint(i), 0})
			}
			before.die()
			time.Sleep(500 * time.Millisecond)
			again := w.mortal("web1", map[string]task.Handler{"count": w.countdown("again")})
			time.Sleep(time.Millisecond)
			synctest.Wait()
			if n := len(w.notes()); n != 10 {
				t.Errorf("with %d others, %d of 10 tasks were taken back at once", others, n)
			}
			again.die()
		})
	}
}

// TestIdleCost checks the queries of an idle server: its heartbeat, the other servers, and one
// query for due tasks. If the shards are on several servers, it makes one query per shard every 90
// s, and every 10 minutes for scheduled tasks.
func TestIdleCost(t *testing.T) {
	bubbles(t, func(w *world) {
		m := w.mortal("idle", nil)
		time.Sleep(5 * time.Second)
		m.engine.Reset()
		const beats = 900
		time.Sleep(beats * time.Second)
		s := m.engine.Stats()
		queries := 2 * beats // the two sets of servers
		if w.spread {
			queries += (beats/90 + 1 + beats/600 + 1) * kv.Shards // depending on the second, one more of each
		} else {
			queries += beats + beats/30
		}
		if s.Txns != 0 || s.Applies > beats || s.Publishes != 0 || s.Queries > queries {
			t.Errorf("in %d s an idle server made %+v, want at most %d queries", beats, s, queries)
		}
	})
}

// TestServers checks that living servers are listed with their versions, whether they sweep or
// delegate, and that dead ones are not. It also covers members of earlier releases.
func TestServers(t *testing.T) {
	bubbles(t, func(w *world) {
		a := w.mortalWith("a", nil, task.Options{Version: "1.0/x"})
		w.mortalWith("b", nil, task.Options{Version: "1.1", Delegate: true})
		for _, m := range []kv.Add{
			{Member: "7/c/k2", Score: time.Now().UnixMilli()},
			{Member: "7/gone/k2/0.9", Score: time.Now().Add(-time.Hour).UnixMilli()},
		} {
			m.Key = task.ServersKey()
			if err := w.engine.Apply(w.Context(), m); err != nil {
				w.Fatal(err)
			}
		}
		synctest.Wait()
		got, err := a.Servers(w.Context())
		if want := "[{a 1.0/x} {b 1.1} {c }]"; err != nil || fmt.Sprint(got) != want {
			w.Errorf("servers %v, %v, want %s", got, err, want)
		}
		a.engine.Away(true)
		if _, err := a.Servers(w.Context()); err == nil {
			w.Error("servers of a store that is away")
		}
	})
}
