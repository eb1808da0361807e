package social_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/cards"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
)

// homepage is a web site that can link back to profiles.
type homepage struct {
	*httptest.Server
	asked atomic.Int64
	down  atomic.Bool
}

func newHomepage(t *testing.T) *homepage {
	t.Helper()
	h := &homepage{}
	mux := http.NewServeMux()
	page := func(body func(w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			h.asked.Add(1)
			if h.down.Load() {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			body(w, r)
		}
	}
	says := func(s string) http.HandlerFunc {
		return page(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s) })
	}
	const back = `<a rel="me noopener" href="https://linnet.test/@ann/">me</a>`
	mux.HandleFunc("/ann", says(back))
	mux.HandleFunc("/ann2", says(back))
	mux.HandleFunc("/none", says(`<a href="https://linnet.test/@ann">me</a>`))
	mux.HandleFunc("/late", says(strings.Repeat("<p>", 1<<20)+back))
	mux.HandleFunc("/moved", page(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/ann", http.StatusFound) }))
	mux.HandleFunc("/inside", page(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://10.0.0.1/", http.StatusFound)
	}))
	mux.HandleFunc("/loop", page(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) }))
	mux.HandleFunc("/gone", page(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound); fmt.Fprint(w, back) }))
	mux.HandleFunc("/text", page(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, back)
	}))
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h
}

// fields sets the profile fields of a user, and waits until their links are verified.
func fields(w *apptest.World, e kv.Engine, who linnet.ID, values ...string) {
	w.Helper()
	lines := []linnet.ProfileField{}
	for i, v := range values {
		lines = append(lines, linnet.ProfileField{Name: fmt.Sprint("line ", i), Value: v, Verified: time.Unix(1, 0)})
	}
	apptest.Must(w.Social.Profiles.Update(w.Ctx, who, linnet.ProfileChange{Fields: &lines}))(w)
	looked(w, e, who)
}

// looked waits until a user has no link task that is due soon. Retries are scheduled later. A task
// stays in the due set until it has scheduled its retry.
func looked(w *apptest.World, e kv.Engine, who linnet.ID) {
	w.Helper()
	left := func() bool {
		r := &kv.Range{Key: task.LaterKey(who.Shard()), Limit: kv.MaxRange}
		if err := e.Read(w.Ctx, r); err != nil {
			w.Fatal(err)
		}
		soon := w.Store.Now().Add(3 * time.Minute).UnixMilli()
		return slices.ContainsFunc(r.Members, func(m kv.Member) bool { return m.Score < soon })
	}
	comes := func() bool {
		return slices.ContainsFunc(w.TasksIn(e, task.DueKey(who.Shard())), func(text string) bool {
			return strings.Contains(text, fmt.Sprintf(`"kind":%q`, cards.TaskLinks))
		})
	}
	for end := time.Now().Add(time.Minute); left() || comes() || left(); time.Sleep(time.Millisecond) { // a task that moves meanwhile appears in one of them
		if time.Now().After(end) {
			w.Fatalf("left to do: %q", w.PushesIn(e, who))
		}
	}
}

// verified returns the numbers of the verified fields.
func linkVerified(w *apptest.World, who linnet.ID) string {
	w.Helper()
	out := ""
	for i, f := range apptest.Must(w.View.User(w.Ctx, 0, who))(w).Fields {
		if !f.Verified.IsZero() {
			out += fmt.Sprint(i)
		}
	}
	return out
}

func TestVerifiedLinks(t *testing.T) { apptest.OnFetchers(t, verifiesLinks) }

func verifiesLinks(t *testing.T, w *apptest.World, e kv.Engine) {
	h := newHomepage(t)
	ann, bob := w.Person("ann"), w.Person("bob")
	step := func(who linnet.ID, asked int64, verified string, values ...string) {
		t.Helper()
		before := h.asked.Load()
		if fields(w, e, who, values...); linkVerified(w, who) != verified || h.asked.Load()-before != asked {
			t.Errorf("%q: verified are %q, want %q; %d pages were asked for, want %d", values, linkVerified(w, who), verified, h.asked.Load()-before, asked)
		}
	}
	good, second, none := h.URL+"/ann", h.URL+"/ann2", h.URL+"/none"
	step(ann, 0, "", good) // not allowed yet
	w.WithCards(true)
	step(ann, 2, "0", good, none, "see "+good, "https://linnet.test/@bob")
	at := apptest.Must(w.View.User(w.Ctx, 0, ann))(w).Fields[0].Verified
	step(ann, 1, "1", none, good)
	step(ann, 1, "01", good, second)
	step(ann, 0, "", "https://linnet.test/@ann")
	step(ann, 1, "0", good) // a removed link is verified again
	if now := apptest.Must(w.View.User(w.Ctx, 0, ann))(w).Fields[0].Verified; !now.After(at) {
		t.Errorf("verified at %v, and at %v anew", at, now)
	}
	step(bob, 1, "", good) // links back to another user
	w.WithCards(false)
	step(ann, 0, "0", good, second) // verified links stay verified
	w.Drain()
	w.Check()
}

// TestHostileHomepages checks that a profile is saved wherever its links lead, and that forbidden
// addresses are not fetched.
func TestHostileHomepages(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w, h := apptest.WithPush(t, e, store.Options{}), newHomepage(t)
	w.WithCards(true)
	for i, c := range []struct{ path, verified string }{{"/late", ""}, {"/moved", "0"}, {"/inside", ""}, {"/loop", ""}, {"/gone", ""}, {"/text", ""}} {
		ann := w.Person(fmt.Sprint("person", i))
		if c.verified != "" {
			ann = w.Person("ann")
		}
		if fields(w, e, ann, h.URL+c.path); linkVerified(w, ann) != c.verified {
			t.Errorf("%s: verified are %q, want %q", c.path, linkVerified(w, ann), c.verified)
		}
	}
	cut := w.Person("cut")
	fields(w, e, cut, "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data/", "https://[::1]/", h.URL[:len("http://127.0.0.1:")]+"22/")
	if linkVerified(w, cut) != "" || len(w.PushesIn(e, cut)) != 0 {
		t.Errorf("verified are %q, left is %q", linkVerified(w, cut), w.PushesIn(e, cut))
	}
}

// TestLinksAreVerifiedSeldom checks that the number of fetches per hour is limited for a profile
// that is saved often.
func TestLinksAreVerifiedSeldom(t *testing.T) {
	clock := &apptest.Clock{}
	clock.Advance(time.Until(time.Now().Truncate(time.Hour).Add(30 * time.Minute))) // so that no hour ends during the test
	e := memkv.New(memkv.Options{Now: clock.Now})
	w, h := apptest.WithPush(t, e, store.Options{Now: clock.Now}), newHomepage(t)
	w.WithCards(true)
	ann := w.Person("ann")
	for range 40 {
		fields(w, e, ann, h.URL+"/none")
	}
	if n := h.asked.Load(); n > 20 {
		t.Errorf("%d pages were asked for", n)
	}
}

// TestLinksOfASiteThatIsDown checks that an unavailable page is fetched again a few times, at
// increasing intervals.
func TestLinksOfASiteThatIsDown(t *testing.T) {
	clock := &apptest.Clock{}
	e := memkv.New(memkv.Options{Now: clock.Now})
	opt := store.Options{Now: clock.Now}
	h := newHomepage(t)
	h.down.Store(true)
	at := apptest.WithPush(t, e, opt)
	at.WithCards(true)
	ann := at.Person("ann")
	fields(at, e, ann, h.URL+"/ann")
	for range 10 {
		at.Stop()
		clock.Advance(25 * time.Hour)
		at = apptest.WithPush(t, e, opt)
		at.WithCards(true)
		at.Drain()
		looked(at, e, ann)
		if len(at.PushesIn(e, ann)) == 0 {
			break
		}
	}
	if n := h.asked.Load(); n < 2 || n > 6 || linkVerified(at, ann) != "" {
		t.Errorf("%d times it was asked for; verified are %q", n, linkVerified(at, ann))
	}
	h.down.Store(false)
	if fields(at, e, ann, h.URL+"/ann"); linkVerified(at, ann) != "0" {
		t.Error("it is not verified when it is back")
	}
	at.Drain()
	at.Check()
}
