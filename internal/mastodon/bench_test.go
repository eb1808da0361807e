package mastodon_test

import (
	"fmt"
	"net/http/httptest"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/mastodon"
)

// BenchmarkHome requests a page of 20 without the network: token, feed, views, JSON.
func BenchmarkHome(b *testing.B) {
	people := []string{"ann"}
	for i := range 10 {
		people = append(people, fmt.Sprintf("friend%d", i))
	}
	w := newWorld(b, memkv.New(memkv.Options{}), mastodon.Options{}, people...)
	for _, p := range people[1:] {
		w.call("ann", "POST /api/v1/accounts/{"+p+"}/follow", "", "")
		for i := range 4 {
			w.call(p, "POST /api/v1/statuses", fmt.Sprintf("status=Some+words+of+%s,+number+%d,+with+a+%%23tag", p, i), "")
		}
	}
	w.settle()
	r := httptest.NewRequest("GET", "/api/v1/timelines/home", nil)
	r.Header.Set("Authorization", "Bearer "+w.as("ann"))
	b.ReportAllocs()
	for b.Loop() {
		rec := httptest.NewRecorder()
		w.api.ServeHTTP(rec, r)
		if rec.Code != 200 {
			b.Fatal(rec.Body)
		}
	}
}
