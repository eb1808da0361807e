package admin_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// badClock is the system clock with an offset, or a stopped clock.
type badClock struct {
	mu     sync.Mutex
	off    time.Duration
	frozen time.Time
}

func (c *badClock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.frozen.IsZero() {
		return c.frozen
	}
	return time.Now().Add(c.off)
}

func (c *badClock) turn(off time.Duration, frozen bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.off, c.frozen = off, time.Time{}
	if frozen {
		c.frozen = time.Now().Add(off)
	}
}

// installation runs a service with its tasks on a store, until end is called or the test ends.
func installation(t *testing.T, e kv.Engine, now func() time.Time) (s *app.App, end func()) {
	t.Helper()
	st := store.New(e, store.Options{Now: now})
	s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	end = func() { cancel(); <-done }
	t.Cleanup(end)
	return s, end
}

// TestClock checks that ids are unique, ids of each author increase, and tasks and limits work,
// even if the clock is wrong. The clock goes back by a second and an hour, stops, and is back an
// hour after a restart.
func TestClock(t *testing.T) {
	clock := &badClock{}
	engine := memkv.New(memkv.Options{Now: clock.now})
	s, end := installation(t, engine, clock.now)
	var authors []linnet.ID
	for i := range 4 {
		u, err := s.Identity.SignUp(t.Context(), linnet.SignUp{Login: fmt.Sprint("u", i), Password: "correct horse", Agreed: true})
		if err != nil {
			t.Fatal(err)
		}
		authors = append(authors, u.ID)
	}
	issued, last := map[linnet.ID]bool{}, map[linnet.ID]linnet.ID{}
	for _, is := range []struct {
		name   string
		off    time.Duration
		frozen bool
		anew   bool
	}{{name: "right"}, {name: "back 1 s", off: -time.Second}, {name: "back 1 h", off: -time.Hour}, {name: "frozen", off: -time.Hour, frozen: true},
		{name: "back 2 h, started anew", off: -2 * time.Hour, anew: true}, {name: "right again"}} {
		clock.turn(is.off, is.frozen)
		if is.anew {
			end()
			s, end = installation(t, engine, clock.now)
		}
		for i := range 400 {
			author := authors[i%len(authors)]
			v, err := s.Posting.Post(t.Context(), author, linnet.Draft{Text: fmt.Sprint(is.name, i)})
			if err != nil {
				t.Fatalf("%s: %v", is.name, err)
			}
			if issued[v.ID] || v.ID <= last[author] {
				t.Fatalf("%s: id %v after %v, issued before: %v", is.name, v.ID, last[author], issued[v.ID])
			}
			issued[v.ID], last[author] = true, v.ID
		}
		who := authors[0].String() + is.name
		for n := range int64(3) {
			left, reset, err := s.Core.Allow(t.Context(), "torture", who, 2, time.Minute)
			if (err != nil) != (n == 2) || reset.Sub(clock.now()) > time.Minute || err == nil && left != 1-n {
				t.Errorf("%s: use %d of 2: %d left until %v, %v", is.name, n+1, left, reset, err)
			}
		}
		(&world{T: t, App: s}).drain() // tasks continue
	}
	clean(t, s)
}

// clean checks an idle store.
func clean(t *testing.T, s *app.App) {
	t.Helper()
	r, err := admin.Check(t.Context(), s, admin.CheckOptions{Pause: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Findings {
		if f.Severity != admin.Note {
			t.Errorf("%s %s %s: %s", f.Severity, f.Rule, f.Key, f.Text)
		}
	}
}
