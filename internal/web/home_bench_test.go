package web

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"linnet/internal/linnet"
)

// What a page of home as HTML costs the server's processor, read again and again: 20
// posts of 10 people, some boosted, with the composer above.
func BenchmarkHome(b *testing.B) {
	w := newWorld(b, loopbackURL)
	ann := w.user("ann")
	for i := range 10 {
		who := w.user(fmt.Sprint("bird", i))
		if _, err := w.svc.Social.Follow(b.Context(), ann.ID, who.ID, linnet.FollowOptions{}); err != nil {
			b.Fatal(err)
		}
		for j := range 2 {
			st := w.post(who.ID, linnet.Draft{Text: fmt.Sprintf("Post %d of bird %d: a #linnet on the gate this morning, and @ann saw it. https://birds.example/%d", j, i, i)})
			if j == 1 && i%2 == 0 {
				if _, err := w.svc.Posting.Favourite(b.Context(), ann.ID, st.ID); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	jar := w.browser().logIn("ann").jar
	body := make([]byte, 0, 1<<17) // what a connection would take away in pieces
	get := func() *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, loopbackURL+"/", nil)
		for name, value := range jar {
			r.AddCookie(&http.Cookie{Name: name, Value: value})
		}
		rec := httptest.NewRecorder()
		rec.Body = bytes.NewBuffer(body)
		w.handler.ServeHTTP(rec, r)
		return rec
	}
	if rec := get(); rec.Code != http.StatusOK {
		b.Fatal(rec.Code)
	}
	b.SetBytes(int64(get().Body.Len()))
	b.ReportAllocs()
	for b.Loop() {
		get()
	}
}
