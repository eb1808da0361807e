package apptest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// Costs is a world that counts the calls of its store.
type Costs struct {
	*World
	Engine *faultkv.Engine
}

// NewCosts returns a world without background work, except for tasks. It waits until the task queue
// has looked for old tasks twice, which would otherwise take the tasks of a measured action.
func NewCosts(t *testing.T) Costs { return NewCostsAt(t, time.Now) }

// NewCostsAt is NewCosts with a clock.
func NewCostsAt(t *testing.T, now func() time.Time) Costs {
	e := faultkv.New(memkv.New(memkv.Options{Now: now}))
	w := Idle(t, e, store.Options{Now: now})
	before := e.Stats().Reads
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); w.ServeTasks(ctx) }()
	w.Stop = func() { cancel(); <-done }
	t.Cleanup(w.Stop)
	for end := time.Now().Add(time.Minute); e.Stats().Reads < before+2; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("no look for tasks at the start")
		}
	}
	return Costs{w, e}
}

// Of counts the calls of an action and its tasks, because it is random how many of them run before
// the response.
func (c Costs) Of(what string, act func()) faultkv.Stats {
	c.Helper()
	c.Drain()
	c.Engine.Reset()
	act()
	c.Drain()
	s := c.Engine.Stats()
	c.Logf("%-34s %2d reads (%4d queries), %2d transactions, %2d applies (%4d changes), %d published", what, s.Reads, s.Queries, s.Txns, s.Applies, s.Changes, s.Publishes)
	return s
}

// Rest stops the background work, so that only requests are counted.
func (c Costs) Rest() {
	c.Helper()
	c.Drain()
	c.Stop()
}

// Colder returns the same app with a cold cache.
func (c Costs) Colder() Costs {
	cold := c
	cold.World = Idle(c.T, c.Engine, store.Options{})
	return cold
}

// Crossroads makes a home with all expensive entries: replies, reposts of strangers, private
// statuses, an exclusive list.
func (c Costs) Crossroads(authors, statuses int) linnet.ID {
	c.Helper()
	reader, by, _ := c.Town(authors, statuses)
	for i, a := range by {
		s := c.Post(c.Person(fmt.Sprint("stranger", i)), "strange %d", i)
		Must(c.Posting.Repost(c.Ctx, a, s.ID, nil))(c)
		c.Draft(a, linnet.Draft{Text: "answer", InReplyTo: c.Post(by[(i+1)%len(by)], "question").ID})
		c.Draft(a, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	}
	c.AddTo(reader, c.List(reader, linnet.ListChange{Exclusive: new(true)}), by[0])
	c.Drain()
	return reader
}
