package app_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// limitedWorld returns an app that limits new accounts. Its clock is later days ahead.
func limitedWorld(t *testing.T, e kv.Engine, shared bool) (w *world, later *atomic.Int64) {
	t.Helper()
	later = &atomic.Int64{}
	now := func() time.Time { return time.Now().Add(time.Duration(later.Load()) * 24 * time.Hour) }
	st := store.New(e, store.Options{Now: now, Shared: shared})
	s := must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet(), Exclusive: !shared, LimitNew: true}))(t)
	return &world{T: t, App: s, ctx: context.Background(), store: st}, later
}

func onLimited(t *testing.T, f func(w *world, later *atomic.Int64)) {
	t.Run("memory", func(t *testing.T) { f(limitedWorld(t, memkv.New(memkv.Options{}), false)) })
	t.Run("disk", func(t *testing.T) {
		notWhenShort(t)
		f(limitedWorld(t, openDisk(t), false))
	})
	t.Run("redis", func(t *testing.T) {
		notWhenShort(t)
		f(limitedWorld(t, openRedis(t, redistest.Single(t), ""), false))
	})
}

func (w *world) refusedPost(by linnet.ID, d linnet.Draft, want linnet.Kind) {
	w.Helper()
	_, err := w.Posting.Post(w.ctx, by, d)
	kindIs(w, err, want)
}

// TestNewAccountsDoNotRepeatThemselves checks that a new account cannot post the same text twice
// within an hour, except with the same key, after deleting it, or once it is old.
func TestNewAccountsDoNotRepeatThemselves(t *testing.T) {
	onLimited(t, func(w *world, later *atomic.Int64) {
		ann, bob := w.user("ann"), w.user("bob")
		first := w.draft(ann, linnet.Draft{Text: "Buy  this @bob", IdempotencyKey: "k"})
		if again := w.draft(ann, linnet.Draft{Text: "Buy  this @bob", IdempotencyKey: "k"}); again.ID != first.ID {
			w.Errorf("the same key made %v and %v", first.ID, again.ID)
		}
		for _, text := range []string{"Buy  this @bob", "buy THIS", "@bob buy\nthis", "b u y this"} {
			w.refusedPost(ann, linnet.Draft{Text: text}, linnet.Invalid)
		}
		w.refusedPost(ann, linnet.Draft{Text: "buy this", IdempotencyKey: "other"}, linnet.Invalid)
		w.post(bob, "Buy this") // each account counts separately
		w.post(ann, "Buy that")
		w.refusedPost(ann, linnet.Draft{Text: "said in the wrong place", InReplyTo: 12345}, linnet.NotFound)
		w.post(ann, "said in the wrong place")
		must(w.Posting.Delete(w.ctx, ann, first.ID))(w)
		w.post(ann, "buy this")
		w.refusedPost(ann, linnet.Draft{Text: "buy this"}, linnet.Invalid)
		later.Store(linnet.DefaultNewDays)
		w.post(ann, "buy this")
		w.post(ann, "buy this")
	})
}

// TestNewAccountsAreSlowed checks that limits on posts and mentions of strangers apply to new
// accounts only.
func TestNewAccountsAreSlowed(t *testing.T) {
	onLimited(t, func(w *world, later *atomic.Int64) {
		ann, bob, mod := w.user("ann"), w.user("bob"), w.user("moira")
		if err := w.giveRole("moira", linnet.Moderator); err != nil {
			w.Fatal(err)
		}
		say := func(by linnet.ID, n int, with string) (refused error) {
			for i := range n {
				if _, err := w.Posting.Post(w.ctx, by, linnet.Draft{Text: fmt.Sprint(with, i)}); err != nil {
					return err
				}
			}
			return nil
		}
		noErr := func(err error) {
			w.Helper()
			if err != nil {
				w.Error(err)
			}
		}
		noErr(say(ann, linnet.NewMentionsAnHour, "@bob x"))
		w.refusedPost(ann, linnet.Draft{Text: "@bob more"}, linnet.TooMany)
		w.post(ann, "more") // a refused post does not count
		noErr(say(bob, linnet.NewMentionsAnHour+1, "@bob of myself"))
		w.follow(bob, ann)
		w.post(ann, "@bob, since you follow me")
		noErr(say(ann, linnet.NewPostsAnHour-linnet.NewMentionsAnHour-2, "y"))
		w.refusedPost(ann, linnet.Draft{Text: "the last drop"}, linnet.TooMany)
		noErr(say(mod, linnet.NewPostsAnHour+1, "@bob z"))
		later.Store(linnet.DefaultNewDays)
		noErr(say(ann, linnet.NewPostsAnHour+1, "@moira old"))
		later.Store(0)
		off := 0
		must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{NewDays: &off}))(w)
		noErr(say(ann, linnet.NewPostsAnHour+1, "@moira off"))
	})
}

// TestNewAccountsFollowSlowly checks that a new account's limit counts only new follows.
func TestNewAccountsFollowSlowly(t *testing.T) {
	w, later := limitedWorld(t, memkv.New(memkv.Options{}), false)
	ann, people := w.user("ann"), make([]linnet.ID, linnet.NewFollowsAnHour+1)
	for i := range people {
		people[i] = must(w.signUpFast(fmt.Sprint("p", i)))(t).ID
	}
	for _, p := range people[:linnet.NewFollowsAnHour] {
		w.follow(ann, p)
		w.follow(ann, p)
	}
	last := people[linnet.NewFollowsAnHour]
	_, err := w.Social.Follow(w.ctx, ann, last, linnet.FollowOptions{})
	kindIs(t, err, linnet.TooMany)
	later.Store(linnet.DefaultNewDays)
	w.follow(ann, last)
}

// TestNewAccountsOnTwoServers checks that two servers share the counts of a new account.
func TestNewAccountsOnTwoServers(t *testing.T) {
	notWhenShort(t)
	url := redistest.Single(t)
	one, _ := limitedWorld(t, openRedis(t, url, ""), true)
	two, later := limitedWorld(t, openRedis(t, url, ""), true)
	ann := one.user("ann")
	one.post(ann, "Hello")
	two.refusedPost(ann, linnet.Draft{Text: "hello"}, linnet.Invalid)
	later.Store(linnet.DefaultNewDays)
	two.post(ann, "hello")
}

func TestOldAccountsAreNotCounted(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	w, later := limitedWorld(t, e, false)
	ann := w.user("ann")
	later.Store(linnet.DefaultNewDays)
	w.post(ann, "x")
	e.Reset()
	w.post(ann, "x")
	if n := e.Stats().Counts; n != 0 {
		t.Errorf("an old account's post asked %d meters", n)
	}
}

// TestNewcomerSendsAgain checks that a retry with the same key counts once, even for a post without
// text.
func TestNewcomerSendsAgain(t *testing.T) {
	onLimited(t, func(w *world, _ *atomic.Int64) {
		ann, bob := w.person("ann"), w.person("bob")
		quoted := w.post(bob, "worth it").ID
		first := w.draft(ann, linnet.Draft{QuoteOf: quoted, IdempotencyKey: "k"})
		for range linnet.NewPostsAnHour {
			if again := w.draft(ann, linnet.Draft{QuoteOf: quoted, IdempotencyKey: "k"}); again.ID != first.ID {
				w.Fatalf("sent again it is %v, want %v", again.ID, first.ID)
			}
		}
		w.draft(ann, linnet.Draft{Text: "something else"})
	})
}

// TestNewAccountsInviteLater checks that the right to invite includes the time from which a new
// account has it.
func TestNewAccountsInviteLater(t *testing.T) {
	onLimited(t, func(w *world, later *atomic.Int64) {
		ann, open, most := w.user("ann"), linnet.RegisterInvite, 2
		must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &open, Invites: &most}))(w)
		r := must(w.Invites.Right(w.ctx, ann))(w)
		if want := ann.Time().Add(linnet.DefaultNewDays * 24 * time.Hour); r.May || !r.From.Equal(want) {
			w.Errorf("a new account has the right %+v, want it from %v", r, want)
		}
		_, err := w.Invites.CreateAs(w.ctx, ann, linnet.InviteDraft{Uses: 1, For: time.Hour})
		kindIs(w, err, linnet.Forbidden)
		later.Store(linnet.DefaultNewDays)
		if r := must(w.Invites.Right(w.ctx, ann))(w); !r.May || !r.From.IsZero() {
			w.Errorf("an older account has the right %+v", r)
		}
	})
}
