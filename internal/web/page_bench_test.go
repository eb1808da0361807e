package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// town is a world with many accounts and a viewer whose pages contain all kinds of content.
type town struct {
	*world
	jar   map[string]string // the viewer's cookies
	paths map[string]string // by page name
	body  []byte
}

// newTown creates a world with n accounts that follow about 30 others each, with few accounts that
// most follow, and have four posts each. The viewer is one of them and has a thread and
// notifications.
func newTown(tb testing.TB, n int) *town {
	tb.Helper()
	w := newWorldAt(tb, loopbackURL, time.Now)
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	people := make([]linnet.ID, n)
	for i := range people {
		people[i] = w.user(fmt.Sprint("u", i)).ID
	}
	for i, id := range people {
		for j := range min(30, n/4) {
			other := people[(i*j*j+j)%(n/(j%8+1))]
			if other != id && (i != n/2 || other != people[1]) { // whose boosts would fill the viewer's home
				_, err := w.svc.Social.Follow(tb.Context(), id, other, linnet.FollowOptions{})
				must(err)
			}
		}
	}
	for k := range 4 * n {
		text := fmt.Sprintf("This morning a heron waited for the last tram. Note %d", k)
		if k%8 == 0 {
			text += " #heron"
		}
		w.post(people[k%n], linnet.Draft{Text: text})
	}
	w.settle()
	reader, author := people[n/2], people[1]
	said := w.post(reader, linnet.Draft{Text: "A #linnet on the gate this morning. https://birds.example/"})
	for i := range 12 {
		who := people[n/3+i]
		reply := w.post(who, linnet.Draft{Text: fmt.Sprintf("@u%d @u1 It was here yesterday as well. #gate%d", n/2, i), InReplyTo: said.ID})
		_, err := w.svc.Posting.Marks.Favourite(tb.Context(), who, said.ID)
		must(err)
		_, err = w.svc.Posting.Marks.Favourite(tb.Context(), reader, reply.ID)
		must(err)
		_, err = w.svc.Posting.Repost(tb.Context(), author, reply.ID, nil)
		must(err)
	}
	w.settle()
	return &town{world: w, jar: w.browser().logIn(fmt.Sprint("u", n/2)).jar, body: make([]byte, 0, 1<<18),
		paths: map[string]string{"home": "/", "thread": fmt.Sprintf("/@u%d/%v", n/2, said.ID), "profile": "/@u1", "notifications": "/notifications", "explore": "/explore"}}
}

// get requests a page as the viewer. It calls the handler directly, without a connection.
func (t *town) get(tb testing.TB, page string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, loopbackURL+t.paths[page], nil)
	for name, value := range t.jar {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	rec := httptest.NewRecorder()
	rec.Body = bytes.NewBuffer(t.body)
	if t.handler.ServeHTTP(rec, r); rec.Code != http.StatusOK || rec.Body.Len() < 10_000 {
		tb.Fatalf("%s: %d with %d bytes", page, rec.Code, rec.Body.Len())
	}
	return rec
}

// BenchmarkPages measures pages that one viewer requests repeatedly, on an instance with 10,000
// accounts. Creating them takes about half a minute.
func BenchmarkPages(b *testing.B) {
	t := newTown(b, 10_000)
	for _, page := range []string{"home", "thread", "profile", "notifications", "explore"} {
		b.Run(page, func(b *testing.B) {
			b.SetBytes(int64(t.get(b, page).Body.Len()))
			b.ReportAllocs()
			for b.Loop() {
				t.get(b, page)
			}
		})
	}
}

// TestPageBudgets checks that pages stay within their allocation budgets. Lower a budget when its
// page needs fewer allocations.
func TestPageBudgets(t *testing.T) {
	w := newTown(t, 200)
	for page, most := range map[string]float64{"home": 1550, "thread": 1160, "profile": 1640, "notifications": 1350, "explore": 1290} {
		w.get(t, page)
		if n := testing.AllocsPerRun(30, func() { w.get(t, page) }); n > most {
			t.Errorf("%s allocates %.0f objects; the budget is %.0f", page, n, most)
		}
	}
}
