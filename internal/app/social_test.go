package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// world is an app over an engine, usually with running tasks.
type world struct {
	*testing.T
	*app.App
	ctx   context.Context
	store *store.Store
	stop  func() // ends the background work, nil if it was not started
	works bool   // runs tasks in the background
}

func newWorld(t *testing.T, e kv.Engine) *world {
	t.Helper()
	return worldOf(t, e, store.Options{})
}

func worldOf(t *testing.T, e kv.Engine, opt store.Options) *world {
	t.Helper()
	st := store.New(e, opt)
	s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true, Files: apptest.Files(t),
		Rates: core.Rates{Follow: -1, Report: -1}})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	running, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); s.Run(running) }()
	w := &world{T: t, App: s, ctx: ctx, store: st, works: true}
	w.stop = func() { end(); <-done; w.works = false }
	t.Cleanup(func() { cancel(); w.stop() })
	return w
}

func memWorld(t *testing.T) *world { return newWorld(t, memkv.New(memkv.Options{})) }

// user signs up a user.
func (w *world) user(login string) linnet.ID {
	w.Helper()
	u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: login, Password: "correct horse", Agreed: true, Listed: true})
	if err != nil {
		w.Fatalf("sign up %s: %v", login, err)
	}
	return u.ID
}

func (w *world) post(by linnet.ID, format string, args ...any) linnet.StatusView {
	w.Helper()
	return w.draft(by, linnet.Draft{Text: fmt.Sprintf(format, args...)})
}

func (w *world) draft(by linnet.ID, d linnet.Draft) linnet.StatusView {
	w.Helper()
	v, err := w.Posting.Post(w.ctx, by, d)
	if err != nil {
		w.Fatalf("post: %v", err)
	}
	return v
}

func (w *world) follow(a, b linnet.ID) {
	w.Helper()
	if _, err := w.Social.Follow(w.ctx, a, b, linnet.FollowOptions{}); err != nil {
		w.Fatalf("follow: %v", err)
	}
}

// nextMillisecond waits until the next id has a later millisecond than all earlier ones.
func (w *world) nextMillisecond() {
	for last := w.store.NewID(0, 0).Millis(); w.store.Now().UnixMilli() <= last; { // ids can be ahead of the clock
		time.Sleep(100 * time.Microsecond)
	}
}

// drain waits until all tasks are done.
func (w *world) drain() {
	w.Helper()
	for end := time.Now().Add(time.Minute); !w.Idle(); {
		if time.Now().After(end) {
			w.Fatal("tasks do not end")
		}
		time.Sleep(time.Millisecond)
	}
}

// home reads the whole home timeline page by page. It fails on duplicates and wrong order.
func (w *world) home(me linnet.ID, limit int) []linnet.StatusView {
	w.Helper()
	return w.pages(limit, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) { return w.Reading.Home(w.ctx, me, p) })
}

func (w *world) pages(limit int, read func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) []linnet.StatusView {
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

func texts(vs []linnet.StatusView) []string {
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

func TestFirstMinutes(t *testing.T) {
	w := memWorld(t)
	ann, bob := w.user("ann"), w.user("Bob")
	w.post(bob, "before")
	w.follow(ann, bob)
	w.post(bob, "hello @ann #Greetings")
	w.post(ann, "mine")
	if got := fmt.Sprint(texts(w.home(ann, 1))); got != "[mine hello @ann #Greetings before]" {
		t.Errorf("ann's home: %v", got)
	}
	if got := fmt.Sprint(texts(w.home(bob, 1))); got != "[hello @ann #Greetings before]" {
		t.Errorf("bob's home: %v", got)
	}
	n, err := w.Notify.Notifications(w.ctx, ann, linnet.NotificationFilter{}, linnet.Page{})
	if err != nil || len(n.Items) != 1 || n.Items[0].Type != linnet.NotifyMention {
		t.Errorf("ann's notifications: %+v, %v", n.Items, err)
	}
	tag, err := w.Reading.Tag(w.ctx, 0, linnet.TagQuery{Tag: "GREETINGS"}, linnet.Page{})
	if err != nil || len(tag.Items) != 1 {
		t.Errorf("tag: %v %v", texts(tag.Items), err)
	}
}
