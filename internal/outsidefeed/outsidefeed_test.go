package outsidefeed_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/text"
)

// feedSite is a site with a feed for tests. Its handler can be replaced.
type feedSite struct {
	*httptest.Server
	mu     sync.Mutex
	pages  map[string]http.HandlerFunc
	asked  map[string]int
	etags  map[string]string // If-None-Match of the last request
	inside int               // requests that are running
	most   int
}

func newFeedSite(t *testing.T) *feedSite {
	s := &feedSite{pages: map[string]http.HandlerFunc{}, asked: map[string]int{}, etags: map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		page := s.pages[r.URL.Path]
		s.asked[r.URL.Path]++
		s.etags[r.URL.Path] = r.Header.Get("If-None-Match")
		s.inside++
		s.most = max(s.most, s.inside)
		s.mu.Unlock()
		if page == nil {
			page = http.NotFound
		}
		page(w, r)
		s.mu.Lock()
		s.inside--
		s.mu.Unlock()
	}))
	t.Cleanup(s.Close)
	return s
}

// set replaces a page.
func (s *feedSite) set(path string, page http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pages[path] = page
}

func (s *feedSite) count(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

// serve sets a page with a body and a type. Its ETag is its body's length.
func (s *feedSite) serve(path, kind, body string) {
	s.set(path, func(w http.ResponseWriter, r *http.Request) {
		etag := fmt.Sprintf(`"%d"`, len(body))
		if r.Header.Get("If-None-Match") == etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", etag)
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, body)
	})
}

// rss returns a feed with items.
func rss(title string, items ...string) string {
	return `<?xml version="1.0" encoding="utf-8"?><rss version="2.0"><channel><title>` + title + `</title><link>https://example.org/</link><description>News of the day</description>` + strings.Join(items, "") + `</channel></rss>`
}

func rssItem(guid, link, title, text string, at time.Time) string {
	return fmt.Sprintf(`<item><guid isPermaLink="false">%s</guid><link>%s</link><title>%s</title><description><![CDATA[%s]]></description><pubDate>%s</pubDate></item>`, guid, link, title, text, at.UTC().Format(time.RFC1123Z))
}

// fetched requests a feed and waits until the response is stored. It returns the state.
func fetched(w *apptest.World, feed linnet.ID) *linnet.OutsideFeed {
	w.Helper()
	before := apptest.Must(w.Outside.State(w.Ctx, feed))(w)
	w.NextMillisecond() // Tried has milliseconds
	if err := w.Outside.Fetch(w.Ctx, linnet.Operator(), feed); err != nil {
		w.Fatal(err)
	}
	return feedUntil(w, feed, func(f *linnet.OutsideFeed) bool { return f.Tried.After(before.Tried) || f.Dead || f.Chain == "" })
}

// feedUntil waits until the state of a feed fulfils a condition.
func feedUntil(w *apptest.World, feed linnet.ID, done func(*linnet.OutsideFeed) bool) *linnet.OutsideFeed {
	w.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		f := apptest.Must(w.Outside.State(w.Ctx, feed))(w)
		if done(f) {
			w.Drain()
			return f
		}
		if time.Now().After(end) {
			w.Fatalf("the feed is %+v", f)
		}
	}
}

// addFeed resolves an address and waits for the first request of the feed.
func addFeed(w *apptest.World, me linnet.ID, address string) linnet.UserView {
	w.Helper()
	u := apptest.Must(w.Outside.Resolve(w.Ctx, linnet.By(me), address))(w)
	feedUntil(w, u.ID, func(f *linnet.OutsideFeed) bool { return !f.Tried.IsZero() })
	return apptest.Must(w.View.User(w.Ctx, me, u.ID))(w)
}

// textsOf returns the texts on a profile, newest first.
func textsOf(w *apptest.World, reader, who linnet.ID) (out []string) {
	w.Helper()
	for _, v := range w.Pages(40, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Reading.Profile(w.Ctx, reader, who, linnet.ProfileFilter{}, p)
	}) {
		out = append(out, v.Text)
	}
	return out
}

func TestOutsideFeed(t *testing.T) { apptest.OnFetchers(t, outsideFeed) }

func outsideFeed(t *testing.T, w *apptest.World, e kv.Engine) {
	s := newFeedSite(t)
	now := time.Now()
	items := []string{rssItem("1", s.URL+"/one", "One", "First <b>post</b> of @ann<script>alert(1)</script>", now.Add(-48*time.Hour)), rssItem("2", s.URL+"/two", "Two", "Second", now.Add(-24*time.Hour))}
	s.serve("/feed.xml", "application/rss+xml", rss("Example", items...))
	s.serve("/", "text/html", `<html><head><link rel="alternate" type="application/rss+xml" title="Comments" href="/comments.xml"><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head>`)
	ann, bob := w.Person("ann"), w.Person("bob")
	feed := addFeed(w, ann, s.URL)
	if feed.Login != "127.0.0.1" || feed.Name != "Example" || !feed.Bot || feed.Feed != s.URL+"/feed.xml" || feed.Statuses != 2 || !strings.Contains(feed.Note, "https://example.org/") {
		t.Errorf("the account is %+v", feed)
	}
	if again := apptest.Must(w.Outside.Resolve(w.Ctx, linnet.By(bob), s.URL+"/feed.xml"))(t); again.ID != feed.ID {
		t.Error("the feed has two accounts")
	}
	if got := textsOf(w, ann, feed.ID); !slices.Equal(got, []string{"Two\n\nSecond\n\n" + s.URL + "/two", "One\n\nFirst post of @ann\n\n" + s.URL + "/one"}) {
		t.Errorf("the posts are %q", got)
	}
	apptest.Must(w.Social.Follow(w.Ctx, ann, feed.ID, linnet.FollowOptions{}))(t)
	w.Drain()
	if home := w.Home(ann, 20); len(home) != 0 {
		t.Errorf("earlier items are in the home timeline: %v", apptest.IDs(home))
	}
	items = append(items, rssItem("3", s.URL+"/three", "Three", "#news Third", now.Add(-time.Minute)))
	s.serve("/feed.xml", "application/rss+xml", rss("Example 2", items...))
	fetched(w, feed.ID)
	home := w.Home(ann, 20)
	if len(home) != 1 || !strings.HasPrefix(home[0].Text, "Three") || home[0].App.Name != "example.org" || home[0].Visibility != linnet.Public || home[0].ID.Time().After(now) {
		t.Errorf("the home timeline is %+v", home)
	}
	if public := apptest.Must(w.Reading.Public(w.Ctx, ann, linnet.PublicQuery{}, linnet.Page{Limit: 20}))(t); len(public.Items) != 0 {
		t.Error("items are in the public timeline")
	}
	// Unchanged, moved and republished items are not posted again.
	fetched(w, feed.ID)
	if s.etags["/feed.xml"] == "" {
		t.Error("the request has no ETag")
	}
	republished := rss("Example 3", rssItem("x1", s.URL+"/one", "One!", "First", now.Add(-48*time.Hour)), rssItem("2", s.URL+"/b", "Two", "Second", now), rssItem("new", "https://moved.example/three", "Three", "", now.Add(-time.Minute)))
	s.set("/feed.xml", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/moved.xml", http.StatusMovedPermanently)
	})
	s.serve("/moved.xml", "application/rss+xml", republished)
	if f := fetched(w, feed.ID); f.URL != s.URL+"/moved.xml" || !slices.Equal(f.Former, []string{s.URL + "/feed.xml"}) {
		t.Errorf("the feed has not moved: %+v", f)
	}
	if u := apptest.Must(w.View.User(w.Ctx, ann, feed.ID))(t); u.Statuses != 3 || u.Name != "Example 3" || u.Feed != s.URL+"/moved.xml" {
		t.Errorf("the account is %+v", u)
	}
	for _, address := range []string{s.URL + "/feed.xml", s.URL + "/moved.xml"} {
		if again := apptest.Must(w.Outside.Resolve(w.Ctx, linnet.By(bob), address))(t); again.ID != feed.ID {
			t.Errorf("%s has another account", address)
		}
	}
	feedReplies(w, t, ann, bob, feed, home[0].ID)
	w.Check()
	if err := w.Outside.Remove(w.Ctx, linnet.Operator(), feed.ID); err != nil {
		t.Fatal(err)
	}
	w.Drain()
	apptest.WantKind(t, must2(w.Outside.State(w.Ctx, feed.ID)), linnet.NotFound)
	w.Check()
}

func must2[T any](_ T, err error) error { return err }

// feedReplies checks that a feed can be answered but not mentioned or messaged, and is notified of
// nothing.
func feedReplies(w *apptest.World, t *testing.T, ann, bob linnet.ID, feed linnet.UserView, item linnet.ID) {
	v := apptest.Must(w.Posting.Post(w.Ctx, bob, linnet.Draft{Text: "@" + feed.Login + " nice", InReplyTo: item}))(t)
	if len(v.Mentions) != 0 || v.InReplyTo != item {
		t.Errorf("the reply is %+v", v)
	}
	direct := linnet.Direct
	d := apptest.Must(w.Posting.Post(w.Ctx, bob, linnet.Draft{Text: "@" + feed.Login + "@linnet.test hello", Visibility: &direct}))(t)
	if len(d.Mentions) != 0 {
		t.Error("a feed was messaged")
	}
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, bob, item))(t)
	yes := true
	if r := apptest.Must(w.Social.Follow(w.Ctx, bob, feed.ID, linnet.FollowOptions{Notify: &yes}))(t); r.Notify {
		t.Error("a follower is notified of items")
	}
	w.Drain()
	if n := apptest.Must(w.Notify.Notifications(w.Ctx, feed.ID, linnet.NotificationFilter{}, linnet.Page{Limit: 20}))(t); len(n.Items) != 0 {
		t.Errorf("the feed was notified: %+v", n.Items)
	}
	if thread := apptest.Must(w.Reading.Thread(w.Ctx, ann, item, linnet.ThreadQuery{}))(t); len(thread.Descendants) != 1 {
		t.Errorf("the thread is %+v", thread)
	}
	apptest.WantKind(t, w.Identity.SetPassword(w.Ctx, linnet.Operator(), feed.Login, "a long password"), linnet.Invalid)
}

// TestOutsideFeedFailures checks the times of requests after failures, and when a feed is paused or
// dead.
func TestOutsideFeedFailures(t *testing.T) {
	clock := &apptest.Clock{}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w, s := apptest.WithPush(t, e, store.Options{Now: clock.Now}), newFeedSite(t)
	ann := w.Person("ann")
	s.serve("/feed.xml", "application/rss+xml", rss("Example"))
	feed := addFeed(w, ann, s.URL+"/feed.xml")
	apptest.Must(w.Social.Follow(w.Ctx, ann, feed.ID, linnet.FollowOptions{}))(t)
	within := func(f *linnet.OutsideFeed, least time.Duration) {
		t.Helper()
		if wait := f.Next.Sub(f.Tried); wait < least || wait > least+least/8 {
			t.Errorf("after %d failures the wait is %v, want about %v", f.Failures, wait, least)
		}
	}
	s.set("/feed.xml", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	for _, least := range []time.Duration{time.Hour, 2 * time.Hour, 4 * time.Hour, 8 * time.Hour, 16 * time.Hour, 24 * time.Hour, 24 * time.Hour} {
		within(fetched(w, feed.ID), least)
	}
	s.set("/feed.xml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "86400")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	within(fetched(w, feed.ID), 24*time.Hour)
	s.set("/feed.xml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=10800")
		fmt.Fprint(w, rss("Example"))
	})
	f := fetched(w, feed.ID)
	if within(f, 3*time.Hour); f.Failures != 0 || f.Problem != "" {
		t.Errorf("the failures are still counted: %+v", f)
	}
	apptest.Must(w.Social.Unfollow(w.Ctx, ann, feed.ID))(t)
	w.Drain()
	asked := s.count("/feed.xml")
	paused := fetched(w, feed.ID)
	if !paused.Paused() || s.count("/feed.xml") != asked {
		t.Errorf("a feed without followers is fetched: %+v", paused)
	}
	w.NextMillisecond()
	apptest.Must(w.Social.Follow(w.Ctx, ann, feed.ID, linnet.FollowOptions{}))(t)
	feedUntil(w, feed.ID, func(f *linnet.OutsideFeed) bool {
		return !f.Paused() && f.Tried.After(paused.Tried) && s.count("/feed.xml") > asked
	})
	s.set("/feed.xml", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusGone) })
	if f := fetched(w, feed.ID); !f.Dead || f.Problem == "" {
		t.Errorf("an ended feed is not dead: %+v", f)
	}
	w.Drain()
	w.Check()
}

// TestOutsideFeedRights checks who can add feeds, and which addresses are refused.
func TestOutsideFeedRights(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w, s := apptest.WithPush(t, e, store.Options{}), newFeedSite(t)
	ann, mod := w.Person("ann"), w.Person("mod")
	w.OK(w.GiveRole("mod", linnet.Moderator))
	for i := range 5 {
		s.serve(fmt.Sprintf("/%d.xml", i), "application/rss+xml", rss("Example"))
	}
	set := func(f func(*linnet.OutsideFeedSettings)) {
		t.Helper()
		if err := w.Outside.ChangeSettings(w.Ctx, linnet.Operator(), f); err != nil {
			t.Fatal(err)
		}
	}
	resolve := func(who linnet.ID, address string) error {
		_, err := w.Outside.Resolve(w.Ctx, linnet.By(who), address)
		return err
	}
	set(func(s *linnet.OutsideFeedSettings) { s.Who = linnet.FeedsByModerators })
	apptest.WantKind(t, resolve(ann, s.URL+"/0.xml"), linnet.Forbidden)
	if err := resolve(mod, s.URL+"/0.xml"); err != nil {
		t.Error(err)
	}
	set(func(s *linnet.OutsideFeedSettings) { s.Who = linnet.FeedsOff })
	apptest.WantKind(t, resolve(mod, s.URL+"/1.xml"), linnet.Forbidden)
	set(func(s *linnet.OutsideFeedSettings) { s.Who, s.PerMember = linnet.FeedsByMembers, 1 })
	if err := resolve(ann, s.URL+"/1.xml"); err != nil {
		t.Error(err)
	}
	apptest.WantKind(t, resolve(ann, s.URL+"/2.xml"), linnet.Invalid)
	set(func(s *linnet.OutsideFeedSettings) { s.PerMember, s.Total = 100, 2 })
	apptest.WantKind(t, resolve(ann, s.URL+"/2.xml"), linnet.Invalid)
	set(func(s *linnet.OutsideFeedSettings) { s.Total, s.Blocked = 100, []string{"https://Example.com/feed"} })
	apptest.WantKind(t, resolve(ann, "https://news.example.com/feed"), linnet.Forbidden)
	longest := "?" + strings.Repeat("x", text.MaxURL-len(s.URL+"/2.xml?"))
	s.set("/long.xml", func(rw http.ResponseWriter, r *http.Request) {
		http.Redirect(rw, r, "/3.xml"+longest+"x", http.StatusMovedPermanently)
	})
	if err := resolve(ann, s.URL+"/2.xml"+longest); err != nil {
		t.Errorf("the longest address: %v", err)
	}
	for _, address := range []string{s.URL + "/4.xml" + longest + "x", s.URL + "/long.xml"} {
		apptest.WantKind(t, resolve(ann, address), linnet.NotFound)
	}
	if address, ok := w.Outside.Address(s.URL + "/" + strings.Repeat("ß", text.MaxURL/3)); ok {
		t.Errorf("an address of %d bytes is accepted", len(address))
	}
	for _, address := range []string{"http://10.0.0.1/feed", "http://169.254.169.254/", "https://linnet.test/@ann.rss", "ftp://example.org/", "file:///etc/passwd", "https://a:b@example.org/", s.URL + "/missing"} {
		apptest.WantKind(t, resolve(ann, address), linnet.NotFound)
	}
	apptest.WantKind(t, w.Outside.ChangeSettings(w.Ctx, linnet.By(ann), func(*linnet.OutsideFeedSettings) {}), linnet.Forbidden)
	apptest.WantKind(t, w.Outside.ChangeSettings(w.Ctx, linnet.Operator(), func(s *linnet.OutsideFeedSettings) { s.Who, s.Total = "all", -1 }), linnet.Invalid)
	_, _, err := w.Outside.List(w.Ctx, linnet.By(ann), "", 20)
	apptest.WantKind(t, err, linnet.Forbidden)
	if all, _, err := w.Outside.List(w.Ctx, linnet.By(mod), "", 20); err != nil || len(all) != 3 {
		t.Errorf("%v, %v", all, err)
	}
	w.Drain()
	w.Check()
}
