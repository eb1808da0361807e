package outsidefeed_test

import (
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/outsidefeed"
	"linnet/internal/store"
	"linnet/internal/task"
)

// feedHub is a WebSub hub for tests. It confirms each request before it responds, unless it is
// down.
type feedHub struct {
	*httptest.Server
	mu       sync.Mutex // held while the app restarts
	w        *apptest.World
	down     bool
	lease    int // seconds
	requests chan hubRequest
}

// hubRequest is a request to a hub with the response to the question of the hub.
type hubRequest struct {
	url.Values
	feed      linnet.ID
	token     string
	confirmed bool
}

func newFeedHub(t *testing.T, w *apptest.World) *feedHub {
	h := &feedHub{w: w, lease: 864000, requests: make(chan hubRequest, 100)}
	h.Server = httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if h.down {
			rw.WriteHeader(http.StatusServiceUnavailable)
			h.requests <- hubRequest{}
			return
		}
		q := hubRequest{}
		if err := r.ParseForm(); err == nil {
			q.Values = r.PostForm
		}
		rest, _ := strings.CutPrefix(q.Get("hub.callback"), "https://linnet.test"+outsidefeed.HubPath)
		id, token, _ := strings.Cut(rest, "/")
		q.feed, _ = linnet.ParseID(id)
		q.token = token
		got, err := h.ask(q, q.Get("hub.mode"), q.Get("hub.topic"), q.token)
		q.confirmed = err == nil && got == "challenge"
		rw.WriteHeader(http.StatusAccepted)
		h.requests <- q
	}))
	t.Cleanup(h.Close)
	return h
}

// ask asks whether the server wants a subscription.
func (h *feedHub) ask(q hubRequest, mode, topic, token string) (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.w.Outside.Confirm(h.w.Ctx, q.feed, token, url.Values{"hub.mode": {mode}, "hub.topic": {topic}, "hub.challenge": {"challenge"}, "hub.lease_seconds": {strconv.Itoa(h.lease)}})
}

// next waits for a request.
func (h *feedHub) next(t *testing.T) hubRequest {
	t.Helper()
	select {
	case q := <-h.requests:
		return q
	case <-time.After(time.Minute):
		t.Fatal("no request reached the hub")
		return hubRequest{}
	}
}

// none checks that no further request has reached the hub.
func (h *feedHub) none(t *testing.T) {
	t.Helper()
	h.w.Drain()
	select {
	case q := <-h.requests:
		t.Errorf("the hub got another request: %v", q)
	default:
	}
}

// notify sends a notification that is signed with a hash function.
func (h *feedHub) notify(q hubRequest, name string, of func() hash.Hash, secret string) error {
	m := hmac.New(of, []byte(secret))
	m.Write([]byte("changed"))
	return h.w.Outside.Notified(h.w.Ctx, q.feed, q.token, name+"="+hex.EncodeToString(m.Sum(nil)), changed)
}

// changed returns the body of a notification.
func changed() ([]byte, error) { return []byte("changed"), nil }

// hubFeed returns a feed that names a hub.
func hubFeed(hub, self string, items ...string) string {
	return rss("Example", append([]string{`<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="hub" href="` + hub + `"/><atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="` + self + `"/>`}, items...)...)
}

// TestHub checks a subscription from the first request of a feed until its end, with forged requests
// in between.
func TestHub(t *testing.T) { apptest.OnFetchers(t, hubLife) }

func hubLife(t *testing.T, w *apptest.World, _ kv.Engine) {
	s, hub := newFeedSite(t), newFeedHub(t, w)
	topic := s.URL + "/topic"
	s.serve("/feed.xml", "application/rss+xml", hubFeed(hub.URL, topic))
	ann := w.Person("ann")
	feed := addFeed(w, ann, s.URL+"/feed.xml")
	hub.none(t) // it has no followers
	w.Follow(ann, feed.ID)
	w.Drain()
	fetched(w, feed.ID)
	q := hub.next(t)
	if !q.confirmed || q.Get("hub.mode") != "subscribe" || q.Get("hub.topic") != topic || q.feed != feed.ID || len(q.token) < 32 || len(q.Get("hub.secret")) < 32 || q.Get("hub.secret") == q.token || q.Get("hub.lease_seconds") == "" {
		t.Fatalf("the request is %+v", q)
	}
	f := feedUntil(w, feed.ID, func(f *linnet.OutsideFeed) bool { return f.Hub.Subscribed(time.Now()) })
	if left := time.Until(f.Hub.Expires); left < 9*24*time.Hour || left > 10*24*time.Hour {
		t.Errorf("the subscription ends in %v", left)
	}
	for name, err := range map[string]error{
		"topic":       must2(hub.ask(q, "subscribe", topic+"2", q.token)),
		"token":       must2(hub.ask(q, "subscribe", topic, q.token[1:]+"0")),
		"mode":        must2(hub.ask(q, "publish", topic, q.token)),
		"unsubscribe": must2(hub.ask(q, "unsubscribe", topic, q.token)),
		"feed":        must2(hub.ask(hubRequest{feed: ann}, "subscribe", topic, q.token)),
	} {
		if linnet.KindOf(err) != linnet.NotFound {
			t.Errorf("a request with a wrong %s: %v", name, err)
		}
	}
	// Only a signed notification leads to a request.
	secret, asked := q.Get("hub.secret"), s.count("/feed.xml")
	apptest.WantKind(t, hub.notify(q, "sha256", sha256.New, "wrong"), linnet.Forbidden)
	apptest.WantKind(t, hub.notify(q, "sha1", sha1.New, "wrong"), linnet.Forbidden)
	apptest.WantKind(t, hub.notify(q, "md5", md5.New, secret), linnet.Forbidden)
	apptest.WantKind(t, w.Outside.Notified(w.Ctx, q.feed, q.token, "", changed), linnet.Forbidden)
	apptest.WantKind(t, hub.notify(hubRequest{feed: q.feed, token: q.token[1:] + "0"}, "sha256", sha256.New, secret), linnet.Gone)
	apptest.WantKind(t, hub.notify(hubRequest{feed: ann, token: q.token}, "sha256", sha256.New, secret), linnet.Gone)
	w.Drain()
	if s.count("/feed.xml") != asked || !apptest.Must(w.Outside.State(w.Ctx, feed.ID))(t).Hub.Pinged.IsZero() {
		t.Error("a forged notification had an effect")
	}
	if err := hub.notify(q, "sha256", sha256.New, secret); err != nil {
		t.Fatal(err)
	}
	f = apptest.Must(w.Outside.State(w.Ctx, feed.ID))(t)
	if wait := f.Next.Sub(f.Tried); f.Hub.Pinged.IsZero() || wait > time.Minute || wait < 59*time.Second {
		t.Errorf("after a notification the next request is in %v: %+v", wait, f)
	}
	if err := hub.notify(q, "sha1", sha1.New, secret); err != nil {
		t.Fatal(err)
	}
	if again := apptest.Must(w.Outside.State(w.Ctx, feed.ID))(t); again.Version != f.Version {
		t.Error("a second notification within a minute has changed the feed")
	}
	if f = fetched(w, feed.ID); f.Next.Sub(f.Tried) < 6*time.Hour {
		t.Errorf("a feed with a working hub is requested after %v", f.Next.Sub(f.Tried))
	}
	w.Check()
	if err := w.Outside.Remove(w.Ctx, linnet.Operator(), feed.ID); err != nil {
		t.Fatal(err)
	}
	if q = hub.next(t); !q.confirmed || q.Get("hub.mode") != "unsubscribe" || q.Get("hub.topic") != topic || q.feed != feed.ID {
		t.Errorf("after the removal the hub got %+v", q)
	}
	apptest.WantKind(t, hub.notify(q, "sha256", sha256.New, secret), linnet.Gone)
	w.Drain()
	w.Check()
}

// TestHubTimes checks with a moved clock when subscriptions are renewed and ended, and that failures
// of a hub don't delay the requests of its feed.
func TestHubTimes(t *testing.T) {
	clock := &apptest.Clock{}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w, s := apptest.WithPush(t, e, store.Options{Now: clock.Now}), newFeedSite(t)
	hub := newFeedHub(t, w)
	hub.down = true
	ann := w.Person("ann")
	s.set("/feed.xml", func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Link", `<`+hub.URL+`/>; rel="x hub", </topic>; rel=self`)
		fmt.Fprint(rw, rss("Example"))
	})
	feed := addFeed(w, ann, s.URL+"/feed.xml")
	w.Follow(ann, feed.ID)
	w.Drain()
	f := fetched(w, feed.ID)
	hub.next(t)
	if f.Hub.Topic != s.URL+"/topic" || f.Failures != 0 || f.Next.Sub(f.Tried) > 70*time.Minute {
		t.Errorf("with a failing hub the feed is %+v with %+v", f, f.Hub)
	}
	fetched(w, feed.ID)
	hub.none(t) // an hour has not passed
	clock.Advance(61 * time.Minute)
	fetched(w, feed.ID)
	hub.next(t)
	hub.down = false
	clock.Advance(61 * time.Minute)
	fetched(w, feed.ID)
	hub.none(t) // two hours have not passed
	clock.Advance(time.Hour)
	fetched(w, feed.ID)
	q := hub.next(t)
	if !q.confirmed {
		t.Fatalf("the hub got %+v", q)
	}
	clock.Advance(9 * 24 * time.Hour)
	fetched(w, feed.ID)
	hub.none(t)
	clock.Advance(23 * time.Hour)
	before := apptest.Must(w.Outside.State(w.Ctx, feed.ID))(t).Hub.Expires
	fetched(w, feed.ID)
	if q = hub.next(t); !q.confirmed {
		t.Errorf("the renewal is %+v", q)
	}
	if f := apptest.Must(w.Outside.State(w.Ctx, feed.ID))(t); !f.Hub.Expires.After(before) || f.Hub.Tries != 0 {
		t.Errorf("after the renewal the hub is %+v", f.Hub)
	}
	clock.Advance(2 * time.Hour)
	apptest.WantKind(t, must2(hub.ask(q, "subscribe", s.URL+"/topic", q.token)), linnet.NotFound) // no request is pending
	// A hub that misses an item is no longer trusted.
	fetched(w, feed.ID)
	clock.Advance(2 * time.Minute)
	if err := hub.notify(q, "sha256", sha256.New, q.Get("hub.secret")); err != nil {
		t.Fatal(err)
	}
	if f := feedUntil(w, feed.ID, func(f *linnet.OutsideFeed) bool { return !f.Tried.Before(f.Hub.Pinged) }); f.Next.Sub(f.Tried) < 6*time.Hour {
		t.Errorf("a feed with a working hub is requested after %v", f.Next.Sub(f.Tried))
	}
	clock.Advance(7 * time.Hour)
	s.set("/feed.xml", func(rw http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(rw, hubFeed(hub.URL+"/", s.URL+"/topic", rssItem("1", s.URL+"/1", "One", "1", clock.Now())))
	})
	if f := fetched(w, feed.ID); f.Next.Sub(f.Tried) > 70*time.Minute || !f.Hub.Pinged.IsZero() {
		t.Errorf("after a missed item the feed is %+v with %+v", f, f.Hub)
	}
	// The subscription ends with the last follower, and when feeds are turned off.
	apptest.Must(w.Social.Unfollow(w.Ctx, ann, feed.ID))(t)
	w.Drain()
	fetched(w, feed.ID)
	if q := hub.next(t); q.Get("hub.mode") != "unsubscribe" || !q.confirmed {
		t.Errorf("without followers the hub got %+v", q)
	}
	apptest.WantKind(t, hub.notify(q, "sha256", sha256.New, q.Get("hub.secret")), linnet.Gone)
	w.Follow(ann, feed.ID)
	if q := hub.next(t); q.Get("hub.mode") != "subscribe" || !q.confirmed {
		t.Errorf("with a follower the hub got %+v", q)
	}
	if err := w.Outside.ChangeSettings(w.Ctx, linnet.Operator(), func(s *linnet.OutsideFeedSettings) { s.Who = linnet.FeedsOff }); err != nil {
		t.Fatal(err)
	}
	clock.Advance(7 * time.Hour)
	if err := w.Outside.Fetch(w.Ctx, linnet.Operator(), feed.ID); err != nil {
		t.Fatal(err)
	}
	if q := hub.next(t); q.Get("hub.mode") != "unsubscribe" || !q.confirmed {
		t.Errorf("with feeds off the hub got %+v", q)
	}
	w.Drain()
	w.Check()
}

// TestHubAfterACrash checks that the subscription of a deleted feed is ended at its hub after a crash
// at each write of the deletion.
func TestHubAfterACrash(t *testing.T) {
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n, more := 1, true; more; n++ {
			e := faultkv.New(memkv.New(memkv.Options{}))
			w, s := apptest.WithPush(t, e, store.Options{}), newFeedSite(t)
			hub := newFeedHub(t, w)
			s.serve("/feed.xml", "application/rss+xml", hubFeed(hub.URL, s.URL+"/topic"))
			ann := w.Person("ann")
			feed := addFeed(w, ann, s.URL+"/feed.xml")
			w.Follow(ann, feed.ID)
			w.Drain()
			fetched(w, feed.ID)
			hub.next(t)
			w.Drain()
			w.Stop()
			idle := apptest.Idle(t, e, store.Options{})
			e.Reset()
			e.FailAt(n, when)
			_ = idle.Social.Deletion.DeleteUser(idle.Ctx, feed.ID) // the server stops at an error
			more = e.Stats().Writes() >= n
			e.Reset()
			hub.mu.Lock()
			hub.w = apptest.WithPush(t, e, store.Options{})
			hub.mu.Unlock()
			if _, err := hub.w.View.User(hub.w.Ctx, ann, feed.ID); linnet.KindOf(err) == linnet.NotFound {
				if q := hub.next(t); !q.confirmed || q.Get("hub.mode") != "unsubscribe" || q.feed != feed.ID {
					t.Errorf("write %d (%v): the hub got %+v", n, when, q)
				}
			}
			for waiting := true; waiting; { // the new app may not have begun with the tasks of the old one
				hub.w.Drain()
				waiting = len(apptest.Must(task.List(t.Context(), e, false, 1))(t)) > 0
			}
			hub.w.Check()
			hub.w.Stop()
		}
	}
}

// TestHubAddresses checks where a response can name its hub, and which hubs and public URLs are
// usable.
func TestHubAddresses(t *testing.T) {
	w := apptest.InMemory(t)
	at := apptest.Must(url.Parse("https://example.org/feed"))(t)
	const self = "https://example.org/feed"
	atom := func(links string) string {
		return `<feed xmlns="http://www.w3.org/2005/Atom"><title>x</title>` + links + `</feed>`
	}
	for _, c := range []struct{ link, body, hub, topic string }{
		{"", rss("x"), "", ""},
		{"", hubFeed("https://hub.example/", "https://example.org/self"), "https://hub.example/", "https://example.org/self"},
		{"", atom(`<link rel="self" href="/self"/><link rel="hub" href="https://hub.example/"/><link rel="hub" href="https://second.example/"/>`), "https://hub.example/", "https://example.org/self"},
		{"", `{"version":"https://jsonfeed.org/version/1.1","title":"x","feed_url":"https://example.org/self","items":[],"hubs":[{"type":"rssCloud","url":"https://cloud.example/"},{"type":"WebSub","url":"https://hub.example/"}]}`, "https://hub.example/", "https://example.org/self"},
		{`<https://first.example/?a=1,2>; title="a, b"; rel="hub", </self>; rel=self`, hubFeed("https://hub.example/", "https://example.org/other"), "https://first.example/?a=1,2", "https://example.org/self"},
		{`<https://first.example/>; rel=HUB`, rss("x"), "https://first.example/", self},
		{`<https://first.example/>; rel=hubs, <javascript:alert(1)>; rel=hub`, rss("x"), "", ""},
		{`<http://hub.example/>; rel=hub`, rss("x"), "", ""},
		{`<https://a.blocked.example/>; rel=hub`, rss("x"), "", ""},
	} {
		header := http.Header{}
		if c.link != "" {
			header.Set("Link", c.link)
		}
		if hub, topic := w.Outside.Offered(at, header, []byte(c.body)); hub != c.hub || topic != c.topic {
			t.Errorf("%s %s: hub %q, topic %q, want %q, %q", c.link, c.body, hub, topic, c.hub, c.topic)
		}
	}
	for public, good := range map[string]bool{"https://example.org": true, "https://example.org:8443": true, "https://93.184.216.34": true, "http://example.org": false,
		"https://localhost": false, "https://linnet.localhost:8443": false, "https://127.0.0.1": false, "https://[::1]": false, "https://192.168.1.2": false} {
		if got := outsidefeed.Callback(public); (got != "") != good {
			t.Errorf("%s: %q", public, got)
		}
	}
}
