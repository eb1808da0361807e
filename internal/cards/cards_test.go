package cards_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/cards"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// site is a web site for link cards.
type site struct {
	*httptest.Server
	asked atomic.Int64 // requests for pages
	agent atomic.Value
}

// bomb is a page of 64 MB that compresses well. It is compressed once and in advance, because a
// slow machine would exceed the fetch timeout.
var bomb = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, "<title>Bomb</title>")
	_, _ = z.Write(make([]byte, 64<<20))
	_ = z.Close()
	return b.Bytes()
})

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{}
	mux := http.NewServeMux()
	mux.HandleFunc("/page/", func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		s.agent.Store(r.Header.Get("User-Agent"))
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<title>x</title><meta property="og:title" content="Page %s"><meta property="og:description" content="About"><meta property="og:image" content="/p.png"><meta name="fediverse:creator" content="@%[1]s@linnet.test">`, r.URL.Path[6:])
	})
	mux.HandleFunc("/p.png", func(w http.ResponseWriter, _ *http.Request) {
		if err := png.Encode(w, image.NewRGBA(image.Rect(0, 0, 30, 20))); err != nil {
			t.Error(err)
		}
	})
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(bomb())
	})
	mux.HandleFunc("/endless", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, err := io.WriteString(w, "<title>Endless</title>")
		for err == nil {
			_, err = io.WriteString(w, strings.Repeat("<p>", 1000))
		}
	})
	mux.HandleFunc("/inside", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://10.0.0.1/", http.StatusFound)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/page/moved", http.StatusFound) })
	mux.HandleFunc("/loop", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/loop", http.StatusFound) })
	mux.HandleFunc("/wide", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<title>Wide</title><meta property="og:image" content="/huge">`)
	})
	mux.HandleFunc("/huge", func(w http.ResponseWriter, _ *http.Request) {
		for range 100 {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	})
	s.Server = httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s
}

// cardOf waits until a status shows a card with the given title, or no card if title is "", and no
// task for the card is left.
func cardOf(w *apptest.World, e kv.Engine, id linnet.ID, title string) *linnet.Card {
	w.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		v := apptest.Must(w.View.Status(w.Ctx, 0, id))(w)
		if v.Card == nil && title == "" && len(cardsLeft(w, e, id)) == 0 || v.Card != nil && v.Card.Title == title {
			return v.Card
		}
		if time.Now().After(end) {
			w.Fatalf("the card is %+v, want %q; left to be done is %q", v.Card, title, cardsLeft(w, e, id))
		}
	}
}

// cardsLeft returns the card tasks in the shard of a status. Tasks that delete old card images can
// be in the same shard and are not included.
func cardsLeft(w *apptest.World, e kv.Engine, id linnet.ID) []string {
	return slices.DeleteFunc(w.PushesIn(e, id), func(task string) bool {
		return !strings.Contains(task, fmt.Sprintf(`"kind":%q`, cards.TaskCard))
	})
}

func TestCards(t *testing.T) { apptest.OnFetchers(t, cardsOfLinks) }

func cardsOfLinks(t *testing.T, w *apptest.World, e kv.Engine) {
	s := newSite(t)
	ann := w.Person("ann")
	before := w.Post(ann, "%s/page/0", s.URL)
	cardOf(w, e, before.ID, "")
	if s.asked.Load() != 0 {
		t.Fatal("a page was fetched that nobody has allowed to be")
	}
	w.WithCards(true)
	v := w.Post(ann, "@nobody see https://linnet.test/@ann and %s/page/1#part and %s/page/2", s.URL, s.URL)
	c := cardOf(w, e, v.ID, "Page 1")
	if c.Link != s.URL+"/page/1" || c.Description != "About" || c.Image.Name == "" || c.Image.Size != (linnet.Size{Width: 30, Height: 20}) || c.Image.Blurhash == "" {
		t.Errorf("%+v", c)
	}
	if a := s.agent.Load(); a != "Linnet (link preview bot; +https://linnet.test/)" {
		t.Errorf("the site was asked by %q", a)
	}
	if f, err := w.Uploads.Open(w.Ctx, c.Image.Name); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	edit := func(text, title string) {
		t.Helper()
		apptest.Must(w.Posting.Edit(w.Ctx, ann, v.ID, linnet.Edit{Text: text}))(t)
		cardOf(w, e, v.ID, title)
	}
	edit("still "+s.URL+"/page/1", "Page 1")
	edit("now "+s.URL+"/page/2", "Page 2")
	edit("none", "")
	edit("again "+s.URL+"/page/2", "Page 2")
	if n := s.asked.Load(); n != 2 {
		t.Errorf("%d pages were fetched, want 2", n)
	}
	cardOf(w, e, w.Draft(ann, linnet.Draft{Text: s.URL + "/page/3", QuoteOf: v.ID}).ID, "")
	w.WithCards(false)
	cardOf(w, e, v.ID, "")
	w.WithCards(true)
	cardOf(w, e, v.ID, "Page 2")
	w.Drain()
	w.Check()
}

// TestManyPostsOfALink checks that a link in several concurrent posts is fetched once.
func TestManyPostsOfALink(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w, s := apptest.WithPush(t, e, store.Options{}), newSite(t)
	w.WithCards(true)
	ann := w.Person("ann")
	ids := make([]linnet.ID, 100)
	var all sync.WaitGroup
	for i := range ids {
		all.Go(func() {
			if v, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: fmt.Sprintf("%d %s/page/1", i, s.URL)}); err != nil {
				t.Error(err)
			} else {
				ids[i] = v.ID
			}
		})
	}
	all.Wait()
	for _, id := range ids {
		cardOf(w, e, id, "Page 1")
	}
	if n := s.asked.Load(); n != 1 {
		t.Errorf("the page was fetched %d times", n)
	}
	w.Drain()
	w.Check()
}

// TestHostileSites checks that a status has a correct card or none, whatever a site returns or
// redirects to.
func TestHostileSites(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w, s := apptest.WithPush(t, e, store.Options{}), newSite(t)
	w.WithCards(true)
	bomb()
	ann := w.Person("ann")
	for path, title := range map[string]string{"/bomb": "Bomb", "/endless": "Endless", "/inside": "", "/moved": "Page moved", "/wide": "Wide", "/nowhere": "", "/p.png": ""} {
		c := cardOf(w, e, w.Post(ann, "%s%s", s.URL, path).ID, title)
		if path == "/wide" && c.Image != (linnet.CardImage{}) {
			t.Errorf("the picture %+v", c.Image)
		}
	}
	for _, link := range []string{"http://10.0.0.1/", "http://169.254.169.254/latest/meta-data/", "http://[::1]/", s.URL[:len("http://127.0.0.1:")] + "22/"} {
		cardOf(w, e, w.Post(ann, "%s", link).ID, "")
	}
	w.Drain()
	w.Check()
}

// TestCardsOfTheDead checks that a new server completes the card tasks of a server that has
// crashed, without fetching a page again at once.
func TestCardsOfTheDead(t *testing.T) {
	clock := &apptest.Clock{}
	e := memkv.New(memkv.Options{Now: clock.Now})
	opt := store.Options{Now: clock.Now}
	at, s := apptest.WithPush(t, e, opt), newSite(t)
	at.WithCards(true)
	ann := at.Person("ann")
	at.Stop()
	w := apptest.Idle(t, e, opt)
	w.WithCards(true)
	v := w.Post(ann, "%s/page/1", s.URL) // this server fetches nothing
	clock.Advance(3 * time.Minute)
	at = apptest.WithPush(t, e, opt)
	at.WithCards(true)
	c := cardOf(at, e, v.ID, "Page 1")
	at.Stop()
	clock.Advance(linnet.CardLife + time.Hour)
	at = apptest.WithPush(t, e, opt)
	at.WithCards(true)
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) { // until the image is deleted
		f, err := at.Uploads.Open(at.Ctx, c.Image.Name)
		if linnet.KindOf(err) == linnet.NotFound {
			break
		}
		if err == nil {
			f.Close()
		}
		if time.Now().After(end) {
			t.Fatal("the picture is there still")
		}
	}
	if c := cardOf(at, e, v.ID, "Page 1"); c.Image.Name != "" {
		t.Errorf("the picture %+v is shown", c.Image)
	}
	cardOf(at, e, at.Post(ann, "%s/page/1", s.URL).ID, "Page 1")
	if n := s.asked.Load(); n != 2 {
		t.Errorf("the page was fetched %d times", n)
	}
	at.Drain()
	at.Check()
}

// TestCardsOfAServerThatHasReadNothing checks that a server that has not loaded the settings yet
// reads them before it decides about a card task.
func TestCardsOfAServerThatHasReadNothing(t *testing.T) {
	e := memkv.New(memkv.Options{})
	before, s := apptest.WithPush(t, e, store.Options{}), newSite(t)
	before.WithCards(true)
	ann := before.Person("ann")
	before.Stop()
	v := before.Post(ann, "%s/page/1", s.URL) // no server fetches now
	st := store.New(e, store.Options{})
	a := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true, Files: apptest.Files(t),
		Reach: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}))(t)
	defer a.Close()
	ctx, stop := context.WithCancel(t.Context())
	var fetching sync.WaitGroup
	fetching.Go(func() { a.Cards.Run(ctx) })
	defer fetching.Wait()
	defer stop()
	if a.Core.Cards() {
		t.Fatal("it has read the settings")
	}
	args := apptest.Must(json.Marshal(cards.Args{Status: v.ID}))(t)
	apptest.Must(a.Cards.Handlers()[cards.TaskCard](ctx, args))(t)
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		if got := apptest.Must(st.Statuses.Status(ctx, v.ID))(t); got.Card != nil && got.Card.Title == "Page 1" {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the status has no card")
		}
	}
}
