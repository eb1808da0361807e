package seed_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// engines runs a test on each engine, on Redis only if it is installed.
func engines(t *testing.T, test func(t *testing.T, open func(t *testing.T) kv.Engine)) {
	t.Run("memory", func(t *testing.T) {
		test(t, openMemory)
	})
	t.Run("disk", func(t *testing.T) {
		test(t, func(t *testing.T) kv.Engine {
			e, err := diskkv.Open(t.TempDir(), diskkv.Options{Reserve: -1, Sync: diskkv.SyncInterval})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e
		})
	})
	t.Run("redis", func(t *testing.T) {
		s := redistest.Start(t)
		test(t, func(t *testing.T) kv.Engine {
			s.Do("FLUSHALL")
			e, err := rediskv.Open(t.Context(), s.URL(), rediskv.Options{Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { e.Close() })
			return e
		})
	})
}

// world is an installation with its tasks running.
type world struct {
	*testing.T
	*app.App
	ctx context.Context
}

func newWorld(t *testing.T, e kv.Engine) *world {
	t.Helper()
	st := store.New(e, store.Options{})
	if err := st.Accounts.CheckFormat(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true, Log: slog.New(slog.DiscardHandler), Rates: core.Unlimited()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	running, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); s.Run(running) }()
	stop := func() { end(); <-done }
	t.Cleanup(func() { cancel(); stop() })
	return &world{T: t, App: s, ctx: ctx}
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// drain waits until the tasks are done.
func (w *world) drain() {
	w.Helper()
	for end := time.Now().Add(time.Minute); !w.Idle(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			w.Fatal("tasks do not end")
		}
	}
}

// check returns the report of a quick check.
func (w *world) check() *admin.Report {
	w.Helper()
	r, err := admin.Check(w.ctx, w.App, admin.CheckOptions{Pause: time.Millisecond})
	w.must(err)
	return r
}

// mustBeClean fails with the findings of a check.
func (w *world) mustBeClean() *admin.Report {
	w.Helper()
	r := w.check()
	if !r.Clean() {
		for _, f := range r.Findings {
			w.Errorf("%s %s %s: %s", f.Severity, f.Rule, f.Key, f.Text)
		}
	}
	return r
}

func openMemory(*testing.T) kv.Engine { return memkv.New(memkv.Options{}) }

func (w *world) user(login string) linnet.ID {
	w.Helper()
	u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: login, Password: "correct horse", Agreed: true})
	w.must(err)
	return u.ID
}
