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
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// world is an installation with its tasks running.
type world struct {
	*testing.T
	*app.App
	ctx context.Context
}

func newWorld(t *testing.T, e kv.Engine) *world {
	t.Helper()
	st := store.New(e, store.Options{})
	if err := st.Instance.CheckFormat(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true, Log: slog.New(slog.DiscardHandler), Rates: core.Unlimited()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
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
