package web_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"linnet/internal/admin"
	"linnet/internal/linnet"
)

// town is a world with many accounts and a viewer whose pages contain all kinds of content.
type town struct {
	*world
	jar   map[string]string // the viewer's cookies
	paths map[string]string // by page name
	body  []byte
}

// newTown creates a world with n accounts, with follows and posts like linnet seed. The viewer is
// one of them and has a thread and notifications.
func newTown(tb testing.TB, n int) *town {
	tb.Helper()
	w := newWorldAt(tb, loopbackURL, time.Now)
	if _, err := admin.ImportGraph(tb.Context(), w.svc, admin.ImportOptions{Heavy: n, Users: n, Made: true, PerUser: 4, Password: password}); err != nil {
		tb.Fatal(err)
	}
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	person := func(i int) linnet.ID {
		u, err := w.svc.View.UserByLogin(tb.Context(), 0, fmt.Sprint("u", i))
		must(err)
		return u.ID
	}
	reader, author := person(n/2), person(1)
	said := w.post(reader, linnet.Draft{Text: "A #linnet on the gate this morning. https://birds.example/"})
	for i := range 12 {
		who := person(n/3 + i)
		reply := w.post(who, linnet.Draft{Text: fmt.Sprintf("@u%d @u1 It was here yesterday as well. #gate%d", n/2, i), InReplyTo: said.ID})
		_, err := w.svc.Posting.Marks.Favourite(tb.Context(), who, said.ID)
		must(err)
		_, err = w.svc.Posting.Marks.Favourite(tb.Context(), reader, reply.ID)
		must(err)
		_, err = w.svc.Posting.Repost(tb.Context(), author, reply.ID, nil)
		must(err)
	}
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
// accounts.
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
	w := newTown(t, 1000)
	for page, most := range map[string]float64{"home": 1550, "thread": 1160, "profile": 1640, "notifications": 1350, "explore": 1290} {
		w.get(t, page)
		if n := testing.AllocsPerRun(30, func() { w.get(t, page) }); n > most {
			t.Errorf("%s allocates %.0f objects; the budget is %.0f", page, n, most)
		}
	}
}
