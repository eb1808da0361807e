package live_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/identity"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/live"
	"linnet/internal/store"
)

// TestStreams checks that each stream carries its events and no others.
func TestStreams(t *testing.T) { apptest.OnEngines(t, streams) }

func streams(w *apptest.World) {
	me, ann, bob := w.Person("me"), w.Person("ann"), w.Person("bob")
	w.Follow(me, ann)
	list := w.List(me, linnet.ListChange{})
	w.AddTo(me, list, bob)
	kinds := []linnet.StreamKind{linnet.StreamUser, linnet.StreamUserNotification, linnet.StreamPublic, linnet.StreamPublicMedia, linnet.StreamLocal,
		linnet.StreamLocalMedia, linnet.StreamRemote, linnet.StreamRemoteMedia, linnet.StreamDirect}
	ears := map[linnet.StreamKind]*apptest.Listener{}
	for _, k := range kinds {
		ears[k] = w.Listen(apptest.Session(me), apptest.Stream(k))
	}
	ears[linnet.StreamTag] = w.Listen(linnet.Session{}, linnet.Stream{Kind: linnet.StreamTag, Tag: "TEA"})
	ears[linnet.StreamTagLocal] = w.Listen(linnet.Session{}, linnet.Stream{Kind: linnet.StreamTagLocal, Tag: "tea"})
	ears[linnet.StreamList] = w.Listen(apptest.Session(me), linnet.Stream{Kind: linnet.StreamList, List: list})
	last := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamPublic))

	public := w.Post(ann, "public #tea")
	w.Draft(ann, linnet.Draft{Text: "unlisted #tea", Visibility: new(linnet.Unlisted)})
	w.Draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	w.Draft(ann, linnet.Draft{Text: "direct @me", Visibility: new(linnet.Direct)})
	w.Draft(bob, linnet.Draft{Text: "secret of bob", Visibility: new(linnet.Private)})
	w.Post(bob, "by bob")
	w.Draft(ann, linnet.Draft{Text: "to bob #tea", InReplyTo: w.Post(bob, "bob asks").ID})
	apptest.Must(w.Posting.Repost(w.Ctx, ann, w.Post(w.Person("cat"), "by cat").ID, nil))(w)
	last.WaitFor("user update RT by cat") // a status deleted earlier is not sent
	apptest.Must(w.Posting.Delete(w.Ctx, ann, public.ID))(w)
	w.Post(me, "the last")
	last.WaitFor("user update the last")
	global := []string{"update public #tea", "update by bob", "update bob asks", "update by cat", "delete", "update the last"}
	for k, want := range map[linnet.StreamKind][]string{
		linnet.StreamUser:             {"update public #tea", "update unlisted #tea", "update private", "notification mention", "conversation ann: direct @me (unread)", "update RT by cat", "delete", "update the last"},
		linnet.StreamUserNotification: {"notification mention"},
		linnet.StreamPublic:           global, linnet.StreamLocal: global,
		linnet.StreamPublicMedia: nil, linnet.StreamLocalMedia: nil, linnet.StreamRemote: nil, linnet.StreamRemoteMedia: nil,
		linnet.StreamDirect: {"conversation ann: direct @me (unread)"},
		linnet.StreamTag:    {"update public #tea", "update to bob #tea", "delete"}, linnet.StreamTagLocal: {"update public #tea", "update to bob #tea", "delete"},
		linnet.StreamList: {"update by bob", "update bob asks"},
	} {
		want = slices.Clone(want)
		for i := range want {
			want[i] = string(k) + " " + want[i]
		}
		if len(want) > 0 {
			ears[k].WaitFor(want[len(want)-1])
		}
		if got := ears[k].Words(); !slices.Equal(got, want) {
			w.Errorf("%s\n got %q\nwant %q", k, got, want)
		}
	}
}

func TestStreamRules(t *testing.T) {
	w := apptest.InMemory(t)
	me, ann := w.Person("me"), w.Person("ann")
	theirs := w.List(ann, linnet.ListChange{})
	anon, mine := w.Listen(linnet.Session{}), w.Listen(apptest.Session(me))
	for _, k := range []linnet.StreamKind{linnet.StreamUser, linnet.StreamUserNotification, linnet.StreamList, linnet.StreamDirect} {
		apptest.WantKind(t, anon.Subscribe(w.Ctx, apptest.Stream(k)), linnet.Unauthenticated)
	}
	apptest.WantKind(t, mine.Subscribe(w.Ctx, linnet.Stream{Kind: linnet.StreamList, List: theirs}), linnet.NotFound)
	apptest.WantKind(t, mine.Subscribe(w.Ctx, apptest.Stream("nonsense")), linnet.Invalid)
	apptest.WantKind(t, mine.Subscribe(w.Ctx, linnet.Stream{Kind: linnet.StreamTag, Tag: "a b"}), linnet.Invalid)
	for range 2 {
		if err := mine.Subscribe(w.Ctx, apptest.Stream(linnet.StreamPublic)); err != nil {
			t.Error(err)
		}
	}
	w.Post(ann, "once")
	mine.WaitFor("public update once")
	mine.Unsubscribe(apptest.Stream(linnet.StreamPublic))
	if err := mine.Subscribe(w.Ctx, apptest.Stream(linnet.StreamUser)); err != nil {
		t.Error(err)
	}
	w.Post(ann, "not followed")
	w.Post(me, "own")
	mine.WaitFor("user update own")
	if got := mine.Words(); len(got) != 2 {
		t.Errorf("heard %q", got)
	}
	mine.Close()
	mine.Close()
	mine.WaitForEnd()
}

// TestStreamsFollowTheReader checks that streams follow the reader's changes at once: follows,
// hidden reposts, lists and exclusive lists.
func TestStreamsFollowTheReader(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann, bob := w.Person("me"), w.Person("ann"), w.Person("bob")
		list := w.List(me, linnet.ListChange{})
		apptest.Must(w.Social.Profiles.Update(w.Ctx, ann, linnet.ProfileChange{Language: new("de")}))(w)
		e := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser), linnet.Stream{Kind: linnet.StreamList, List: list})
		n := 0
		step := func(heard ...string) {
			w.Helper()
			n++
			w.Drain()
			w.Post(me, "begin %d", n)
			e.WaitFor(fmt.Sprintf("user update begin %d", n)) // earlier events have arrived
			before := len(e.Words())
			w.Post(ann, "ann %d", n)
			apptest.Must(w.Posting.Repost(w.Ctx, ann, w.Post(bob, "bob %d", n).ID, nil))(w)
			w.Post(me, "end %d", n)
			e.WaitFor(fmt.Sprintf("user update end %d", n))
			var got []string
			for _, s := range e.Words()[before:] {
				if !strings.Contains(s, "end") {
					got = append(got, strings.Replace(s, fmt.Sprint(" ", n), "", 1))
				}
			}
			if !slices.Equal(got, heard) {
				w.Errorf("step %d: %q, want %q", n, got, heard)
			}
		}
		step()
		w.Follow(me, ann)
		step("user update ann", "user update RT bob")
		apptest.Must(w.Social.Follow(w.Ctx, me, ann, linnet.FollowOptions{Reposts: new(false)}))(w)
		step("user update ann")
		apptest.Must(w.Social.Follow(w.Ctx, me, ann, linnet.FollowOptions{Languages: &[]string{"fr"}}))(w)
		step()
		apptest.Must(w.Social.Follow(w.Ctx, me, ann, linnet.FollowOptions{Languages: &[]string{"fr", "de"}}))(w)
		step("user update ann")
		w.AddTo(me, list, ann)
		step("user update ann", "list update ann", "list update RT bob")
		apptest.Must(w.Lists.UpdateList(w.Ctx, me, list, linnet.ListChange{Exclusive: new(true)}))(w)
		step("list update ann", "list update RT bob")
		if err := w.Lists.RemoveFromList(w.Ctx, me, list, []linnet.ID{ann}); err != nil {
			w.Fatal(err)
		}
		step("user update ann")
		apptest.Must(w.Social.Unfollow(w.Ctx, me, ann))(w)
		step()
	})
}

// TestStreamsTellNobodysMarks checks that streams do not contain the marks of other users.
func TestStreamsTellNobodysMarks(t *testing.T) {
	w := apptest.InMemory(t)
	ann, me := w.Person("ann"), w.Person("me")
	w.Follow(me, ann)
	e := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser))
	s := w.Post(me, "marked").ID
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, ann, s))(t)
	apptest.Must(w.Posting.Marks.Bookmark(w.Ctx, ann, s))(t)
	apptest.Must(w.Posting.Repost(w.Ctx, ann, s, nil))(t)
	e.WaitFor("user update RT marked")
	for _, ev := range e.All {
		if v := ev.Status; v != nil && v.Repost != nil && (v.Favourited || v.Bookmarked || v.Reposted || v.Repost.Favourited || v.Repost.Bookmarked || v.Repost.Reposted) {
			t.Errorf("ann's marks are told: %+v", v)
		}
	}
}

// TestStreamsOfWatchers checks that watchers receive each status once, in any position of the
// batches.
func TestStreamsOfWatchers(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	var ears []*apptest.Listener
	for i := range 5 {
		me := w.Person(fmt.Sprint("watcher", i))
		apptest.Must(w.Social.Follow(w.Ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(t)
		ears = append(ears, w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUserNotification)))
	}
	w.Post(ann, "x")
	w.Post(ann, "y")
	w.Drain()
	for _, e := range ears {
		for len(e.Words()) < 2 {
			time.Sleep(time.Millisecond)
		}
		if got := e.Words(); len(got) != 2 || e.All[0].Notification.Status.Text != "x" || e.All[1].Notification.Status.Text != "y" {
			t.Errorf("%q", got)
		}
	}
}

// TestStreamsEndWithTheSession checks that a revoked, logged-out or expired session ends its
// streams and cannot open new ones, even on a server that has cached it.
func TestStreamsEndWithTheSession(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		u := apptest.Must(w.Identity.SignUp(w.Ctx, linnet.SignUp{Login: "me", Password: "correct horse", Agreed: true}))(w)
		app, secret, err := w.Apps.Register(w.Ctx, linnet.AppRequest{Name: "app", RedirectURIs: []string{identity.OutOfBand}, Scopes: []string{"read"}})
		if err != nil {
			w.Fatal(err)
		}
		for how, end := range map[string]func(token string) error{
			"revoked":  func(token string) error { return w.Apps.Revoke(w.Ctx, app.ClientID, secret, token) },
			"password": func(string) error { return w.Identity.SetPassword(w.Ctx, linnet.Operator(), "me", "another horse") },
			"log out":  func(token string) error { return w.Identity.LogOut(w.Ctx, token) },
		} {
			tok := apptest.Must(w.Apps.UserToken(w.Ctx, u.ID, app.ID, []string{"read"}))(w)
			who := apptest.Must(w.Identity.Session(w.Ctx, tok.Value))(w)
			e := w.Listen(who, apptest.Stream(linnet.StreamUser))
			other := w.Listen(apptest.Session(u.ID), apptest.Stream(linnet.StreamUser))
			if err := end(tok.Value); err != nil {
				w.Fatal(how, err)
			}
			e.WaitForEnd()
			_, err := w.Live.Listen(w.Ctx, who, func() {})
			apptest.WantKind(w, err, linnet.Unauthenticated)
			w.Post(u.ID, "%s", how)
			other.WaitFor("user update " + how)
		}
	})
}

// TestSlowListener checks that a client that does not read is disconnected, and that others receive
// everything.
func TestSlowListener(t *testing.T) {
	w := apptest.InMemory(t)
	me := w.Person("me")
	quick := w.Listen(linnet.Session{}, apptest.Stream(linnet.StreamPublic))
	woken, wake := live.Signal()
	deaf := apptest.Must(w.Live.Listen(w.Ctx, linnet.Session{}, wake))(t)
	if err := deaf.Subscribe(w.Ctx, apptest.Stream(linnet.StreamPublic)); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		w.Post(me, "%d", i)
		quick.WaitFor(fmt.Sprint("public update ", i))
	}
	n := 0
	for range apptest.EventsOf(deaf, woken) { // ends, because it was closed
		n++
	}
	if n == 0 || n >= 300 {
		t.Errorf("%d events waited", n)
	}
	if got := len(quick.Words()); got != 300 {
		t.Errorf("the other heard %d", got)
	}
}

// TestServersHearEachOther checks that two servers on one Redis receive each other's events.
func TestServersHearEachOther(t *testing.T) {
	url := redistest.Single(t)
	a, b := apptest.New(t, apptest.OpenRedis(t, url, "x")), apptest.New(t, apptest.OpenRedis(t, url, "x"))
	me, ann := a.Person("me"), a.Person("ann")
	e := b.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser))
	a.Follow(me, ann)
	a.Drain()
	v := a.Post(ann, "from the other server")
	e.WaitFor("user update from the other server")
	apptest.Must(a.Posting.Marks.Favourite(a.Ctx, ann, b.Post(me, "mine").ID))(t)
	e.WaitFor("user notification favourite")
	apptest.Must(a.Posting.Delete(a.Ctx, ann, v.ID))(t)
	e.WaitFor("user delete")
}

// TestLossOfTheBus checks that connections end after a loss of events, and that new ones work as
// soon as the bus is back.
func TestLossOfTheBus(t *testing.T) { synctest.Test(t, lossOfTheBus) }

func lossOfTheBus(t *testing.T) {
	engine := faultkv.New(memkv.New(memkv.Options{}))
	asked := &counting{Engine: engine}
	w := apptest.New(t, asked)
	me := w.Person("me")
	e := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser))
	engine.Away(true)
	e.WaitForEnd()
	before := asked.tries()
	for range 1000 { // a crowd of reconnecting clients, while the clock of the bubble stops
		_, err := w.Live.Listen(w.Ctx, apptest.Session(me), func() {})
		apptest.WantKind(t, err, linnet.Unavailable)
	}
	if n := asked.tries() - before; n != 1 {
		t.Errorf("the bus was asked %d times for a thousand, want once", n)
	}
	engine.Away(false)
	var again *live.Listener
	for end := time.Now().Add(time.Minute); again == nil; time.Sleep(10 * time.Millisecond) {
		l, err := w.Live.Listen(w.Ctx, apptest.Session(me), func() {})
		if again = l; time.Now().After(end) {
			t.Fatal(err)
		}
	}
	again.Close()
	fresh := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser))
	w.Post(me, "back")
	fresh.WaitFor("user update back")
}

// TestNothingRunsOn checks that a stopped app leaves no goroutines, listeners or subscriptions.
func TestNothingRunsOn(t *testing.T) { synctest.Test(t, nothingRunsOn) }

func nothingRunsOn(t *testing.T) {
	e := &counting{Engine: memkv.New(memkv.Options{})}
	st := store.New(e, store.Options{})
	s := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true}))(t)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	w := &apptest.World{T: t, App: s, Ctx: t.Context(), Store: st}
	me := w.Person("me")
	listeners := []*apptest.Listener{w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamUser)), w.Listen(linnet.Session{})}
	w.Post(me, "x")
	stop()
	<-done
	for _, l := range listeners {
		l.WaitForEnd()
	}
	_, err := s.Live.Listen(t.Context(), linnet.Session{}, func() {})
	apptest.WantKind(t, err, linnet.Unavailable)
	calls, open := e.counts()
	if open != 0 {
		t.Errorf("%d subscriptions are open", open)
	}
	time.Sleep(time.Hour) // in the bubble
	if later, _ := e.counts(); later != calls {
		t.Errorf("%d calls after the stop", later-calls)
	}
	v := apptest.Must(s.Posting.Post(t.Context(), me, linnet.Draft{Text: "a request that was still under way"}))(t)
	apptest.Serve(t, e, store.Options{})
	apptest.Must(s.View.Status(t.Context(), 0, v.ID))(t)
}
