package app_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"sync"
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

// ear is a listener that records its events.
type ear struct {
	*live.Listener
	w  *world
	mu sync.Mutex
	// heard contains the events in words. ended is closed when the connection has ended.
	heard []string
	all   []linnet.StreamEvent
	ended chan struct{}
}

func (w *world) listen(who linnet.Session, streams ...linnet.Stream) *ear {
	w.Helper()
	woken, wake := live.Signal()
	e := &ear{Listener: must(w.Live.Listen(w.ctx, who, wake))(w), w: w, ended: make(chan struct{})}
	for _, st := range streams {
		if err := e.Subscribe(w.ctx, st); err != nil {
			w.Fatal(err)
		}
	}
	go func() {
		defer close(e.ended)
		for ev := range eventsOf(e.Listener, woken) {
			e.mu.Lock()
			e.heard, e.all = append(e.heard, inWords(*ev)), append(e.all, *ev)
			e.mu.Unlock()
		}
	}()
	w.Cleanup(e.Close)
	return e
}

// eventsOf returns the events of a listener until it ends.
func eventsOf(l *live.Listener, woken <-chan struct{}) iter.Seq[*linnet.StreamEvent] {
	return func(yield func(*linnet.StreamEvent) bool) {
		for range woken {
			ev, open := l.Next()
			for ; ev != nil && yield(ev); ev, open = l.Next() {
			}
			if ev != nil || !open {
				return
			}
		}
	}
}

// ended waits until a listener without events ends.
func ended(t testing.TB, what string, l *live.Listener, woken <-chan struct{}) {
	t.Helper()
	select {
	case <-woken:
		if ev, open := l.Next(); ev != nil || open {
			t.Errorf("%s: an event, %+v", what, ev)
		}
	case <-time.After(time.Minute):
		t.Errorf("%s: the stream stays open", what)
	}
}

func inWords(ev linnet.StreamEvent) string {
	s := string(ev.Stream.Kind) + " " + string(ev.Type)
	switch {
	case ev.Announcement != nil:
		s += " " + ev.Announcement.Text
	case ev.Reaction != nil:
		s += " " + ev.Reaction.Name + strconv.FormatInt(ev.Reaction.Count, 10)
	case ev.Conversation != nil:
		s += " " + inWordsOf(*ev.Conversation)
	case ev.Notification != nil:
		s += " " + string(ev.Notification.Type)
	case ev.Status != nil && ev.Status.Repost != nil:
		s += " RT " + ev.Status.Repost.Text
	case ev.Status != nil:
		s += " " + ev.Status.Text
	}
	return s
}

func (e *ear) words() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.heard)
}

// until waits for an event. Events that have not arrived by then were not sent before it.
func (e *ear) until(what string) {
	e.w.Helper()
	for end := time.Now().Add(time.Minute); !slices.Contains(e.words(), what); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			e.w.Fatalf("%q was not heard: %q", what, e.words())
		}
	}
}

func (e *ear) ends() {
	e.w.Helper()
	select {
	case <-e.ended:
	case <-time.After(time.Minute):
		e.w.Fatal("the connection does not end")
	}
}

func session(id linnet.ID) linnet.Session { return linnet.Session{User: id} }

func stream(k linnet.StreamKind) linnet.Stream { return linnet.Stream{Kind: k} }

// TestStreams checks that each stream carries its events and no others.
func TestStreams(t *testing.T) { onEngines(t, streams) }

func streams(w *world) {
	me, ann, bob := w.person("me"), w.person("ann"), w.person("bob")
	w.follow(me, ann)
	list := w.list(me, linnet.ListChange{})
	w.addTo(me, list, bob)
	kinds := []linnet.StreamKind{linnet.StreamUser, linnet.StreamUserNotification, linnet.StreamPublic, linnet.StreamPublicMedia, linnet.StreamLocal,
		linnet.StreamLocalMedia, linnet.StreamRemote, linnet.StreamRemoteMedia, linnet.StreamDirect}
	ears := map[linnet.StreamKind]*ear{}
	for _, k := range kinds {
		ears[k] = w.listen(session(me), stream(k))
	}
	ears[linnet.StreamTag] = w.listen(linnet.Session{}, linnet.Stream{Kind: linnet.StreamTag, Tag: "TEA"})
	ears[linnet.StreamTagLocal] = w.listen(linnet.Session{}, linnet.Stream{Kind: linnet.StreamTagLocal, Tag: "tea"})
	ears[linnet.StreamList] = w.listen(session(me), linnet.Stream{Kind: linnet.StreamList, List: list})
	last := w.listen(session(me), stream(linnet.StreamUser), stream(linnet.StreamPublic))

	public := w.post(ann, "public #tea")
	w.draft(ann, linnet.Draft{Text: "unlisted #tea", Visibility: new(linnet.Unlisted)})
	w.draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	w.draft(ann, linnet.Draft{Text: "direct @me", Visibility: new(linnet.Direct)})
	w.draft(bob, linnet.Draft{Text: "secret of bob", Visibility: new(linnet.Private)})
	w.post(bob, "by bob")
	w.draft(ann, linnet.Draft{Text: "to bob #tea", InReplyTo: w.post(bob, "bob asks").ID})
	must(w.Posting.Repost(w.ctx, ann, w.post(w.person("cat"), "by cat").ID, nil))(w)
	last.until("user update RT by cat") // a status deleted earlier is not sent
	must(w.Posting.Delete(w.ctx, ann, public.ID))(w)
	w.post(me, "the last")
	last.until("user update the last")
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
			ears[k].until(want[len(want)-1])
		}
		if got := ears[k].words(); !slices.Equal(got, want) {
			w.Errorf("%s\n got %q\nwant %q", k, got, want)
		}
	}
}

func TestStreamRules(t *testing.T) {
	w := memWorld(t)
	me, ann := w.person("me"), w.person("ann")
	theirs := w.list(ann, linnet.ListChange{})
	anon, mine := w.listen(linnet.Session{}), w.listen(session(me))
	for _, k := range []linnet.StreamKind{linnet.StreamUser, linnet.StreamUserNotification, linnet.StreamList, linnet.StreamDirect} {
		kindIs(t, anon.Subscribe(w.ctx, stream(k)), linnet.Unauthenticated)
	}
	kindIs(t, mine.Subscribe(w.ctx, linnet.Stream{Kind: linnet.StreamList, List: theirs}), linnet.NotFound)
	kindIs(t, mine.Subscribe(w.ctx, stream("nonsense")), linnet.Invalid)
	kindIs(t, mine.Subscribe(w.ctx, linnet.Stream{Kind: linnet.StreamTag, Tag: "a b"}), linnet.Invalid)
	for range 2 {
		if err := mine.Subscribe(w.ctx, stream(linnet.StreamPublic)); err != nil {
			t.Error(err)
		}
	}
	w.post(ann, "once")
	mine.until("public update once")
	mine.Unsubscribe(stream(linnet.StreamPublic))
	if err := mine.Subscribe(w.ctx, stream(linnet.StreamUser)); err != nil {
		t.Error(err)
	}
	w.post(ann, "not followed")
	w.post(me, "own")
	mine.until("user update own")
	if got := mine.words(); len(got) != 2 {
		t.Errorf("heard %q", got)
	}
	mine.Close()
	mine.Close()
	mine.ends()
}

// TestStreamsFollowTheReader checks that streams follow the reader's changes at once: follows,
// hidden reposts, lists and exclusive lists.
func TestStreamsFollowTheReader(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann, bob := w.person("me"), w.person("ann"), w.person("bob")
		list := w.list(me, linnet.ListChange{})
		must(w.Social.Profiles.Update(w.ctx, ann, linnet.ProfileChange{Language: new("de")}))(w)
		e := w.listen(session(me), stream(linnet.StreamUser), linnet.Stream{Kind: linnet.StreamList, List: list})
		n := 0
		step := func(heard ...string) {
			w.Helper()
			n++
			w.drain()
			w.post(me, "begin %d", n)
			e.until(fmt.Sprintf("user update begin %d", n)) // earlier events have arrived
			before := len(e.words())
			w.post(ann, "ann %d", n)
			must(w.Posting.Repost(w.ctx, ann, w.post(bob, "bob %d", n).ID, nil))(w)
			w.post(me, "end %d", n)
			e.until(fmt.Sprintf("user update end %d", n))
			var got []string
			for _, s := range e.words()[before:] {
				if !strings.Contains(s, "end") {
					got = append(got, strings.Replace(s, fmt.Sprint(" ", n), "", 1))
				}
			}
			if !slices.Equal(got, heard) {
				w.Errorf("step %d: %q, want %q", n, got, heard)
			}
		}
		step()
		w.follow(me, ann)
		step("user update ann", "user update RT bob")
		must(w.Social.Follow(w.ctx, me, ann, linnet.FollowOptions{Reposts: new(false)}))(w)
		step("user update ann")
		must(w.Social.Follow(w.ctx, me, ann, linnet.FollowOptions{Languages: &[]string{"fr"}}))(w)
		step()
		must(w.Social.Follow(w.ctx, me, ann, linnet.FollowOptions{Languages: &[]string{"fr", "de"}}))(w)
		step("user update ann")
		w.addTo(me, list, ann)
		step("user update ann", "list update ann", "list update RT bob")
		must(w.Lists.UpdateList(w.ctx, me, list, linnet.ListChange{Exclusive: new(true)}))(w)
		step("list update ann", "list update RT bob")
		if err := w.Lists.RemoveFromList(w.ctx, me, list, []linnet.ID{ann}); err != nil {
			w.Fatal(err)
		}
		step("user update ann")
		must(w.Social.Unfollow(w.ctx, me, ann))(w)
		step()
	})
}

// TestStreamsTellNobodysMarks checks that streams do not contain the marks of other users.
func TestStreamsTellNobodysMarks(t *testing.T) {
	w := memWorld(t)
	ann, me := w.person("ann"), w.person("me")
	w.follow(me, ann)
	e := w.listen(session(me), stream(linnet.StreamUser))
	s := w.post(me, "marked").ID
	must(w.Posting.Marks.Favourite(w.ctx, ann, s))(t)
	must(w.Posting.Marks.Bookmark(w.ctx, ann, s))(t)
	must(w.Posting.Repost(w.ctx, ann, s, nil))(t)
	e.until("user update RT marked")
	for _, ev := range e.all {
		if v := ev.Status; v != nil && v.Repost != nil && (v.Favourited || v.Bookmarked || v.Reposted || v.Repost.Favourited || v.Repost.Bookmarked || v.Repost.Reposted) {
			t.Errorf("ann's marks are told: %+v", v)
		}
	}
}

// TestStreamsOfWatchers checks that watchers receive each status once, in any position of the
// batches.
func TestStreamsOfWatchers(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	var ears []*ear
	for i := range 5 {
		me := w.person(fmt.Sprint("watcher", i))
		must(w.Social.Follow(w.ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(t)
		ears = append(ears, w.listen(session(me), stream(linnet.StreamUserNotification)))
	}
	w.post(ann, "x")
	w.post(ann, "y")
	w.drain()
	for _, e := range ears {
		for len(e.words()) < 2 {
			time.Sleep(time.Millisecond)
		}
		if got := e.words(); len(got) != 2 || e.all[0].Notification.Status.Text != "x" || e.all[1].Notification.Status.Text != "y" {
			t.Errorf("%q", got)
		}
	}
}

// TestStreamsEndWithTheSession checks that a revoked, logged-out or expired session ends its
// streams and cannot open new ones, even on a server that has cached it.
func TestStreamsEndWithTheSession(t *testing.T) {
	onEngines(t, func(w *world) {
		u := must(w.Identity.SignUp(w.ctx, linnet.SignUp{Login: "me", Password: "correct horse", Agreed: true}))(w)
		app, secret, err := w.Apps.Register(w.ctx, linnet.AppRequest{Name: "app", RedirectURIs: []string{identity.OutOfBand}, Scopes: []string{"read"}})
		if err != nil {
			w.Fatal(err)
		}
		for how, end := range map[string]func(token string) error{
			"revoked":  func(token string) error { return w.Apps.Revoke(w.ctx, app.ClientID, secret, token) },
			"password": func(string) error { return w.Identity.SetPassword(w.ctx, linnet.Operator(), "me", "another horse") },
			"log out":  func(token string) error { return w.Identity.LogOut(w.ctx, token) },
		} {
			tok := must(w.Apps.UserToken(w.ctx, u.ID, app.ID, []string{"read"}))(w)
			who := must(w.Identity.Session(w.ctx, tok.Value))(w)
			e := w.listen(who, stream(linnet.StreamUser))
			other := w.listen(session(u.ID), stream(linnet.StreamUser))
			if err := end(tok.Value); err != nil {
				w.Fatal(how, err)
			}
			e.ends()
			_, err := w.Live.Listen(w.ctx, who, func() {})
			kindIs(w, err, linnet.Unauthenticated)
			w.post(u.ID, "%s", how)
			other.until("user update " + how)
		}
	})
}

// TestSlowListener checks that a client that does not read is disconnected, and that others receive
// everything.
func TestSlowListener(t *testing.T) {
	w := memWorld(t)
	me := w.person("me")
	quick := w.listen(linnet.Session{}, stream(linnet.StreamPublic))
	woken, wake := live.Signal()
	deaf := must(w.Live.Listen(w.ctx, linnet.Session{}, wake))(t)
	if err := deaf.Subscribe(w.ctx, stream(linnet.StreamPublic)); err != nil {
		t.Fatal(err)
	}
	for i := range 300 {
		w.post(me, "%d", i)
		quick.until(fmt.Sprint("public update ", i))
	}
	n := 0
	for range eventsOf(deaf, woken) { // ends, because it was closed
		n++
	}
	if n == 0 || n >= 300 {
		t.Errorf("%d events waited", n)
	}
	if got := len(quick.words()); got != 300 {
		t.Errorf("the other heard %d", got)
	}
}

// TestServersHearEachOther checks that two servers on one Redis receive each other's events.
func TestServersHearEachOther(t *testing.T) {
	url := redistest.Single(t)
	a, b := newWorld(t, openRedis(t, url, "x")), newWorld(t, openRedis(t, url, "x"))
	me, ann := a.person("me"), a.person("ann")
	e := b.listen(session(me), stream(linnet.StreamUser))
	a.follow(me, ann)
	a.drain()
	v := a.post(ann, "from the other server")
	e.until("user update from the other server")
	must(a.Posting.Marks.Favourite(a.ctx, ann, b.post(me, "mine").ID))(t)
	e.until("user notification favourite")
	must(a.Posting.Delete(a.ctx, ann, v.ID))(t)
	e.until("user delete")
}

// TestLossOfTheBus checks that connections end after a loss of events, and that new ones work as
// soon as the bus is back.
func TestLossOfTheBus(t *testing.T) { synctest.Test(t, lossOfTheBus) }

func lossOfTheBus(t *testing.T) {
	engine := faultkv.New(memkv.New(memkv.Options{}))
	asked := &counting{Engine: engine}
	w := newWorld(t, asked)
	me := w.person("me")
	e := w.listen(session(me), stream(linnet.StreamUser))
	engine.Away(true)
	e.ends()
	before := asked.tries()
	for range 1000 { // a crowd of reconnecting clients, while the clock of the bubble stops
		_, err := w.Live.Listen(w.ctx, session(me), func() {})
		kindIs(t, err, linnet.Unavailable)
	}
	if n := asked.tries() - before; n != 1 {
		t.Errorf("the bus was asked %d times for a thousand, want once", n)
	}
	engine.Away(false)
	var again *live.Listener
	for end := time.Now().Add(time.Minute); again == nil; time.Sleep(10 * time.Millisecond) {
		l, err := w.Live.Listen(w.ctx, session(me), func() {})
		if again = l; time.Now().After(end) {
			t.Fatal(err)
		}
	}
	again.Close()
	fresh := w.listen(session(me), stream(linnet.StreamUser))
	w.post(me, "back")
	fresh.until("user update back")
}

// TestNothingRunsOn checks that a stopped app leaves no goroutines, listeners or subscriptions.
func TestNothingRunsOn(t *testing.T) { synctest.Test(t, nothingRunsOn) }

func nothingRunsOn(t *testing.T) {
	e := &counting{Engine: memkv.New(memkv.Options{})}
	st := store.New(e, store.Options{})
	s := must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet(), Exclusive: true}))(t)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	w := &world{T: t, App: s, ctx: t.Context(), store: st}
	me := w.person("me")
	listeners := []*ear{w.listen(session(me), stream(linnet.StreamUser)), w.listen(linnet.Session{})}
	w.post(me, "x")
	stop()
	<-done
	for _, l := range listeners {
		l.ends()
	}
	_, err := s.Live.Listen(t.Context(), linnet.Session{}, func() {})
	kindIs(t, err, linnet.Unavailable)
	calls, open := e.counts()
	if open != 0 {
		t.Errorf("%d subscriptions are open", open)
	}
	time.Sleep(time.Hour) // in the bubble
	if later, _ := e.counts(); later != calls {
		t.Errorf("%d calls after the stop", later-calls)
	}
	v := must(s.Posting.Post(t.Context(), me, linnet.Draft{Text: "a request that was still under way"}))(t)
	serve(t, e, store.Options{})
	must(s.View.Status(t.Context(), 0, v.ID))(t)
}
