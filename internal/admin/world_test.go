package admin_test

import (
	"context"
	"fmt"
	"log/slog"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/blob"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// world is an instance with its tasks running.
type world struct {
	*testing.T
	*app.App
	ctx    context.Context
	engine kv.Engine
	stop   func() // stops background work
}

func newWorld(t *testing.T, e kv.Engine) *world { t.Helper(); return newWorldWith(t, e, nil) }

func newWorldWith(t *testing.T, e kv.Engine, files blob.Store) *world {
	t.Helper()
	st := store.New(e, store.Options{})
	if err := st.Instance.CheckFormat(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Exclusive: true, Files: files, Log: slog.New(slog.DiscardHandler), Rates: core.Unlimited()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	running, end := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() { defer close(done); s.Run(running) }()
	stop := func() { end(); <-done }
	t.Cleanup(func() { cancel(); stop() })
	return &world{T: t, App: s, ctx: ctx, engine: e, stop: stop}
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

// village is a small world in which each action has happened once.
type village struct {
	*world
	ann, bob, eve   linnet.ID
	list, hidden    linnet.ID // ann's lists; the second was deleted
	first, reply    linnet.ID // by bob, with a tag; to it, by ann
	private, direct linnet.ID // by bob; the second to ann
	repost, gone    linnet.ID // by ann of first; by bob, deleted
}

func newVillage(t *testing.T, e kv.Engine) *village {
	t.Helper()
	v := &village{world: newWorld(t, e)}
	v.ann, v.bob, v.eve = v.user("ann"), v.user("Bob"), v.user("eve")
	name := "Bob the Builder"
	_, err := v.Social.Profiles.Update(v.ctx, v.bob, linnet.ProfileChange{Name: &name})
	v.must(err)
	v.follow(v.ann, v.bob)
	v.first = v.post(v.bob, linnet.Draft{Text: "hello @ann #Greetings"})
	v.private = v.post(v.bob, linnet.Draft{Text: "for friends", Visibility: ptr(linnet.Private)})
	v.direct = v.post(v.bob, linnet.Draft{Text: "@ann psst", Visibility: ptr(linnet.Direct)})
	v.gone = v.post(v.bob, linnet.Draft{Text: "@ann never mind #oops"})
	v.reply = v.post(v.ann, linnet.Draft{Text: "hi #Greetings", InReplyTo: v.first})
	v.follow(v.eve, v.ann)
	v.follow(v.eve, v.bob)
	v.lists()
	v.marks()
	for _, id := range []linnet.ID{v.ann, v.bob, v.eve} { // warms the homes
		_, err := v.Reading.Home(v.ctx, id, linnet.Page{})
		v.must(err)
	}
	_, err = v.Feeds.ListTimeline(v.ctx, v.ann, v.list, linnet.Page{})
	v.must(err)
	v.drain()
	return v
}

func openMemory(*testing.T) kv.Engine { return memkv.New(memkv.Options{}) }

func (v *village) lists() {
	title, other := "neighbours", "others"
	l, err := v.Lists.CreateList(v.ctx, v.ann, linnet.ListChange{Title: &title})
	v.must(err)
	v.list = l.ID
	v.must(v.Lists.AddToList(v.ctx, v.ann, l.ID, []linnet.ID{v.bob, v.eve}))
	v.must(v.Lists.RemoveFromList(v.ctx, v.ann, l.ID, []linnet.ID{v.eve}))
	l, err = v.Lists.CreateList(v.ctx, v.ann, linnet.ListChange{Title: &other})
	v.must(err)
	v.hidden = l.ID
	v.must(v.Lists.AddToList(v.ctx, v.ann, l.ID, []linnet.ID{v.bob}))
	v.must(v.Lists.DeleteList(v.ctx, v.ann, l.ID))
}

func (v *village) marks() {
	r, err := v.Posting.Repost(v.ctx, v.ann, v.first, nil)
	v.must(err)
	v.repost = r.ID
	_, err = v.Posting.Repost(v.ctx, v.eve, v.gone, nil)
	v.must(err)
	for _, id := range []linnet.ID{v.first, v.gone} {
		_, err = v.Posting.Marks.Favourite(v.ctx, v.ann, id)
		v.must(err)
		_, err = v.Posting.Marks.Bookmark(v.ctx, v.ann, id)
		v.must(err)
	}
	_, err = v.Posting.Delete(v.ctx, v.bob, v.gone)
	v.must(err)
	_, err = v.Social.Unfollow(v.ctx, v.eve, v.bob)
	v.must(err)
	_, err = v.Social.Follow(v.ctx, v.ann, v.bob, linnet.FollowOptions{Notify: ptr(true), Reposts: ptr(false)})
	v.must(err)
}

func ptr[T any](v T) *T { return &v }

func (w *world) user(login string) linnet.ID {
	w.Helper()
	u, err := w.Identity.SignUp(w.ctx, linnet.SignUp{Login: login, Password: "correct horse", Agreed: true})
	w.must(err)
	return u.ID
}

func (w *world) post(by linnet.ID, d linnet.Draft) linnet.ID {
	w.Helper()
	v, err := w.Posting.Post(w.ctx, by, d)
	w.must(err)
	return v.ID
}

func (w *world) follow(a, b linnet.ID) {
	w.Helper()
	_, err := w.Social.Follow(w.ctx, a, b, linnet.FollowOptions{})
	w.must(err)
}

// key returns the key of a record.
func key(kind string, id linnet.ID) kv.Key {
	return kv.Key{Kind: kind, Shard: id.Shard(), ID: id.String()}
}

// value returns the bytes of a record.
func (w *world) value(k kv.Key) []byte {
	w.Helper()
	get := &kv.Get{Key: k}
	w.must(w.engine.Read(w.ctx, get))
	if get.Version == 0 {
		w.Fatalf("%v does not exist", k)
	}
	return get.Data
}

// write changes the store directly, bypassing the service.
func (w *world) write(ops ...kv.Op) {
	w.Helper()
	for _, op := range ops {
		if _, err := w.engine.Txn(w.ctx, nil, op); err != nil {
			w.Fatal(fmt.Errorf("%T of %v: %w", op, kv.KeyOfOp(op), err))
		}
	}
}
