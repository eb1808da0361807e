package apptest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// World is an app over an engine, usually with running tasks.
type World struct {
	*testing.T
	*app.App
	Ctx   context.Context
	Store *store.Store
	Stop  func() // ends the background work, nil if it was not started
	works bool   // runs tasks in the background
}

// New starts an app over an engine. It ends with the test.
func New(t *testing.T, e kv.Engine) *World {
	t.Helper()
	return NewWith(t, e, store.Options{})
}

// NewWith is New with options of the store.
func NewWith(t *testing.T, e kv.Engine, opt store.Options) *World {
	t.Helper()
	st := store.New(e, opt)
	s, err := app.New(st, app.Options{Derive: Derive, PublicURL: "https://linnet.test", Exclusive: true, Files: Files(t),
		Rates: core.Rates{Follow: -1, Report: -1}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	running, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); s.Run(running) }()
	w := &World{T: t, App: s, Ctx: ctx, Store: st, works: true}
	w.Stop = func() { end(); <-done; w.works = false }
	t.Cleanup(func() { cancel(); w.Stop() })
	return w
}

// InMemory starts an app over an empty store in memory.
func InMemory(t *testing.T) *World { return New(t, memkv.New(memkv.Options{})) }

// User signs up a user.
func (w *World) User(login string) linnet.ID {
	w.Helper()
	u, err := w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: login, Password: Password, Agreed: true, Listed: true})
	if err != nil {
		w.Fatalf("sign up %s: %v", login, err)
	}
	return u.ID
}

// Post posts a public status with a text.
func (w *World) Post(by linnet.ID, format string, args ...any) linnet.StatusView {
	w.Helper()
	return w.Draft(by, linnet.Draft{Text: fmt.Sprintf(format, args...)})
}

// Draft posts a status.
func (w *World) Draft(by linnet.ID, d linnet.Draft) linnet.StatusView {
	w.Helper()
	v, err := w.Posting.Post(w.Ctx, by, d)
	if err != nil {
		w.Fatalf("post: %v", err)
	}
	return v
}

// Follow makes a follow b.
func (w *World) Follow(a, b linnet.ID) {
	w.Helper()
	if _, err := w.Social.Follow(w.Ctx, a, b, linnet.FollowOptions{}); err != nil {
		w.Fatalf("follow: %v", err)
	}
}

// NextMillisecond waits until the next id has a later millisecond than all earlier ones.
func (w *World) NextMillisecond() {
	for last := w.Store.NewID(0, 0).Millis(); w.Store.Now().UnixMilli() <= last; { // ids can be ahead of the clock
		time.Sleep(100 * time.Microsecond)
	}
}

// Drain waits until all tasks are done.
func (w *World) Drain() {
	w.Helper()
	for end := time.Now().Add(time.Minute); !w.Idle(); {
		if time.Now().After(end) {
			w.Fatal("tasks do not end")
		}
		time.Sleep(time.Millisecond)
	}
}

// Home reads the whole home timeline page by page. It fails on duplicates and wrong order.
func (w *World) Home(me linnet.ID, limit int) []linnet.StatusView {
	w.Helper()
	return w.Pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) { return w.Reading.Home(w.Ctx, me, p) })
}

// Pages reads all pages of a timeline. It fails on duplicates and wrong order.
func (w *World) Pages(limit int, read func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) []linnet.StatusView {
	w.Helper()
	var all []linnet.StatusView
	p := linnet.Page{Limit: limit}
	for range 10_000 {
		s, err := read(p)
		if err != nil {
			w.Fatalf("page below %q: %v", p.Max, err)
		}
		for _, v := range s.Items {
			if n := len(all); n > 0 && v.ID >= all[n-1].ID {
				w.Fatalf("status %v comes after %v", v.ID, all[n-1].ID)
			}
			all = append(all, v)
		}
		if s.Last == "" {
			return all
		}
		p.Max = s.Last
	}
	w.Fatal("paging does not end")
	return nil
}

// Texts returns the texts of statuses. The text of a boost begins with RT.
func Texts(vs []linnet.StatusView) []string {
	var out []string
	for _, v := range vs {
		if v.Repost != nil {
			out = append(out, "RT "+v.Repost.Text)
		} else {
			out = append(out, v.Text)
		}
	}
	return out
}

// Err returns only the error of a call with two results.
func Err[T any](_ T, err error) error { return err }

// Logins describes the logins of users.
func Logins(vs []linnet.UserView) string {
	var out []string
	for _, v := range vs {
		out = append(out, v.Login)
	}
	return fmt.Sprint(out)
}
