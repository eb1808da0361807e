package identity_test

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
func limitedWorld(t *testing.T, e kv.Engine, shared bool) (w *apptest.World, later *atomic.Int64) {
	t.Helper()
	later = &atomic.Int64{}
	now := func() time.Time { return time.Now().Add(time.Duration(later.Load()) * 24 * time.Hour) }
	st := store.New(e, store.Options{Now: now, Shared: shared})
	s := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: !shared, LimitNew: true}))(t)
	return &apptest.World{T: t, App: s, Ctx: context.Background(), Store: st}, later
}

func onLimited(t *testing.T, f func(w *apptest.World, later *atomic.Int64)) {
	apptest.EachEngine(t, func(t *testing.T, e kv.Engine) { f(limitedWorld(t, e, false)) })
}

func refusedPost(w *apptest.World, by linnet.ID, d linnet.Draft, want linnet.Kind) {
	w.Helper()
	_, err := w.Posting.Post(w.Ctx, by, d)
	apptest.WantKind(w, err, want)
}

// TestNewAccountsDoNotRepeatThemselves checks that a new account cannot post the same text twice
// within an hour, except with the same key, after deleting it, or once it is old.
func TestNewAccountsDoNotRepeatThemselves(t *testing.T) {
	onLimited(t, func(w *apptest.World, later *atomic.Int64) {
		ann, bob := w.User("ann"), w.User("bob")
		first := w.Draft(ann, linnet.Draft{Text: "Buy  this @bob", IdempotencyKey: "k"})
		if again := w.Draft(ann, linnet.Draft{Text: "Buy  this @bob", IdempotencyKey: "k"}); again.ID != first.ID {
			w.Errorf("the same key made %v and %v", first.ID, again.ID)
		}
		for _, text := range []string{"Buy  this @bob", "buy THIS", "@bob buy\nthis", "b u y this"} {
			refusedPost(w, ann, linnet.Draft{Text: text}, linnet.Invalid)
		}
		refusedPost(w, ann, linnet.Draft{Text: "buy this", IdempotencyKey: "other"}, linnet.Invalid)
		w.Post(bob, "Buy this") // each account counts separately
		w.Post(ann, "Buy that")
		refusedPost(w, ann, linnet.Draft{Text: "said in the wrong place", InReplyTo: 12345}, linnet.NotFound)
		w.Post(ann, "said in the wrong place")
		apptest.Must(w.Posting.Delete(w.Ctx, ann, first.ID))(w)
		w.Post(ann, "buy this")
		refusedPost(w, ann, linnet.Draft{Text: "buy this"}, linnet.Invalid)
		later.Store(linnet.DefaultNewDays)
		w.Post(ann, "buy this")
		w.Post(ann, "buy this")
	})
}

// TestNewAccountsAreSlowed checks that limits on posts and mentions of strangers apply to new
// accounts only.
func TestNewAccountsAreSlowed(t *testing.T) {
	onLimited(t, func(w *apptest.World, later *atomic.Int64) {
		ann, bob, mod := w.User("ann"), w.User("bob"), w.User("moira")
		if err := w.GiveRole("moira", linnet.Moderator); err != nil {
			w.Fatal(err)
		}
		say := func(by linnet.ID, n int, with string) (refused error) {
			for i := range n {
				if _, err := w.Posting.Post(w.Ctx, by, linnet.Draft{Text: fmt.Sprint(with, i)}); err != nil {
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
		refusedPost(w, ann, linnet.Draft{Text: "@bob more"}, linnet.TooMany)
		w.Post(ann, "more") // a refused post does not count
		noErr(say(bob, linnet.NewMentionsAnHour+1, "@bob of myself"))
		w.Follow(bob, ann)
		w.Post(ann, "@bob, since you follow me")
		noErr(say(ann, linnet.NewPostsAnHour-linnet.NewMentionsAnHour-2, "y"))
		refusedPost(w, ann, linnet.Draft{Text: "the last drop"}, linnet.TooMany)
		noErr(say(mod, linnet.NewPostsAnHour+1, "@bob z"))
		later.Store(linnet.DefaultNewDays)
		noErr(say(ann, linnet.NewPostsAnHour+1, "@moira old"))
		later.Store(0)
		off := 0
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{NewDays: &off}))(w)
		noErr(say(ann, linnet.NewPostsAnHour+1, "@moira off"))
	})
}

// TestNewAccountsFollowSlowly checks that a new account's limit counts only new follows.
func TestNewAccountsFollowSlowly(t *testing.T) {
	w, later := limitedWorld(t, memkv.New(memkv.Options{}), false)
	ann, people := w.User("ann"), make([]linnet.ID, linnet.NewFollowsAnHour+1)
	for i := range people {
		people[i] = apptest.Must(w.SignUpFast(fmt.Sprint("p", i)))(t).ID
	}
	for _, p := range people[:linnet.NewFollowsAnHour] {
		w.Follow(ann, p)
		w.Follow(ann, p)
	}
	last := people[linnet.NewFollowsAnHour]
	_, err := w.Social.Follow(w.Ctx, ann, last, linnet.FollowOptions{})
	apptest.WantKind(t, err, linnet.TooMany)
	later.Store(linnet.DefaultNewDays)
	w.Follow(ann, last)
}

// TestNewAccountsOnTwoServers checks that two servers share the counts of a new account.
func TestNewAccountsOnTwoServers(t *testing.T) {
	apptest.SkipShort(t)
	url := redistest.Single(t)
	one, _ := limitedWorld(t, apptest.OpenRedis(t, url, ""), true)
	two, later := limitedWorld(t, apptest.OpenRedis(t, url, ""), true)
	ann := one.User("ann")
	one.Post(ann, "Hello")
	refusedPost(two, ann, linnet.Draft{Text: "hello"}, linnet.Invalid)
	later.Store(linnet.DefaultNewDays)
	two.Post(ann, "hello")
}

func TestOldAccountsAreNotCounted(t *testing.T) {
	e := faultkv.New(memkv.New(memkv.Options{}))
	w, later := limitedWorld(t, e, false)
	ann := w.User("ann")
	later.Store(linnet.DefaultNewDays)
	w.Post(ann, "x")
	e.Reset()
	w.Post(ann, "x")
	if n := e.Stats().Counts; n != 0 {
		t.Errorf("an old account's post asked %d meters", n)
	}
}

// TestNewcomerSendsAgain checks that a retry with the same key counts once, even for a post without
// text.
func TestNewcomerSendsAgain(t *testing.T) {
	onLimited(t, func(w *apptest.World, _ *atomic.Int64) {
		ann, bob := w.Person("ann"), w.Person("bob")
		quoted := w.Post(bob, "worth it").ID
		first := w.Draft(ann, linnet.Draft{QuoteOf: quoted, IdempotencyKey: "k"})
		for range linnet.NewPostsAnHour {
			if again := w.Draft(ann, linnet.Draft{QuoteOf: quoted, IdempotencyKey: "k"}); again.ID != first.ID {
				w.Fatalf("sent again it is %v, want %v", again.ID, first.ID)
			}
		}
		w.Draft(ann, linnet.Draft{Text: "something else"})
	})
}

// TestNewAccountsInviteLater checks that the right to invite includes the time from which a new
// account has it.
func TestNewAccountsInviteLater(t *testing.T) {
	onLimited(t, func(w *apptest.World, later *atomic.Int64) {
		ann, open, most := w.User("ann"), linnet.RegisterInvite, 2
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &open, Invites: &most}))(w)
		r := apptest.Must(w.Invites.Right(w.Ctx, ann))(w)
		if want := ann.Time().Add(linnet.DefaultNewDays * 24 * time.Hour); r.May || !r.From.Equal(want) {
			w.Errorf("a new account has the right %+v, want it from %v", r, want)
		}
		_, err := w.Invites.CreateAs(w.Ctx, ann, linnet.InviteDraft{Uses: 1, For: time.Hour})
		apptest.WantKind(w, err, linnet.Forbidden)
		later.Store(linnet.DefaultNewDays)
		if r := apptest.Must(w.Invites.Right(w.Ctx, ann))(w); !r.May || !r.From.IsZero() {
			w.Errorf("an older account has the right %+v", r)
		}
	})
}
