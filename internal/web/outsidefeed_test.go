package web_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// newFeedWorld returns a world that can fetch feeds from a site at a loopback address. While status
// is not 0, the site responds with this status.
func newFeedWorld(t *testing.T) (w *world, site string, status *atomic.Int32) {
	t.Helper()
	status = &atomic.Int32{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch n := status.Load(); {
		case n != 0:
			w.WriteHeader(int(n))
		case r.URL.Path == "/":
			fmt.Fprint(w, `<link rel="alternate" type="application/rss+xml" href="/feed.xml">`)
		case strings.HasSuffix(r.URL.Path, ".xml"):
			fmt.Fprintf(w, `<rss version="2.0"><channel><title>News of %s</title><link>https://example.org/</link><item><guid>1</guid><title>First item</title><link>https://example.org/1</link></item></channel></rss>`, r.URL.Path)
		default:
			fmt.Fprint(w, "<p>Nothing here")
		}
	}))
	t.Cleanup(s.Close)
	w = newWorld(t, loopbackURL)
	w.halt()
	w.reach = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	w.start()
	return w, s.URL, status
}

// addFeed adds a feed and waits until it has been fetched.
func (w *world) addFeed(by linnet.ID, address string) linnet.UserView {
	w.t.Helper()
	u, err := w.svc.Outside.Resolve(w.t.Context(), linnet.By(by), address)
	if err != nil {
		w.t.Fatal(err)
	}
	w.fetched(u.ID, time.Time{})
	return u
}

// fetched waits until a feed has been fetched after a time.
func (w *world) fetched(feed linnet.ID, after time.Time) {
	w.t.Helper()
	eventually(w.t, "the request of the feed", func() bool {
		f, err := w.svc.Outside.State(w.t.Context(), feed)
		return err == nil && f.Tried.After(after)
	})
	eventually(w.t, "the tasks of the feed", w.svc.Idle)
}

// feedSettings changes the settings for external feeds.
func (w *world) feedSettings(f func(*linnet.OutsideFeedSettings)) {
	w.t.Helper()
	if err := w.svc.Outside.ChangeSettings(w.t.Context(), linnet.Operator(), f); err != nil {
		w.t.Fatal(err)
	}
}

// TestFindFeed finds and follows a feed without scripts, and checks the errors.
func TestFindFeed(t *testing.T) {
	w, site, status := newFeedWorld(t)
	w.user("ann")
	b := w.browser().logIn("ann")
	want(t, b.get("/search?q="+url.QueryEscape(site)), http.StatusOK, "Find feed", `name="q" value="`+site+`"`)
	if a := b.get("/search?q=birds"); strings.Contains(a.body, "Find feed") {
		t.Error("a word is taken for an address")
	}
	wantTo(t, b.post("/search", "q", site), "/@127.0.0.1")
	want(t, b.get("/@127.0.0.1"), http.StatusOK, "News of /feed.xml", `value="follow"`)
	wantTo(t, b.post("/@127.0.0.1", "act", "follow"), "/@127.0.0.1")
	want(t, b.get("/@127.0.0.1"), http.StatusOK, `value="unfollow"`)
	find := func(address, says string) {
		t.Helper()
		want(t, b.post("/search", "q", address), http.StatusUnprocessableEntity, says, `id="q-wrong"`, "Find feed")
	}
	find(site+"/page", "There's no feed at this address.")
	find("example.org", "There's no feed at this address.")
	find("http://10.0.0.1/feed", "The address isn't allowed.")
	gone := httptest.NewServer(nil)
	gone.Close()
	find(gone.URL, "The site couldn't be reached.")
	status.Store(http.StatusNotFound)
	find(site+"/other.xml", "There's no feed at this address.")
	status.Store(http.StatusForbidden)
	find(site+"/other.xml", "The site responded with the status 403.")
	status.Store(0)
	w.feedSettings(func(s *linnet.OutsideFeedSettings) { s.Blocked = []string{"example.org"} })
	find("https://example.org/", "Feeds of this site are blocked on this server.")
	w.feedSettings(func(s *linnet.OutsideFeedSettings) { s.Who = linnet.FeedsByModerators })
	find(site+"/other.xml", "Only moderators can add external feeds on this server.")
	wantTo(t, b.post("/search", "q", site+"/feed.xml"), "/@127.0.0.1")
	b.get("/search")
	w.feedSettings(func(s *linnet.OutsideFeedSettings) { s.Who = linnet.FeedsOff })
	find(site+"/other.xml", "External feeds are turned off on this server.")
	want(t, w.browser().get("/search?q="+url.QueryEscape(site)), http.StatusSeeOther)
}

// TestFindLongAddress checks that the search fields accept the longest addresses of feeds.
func TestFindLongAddress(t *testing.T) {
	w, site, _ := newFeedWorld(t)
	w.user("ann")
	b := w.browser().logIn("ann")
	address := site + "/feed.xml?" + strings.Repeat("x", text.MaxURL-len(site)-len("/feed.xml?"))
	most := fmt.Sprintf(`maxlength="%d"`, text.MaxURL)
	want(t, b.get("/explore"), http.StatusOK, most)
	want(t, b.get("/search?q="+url.QueryEscape(address)), http.StatusOK, "Find feed", `name="q" value="`+address+`"`, most)
	wantTo(t, b.post("/search", "q", address), "/@127.0.0.1")
	b.get("/search?q=" + url.QueryEscape(address))
	want(t, b.post("/search", "q", address+"x"), http.StatusUnprocessableEntity, "There's no feed at this address.")
}

// TestFeedProfile checks the profile and the posts of an external feed.
func TestFeedProfile(t *testing.T) {
	w, site, status := newFeedWorld(t)
	ann := w.user("ann")
	feed := w.addFeed(ann.ID, site+"/feed.xml")
	w.follows(ann.ID, feed.ID)
	b := w.browser().logIn("ann")
	a := b.get("/@127.0.0.1")
	source := `From <a href="https://example.org/" rel="nofollow noopener noreferrer"><bdi>example.org</bdi></a>`
	want(t, a, http.StatusOK, `<span class="badge">feed</span>`, `Feed of <a href="`+site+`/feed.xml" rel="nofollow noopener noreferrer"><bdi>example.org</bdi></a>`, "Last fetched:", "First item", source)
	for _, no := range []string{"Send a message", "Mention @127.0.0.1", "Notify me", "Hide boosts", "/@127.0.0.1/following", ">bot<", `class="notice`} {
		if strings.Contains(a.body, no) {
			t.Errorf("the profile has %q", no)
		}
	}
	if _, post, _ := strings.Cut(a.body, `href="/@127.0.0.1/1`); post != "" {
		a := b.get("/@127.0.0.1/1" + post[:strings.Index(post, `"`)])
		if want(t, a, http.StatusOK, source); strings.Contains(a.body, ", with ") {
			t.Error("the source is shown twice")
		}
	}
	want(t, b.get("/faces/127.0.0.1.svg"), http.StatusOK, "<svg")
	want(t, b.get("/@127.0.0.1/card"), http.StatusOK, `<span class="badge">feed</span>`)
	fetch := func(code int32) answer {
		t.Helper()
		f, err := w.svc.Outside.State(t.Context(), feed.ID)
		if err != nil {
			t.Fatal(err)
		}
		status.Store(code)
		if err := w.svc.Outside.Fetch(t.Context(), linnet.Operator(), feed.ID); err != nil {
			t.Fatal(err)
		}
		w.fetched(feed.ID, f.Tried)
		return w.browser().get("/@127.0.0.1")
	}
	want(t, fetch(http.StatusBadGateway), http.StatusOK, "We haven't been able to fetch this feed since", "The site responded with the status 502.")
	want(t, fetch(http.StatusGone), http.StatusOK, "We no longer fetch this feed", "The site has ended this feed.")
}

// TestAdminFeeds checks the pages where staff manage external feeds.
func TestAdminFeeds(t *testing.T) {
	w, site, status := newFeedWorld(t)
	ann := w.user("ann")
	for login, role := range map[string]linnet.Role{"mia": linnet.Moderator, "bea": linnet.Admin} {
		w.user(login)
		w.role(login, role)
	}
	feed := w.addFeed(ann.ID, site+"/feed.xml")
	path := "/admin/feeds/" + feed.ID.String()
	member, mod, boss := w.browser().logIn("ann"), w.browser().logIn("mia"), w.browser().logIn("bea")
	for _, p := range []string{"/admin/feeds", path} {
		want(t, member.get(p), http.StatusNotFound)
		want(t, member.press(p, "do", "delete"), http.StatusNotFound)
	}
	if a := mod.get("/admin/feeds"); strings.Contains(a.body, "Who can add feeds") {
		t.Error("a moderator sees the form of the settings")
	}
	want(t, mod.get("/admin/feeds"), http.StatusOK, "@127.0.0.1", site+"/feed.xml", "Works", `href="`+path+`"`)
	want(t, mod.press("/admin/feeds", "who", "off"), http.StatusForbidden)
	want(t, mod.get(path), http.StatusOK, "News of /feed.xml", "https://example.org/", "@ann", "Next fetch", "Fetch now")
	f, err := w.svc.Outside.State(t.Context(), feed.ID)
	if err != nil {
		t.Fatal(err)
	}
	f.Hub = &linnet.FeedHub{URL: "https://hub.example/", Topic: f.URL, Expires: time.Now().Add(time.Hour)}
	if made, err := w.svc.Store().Accounts.SetOutsideFeed(t.Context(), f); err != nil || !made {
		t.Fatal(made, err)
	}
	want(t, mod.get(path), http.StatusOK, "https://hub.example/", "Subscribed until")
	w.follows(ann.ID, feed.ID)
	status.Store(http.StatusNotFound)
	wantTo(t, mod.post(path, "do", "fetch"), path+"?done=saved")
	w.fetched(feed.ID, f.Tried)
	want(t, mod.get("/admin/feeds"), http.StatusOK, "1 failure", "The site responded with the status 404.")

	want(t, boss.get("/admin/feeds"), http.StatusOK, "Who can add feeds", `value="100"`, `value="10000"`)
	want(t, boss.post("/admin/feeds", "who", "moderators", "per_member", "x", "total", "10", "blocked", ""), http.StatusUnprocessableEntity, "isn't a number", `value="x"`)
	want(t, boss.post("/admin/feeds", "who", "moderators", "per_member", "1", "total", "10001", "blocked", "a b"), http.StatusUnprocessableEntity, "must be between 0 and 10000", "which isn't a host")
	wantTo(t, boss.post("/admin/feeds", "who", "moderators", "per_member", "5", "total", "10", "blocked", "Example.net\nexample.com"), "/admin/feeds?done=saved")
	want(t, boss.get("/admin/feeds"), http.StatusOK, `value="moderators" selected`, `value="5"`, "example.com\nexample.net")
	want(t, boss.get("/admin/audit"), http.StatusOK, "Blocked hosts of external feeds: 2")

	mod.get(path)
	wantTo(t, mod.post(path, "do", "delete"), "/admin/feeds?done=saved")
	want(t, mod.get("/admin/feeds"), http.StatusOK, "No feeds have been added.")
	want(t, mod.get(path), http.StatusNotFound)
	want(t, mod.get("/admin/feeds/x"), http.StatusNotFound)
}

// TestFeedsOPML imports feeds from an OPML file, exports them again, and undoes the import.
func TestFeedsOPML(t *testing.T) {
	w, site, _ := newFeedWorld(t)
	ann := w.user("ann")
	known := w.addFeed(ann.ID, site+"/known.xml")
	long := site + "/new.xml?" + strings.Repeat("x", text.MaxURL-len(site+"/new.xml?"))
	b := w.browser().logIn("ann")
	upload := func(file string) answer {
		t.Helper()
		want(t, b.get("/settings/imports"), http.StatusOK, "OPML file")
		return b.send("/settings/imports", map[string][][]byte{"opml": {[]byte(file)}}, "type", "feeds")
	}
	b.get("/settings/imports")
	want(t, b.send("/settings/imports", nil, "type", "feeds"), http.StatusUnprocessableEntity, "The file is missing. Choose a file", `id="f-opml-wrong"`)
	want(t, upload("<html>"), http.StatusUnprocessableEntity, "The file is not a valid OPML file")
	sent := upload(`<opml><body><outline xmlUrl="` + site + `/known.xml"/><outline xmlUrl="` + long + `"/><outline xmlUrl="` + site + `/page"/><outline xmlUrl="ftp://example.org/"/></body></opml>`)
	want(t, sent, http.StatusSeeOther)
	path := sent.Header.Get("Location")
	want(t, b.get(path), http.StatusOK, "Import: External feeds", "You're about to follow up to 4 feeds from", "Not fetched yet")
	wantTo(t, b.post(path, "do", "confirm"), path)
	w.settle()
	want(t, b.get(path), http.StatusOK, "Finished", "There's no feed at this address.", "Undo import")
	want(t, b.get(path+"/failures.csv"), http.StatusOK, site+"/page\nftp://example.org/\n")
	want(t, b.get("/settings/imports"), http.StatusOK, "External feeds")
	want(t, b.get("/settings/export"), http.StatusOK, `href="/settings/export/feeds.opml"`)
	w.fetched(known.ID, time.Time{})
	a := b.get("/settings/export/feeds.opml")
	want(t, a, http.StatusOK, `<opml version="2.0">`, `xmlUrl="`+site+`/known.xml"`, `xmlUrl="`+long+`"`)
	if got := a.Header.Get("Content-Type"); got != "text/x-opml; charset=utf-8" {
		t.Errorf("the type is %q", got)
	}
	if !w.relation(ann.ID, known.ID).Following {
		t.Error("the feed isn't followed")
	}
	b.get(path)
	wantTo(t, b.post(path, "do", "undo"), path)
	w.settle()
	if a := b.get("/settings/export/feeds.opml"); strings.Contains(a.body, "xmlUrl") {
		t.Errorf("the import isn't undone: %s", a.body)
	}
}
