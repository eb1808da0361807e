package mastodon_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"linnet/internal/mastodon"
)

// TestConcurrentIdempotency posts with one key from many requests at once: all
// answer with the same status, and there is one.
func TestConcurrentIdempotency(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, open opener) {
		w := newWorld(t, open(t), mastodon.Options{}, "ann")
		token := w.as("ann")
		ids := make([]string, 16)
		var wg sync.WaitGroup
		for i := range ids {
			wg.Go(func() {
				r := httptest.NewRequest("POST", "/api/v1/statuses", strings.NewReader(`{"status":"once"}`))
				r.Header.Set("Authorization", "Bearer "+token)
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Idempotency-Key", "the-key")
				rec := httptest.NewRecorder()
				w.api.ServeHTTP(rec, r)
				var s struct{ ID string }
				if rec.Code == http.StatusOK && json.Unmarshal(rec.Body.Bytes(), &s) == nil {
					ids[i] = s.ID
				} else {
					t.Errorf("answered %d %s", rec.Code, rec.Body)
				}
			})
		}
		wg.Wait()
		for _, id := range ids {
			if id != ids[0] {
				t.Errorf("statuses %s and %s for one key", id, ids[0])
			}
		}
		w.run([]step{{do: "GET /api/v1/accounts/{ann}/statuses", want: []string{"#1"}}, {do: "GET /api/v1/accounts/{ann}", want: []string{"statuses_count=1"}}})
	})
}

// TestPagesWhilePosting reads home page by page during posts, boosts and deletions. Each status
// of the start appears exactly once, in descending order.
func TestPagesWhilePosting(t *testing.T) {
	w := newWorld(t, memory(t), mastodon.Options{}, "ann", "bob")
	w.run([]step{{as: "ann", do: "POST /api/v1/accounts/{bob}/follow"}})
	var want []string
	for i := range 45 {
		w.run([]step{{as: "bob", do: "POST /api/v1/statuses", body: fmt.Sprintf("status=n%d", i), save: "p=id"}})
		want = append([]string{w.vars["p"]}, want...)
	}
	var got []string
	do := "GET /api/v1/timelines/home?limit=7"
	for page := 0; ; page++ {
		w.run([]step{{as: "ann", do: do}})
		link, list := w.last.Header().Get("Link"), []struct{ ID string }{}
		if err := json.Unmarshal(w.last.Body.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			got = append(got, s.ID)
		}
		if !strings.HasPrefix(link, "<") || !strings.Contains(link, `rel="next"`) || page > 20 {
			break
		}
		do = "GET " + linkTo(t, link, "next")
		w.vars["old"] = want[page*3]
		w.run([]step{
			{as: "bob", do: "POST /api/v1/statuses", body: "status=meanwhile"},
			{as: "bob", do: "POST /api/v1/statuses/{old}/reblog"}, {as: "bob", do: "POST /api/v1/statuses/{old}/unreblog"},
		})
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("got %d statuses\n%v\nwant %d\n%v", len(got), got, len(want), want)
	}
}

// TestConcurrentDeletes checks that only one of several concurrent requests deletes a status, and
// the others get 404, on every engine.
func TestConcurrentDeletes(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, open opener) {
		w := newWorld(t, open(t), mastodon.Options{}, "ann")
		token := w.as("ann")
		for range 5 {
			w.run([]step{{as: "ann", do: "POST /api/v1/statuses", body: "status=x", save: "s=id"}})
			codes := make([]int, 8)
			var wg sync.WaitGroup
			for i := range codes {
				wg.Go(func() {
					r := httptest.NewRequest("DELETE", w.fill("/api/v1/statuses/{s}"), nil)
					r.Header.Set("Authorization", "Bearer "+token)
					rec := httptest.NewRecorder()
					w.api.ServeHTTP(rec, r)
					codes[i] = rec.Code
				})
			}
			wg.Wait()
			slices.Sort(codes)
			if want := []int{200, 404, 404, 404, 404, 404, 404, 404}; !slices.Equal(codes, want) {
				t.Errorf("answered %v, want %v", codes, want)
			}
		}
		w.run([]step{{do: "GET /api/v1/accounts/{ann}", want: []string{"statuses_count=0"}}})
	})
}
