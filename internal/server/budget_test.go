package server

import (
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestBudgets limits the allocations of the most frequent requests, from the outermost handler,
// with warm caches. The allocations of background work count too, so the best of several rounds is
// used.
func TestBudgets(t *testing.T) {
	if apptest.Race {
		t.Skip("the race detector allocates; the budgets are measured without it (see make test)")
	}
	rig := newHomeRig(t, "embedded")
	svc := rig.backend.App
	sixth := make([]linnet.ID, len(rig.users)) // of each home timeline
	for i, id := range rig.users {
		home, err := svc.Reading.Home(t.Context(), id, linnet.Page{})
		if err != nil {
			t.Fatal(err)
		}
		sixth[i] = home.Items[5].ID
	}
	// A post and a boost have their own budgets. Their order in a feed depends on the millisecond,
	// so they are created here.
	post, err := svc.Posting.Post(t.Context(), rig.users[0], linnet.Draft{Text: "The heron is back & stands beside the river."})
	if err != nil {
		t.Fatal(err)
	}
	repost, err := svc.Posting.Repost(t.Context(), rig.users[1], post.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	reply := linnet.Draft{Text: "It was here yesterday as well.", InReplyTo: post.ID}
	if _, err := svc.Posting.Post(t.Context(), rig.users[1], reply); err != nil {
		t.Fatal(err)
	}
	status := "/api/v1/statuses/" + post.ID.String()
	get := func(path string) func(int) *http.Request {
		return func(i int) *http.Request { return rig.ask(i, "GET", path, "") }
	}
	for _, c := range []struct {
		name           string
		request        func(i int) *http.Request
		objects, bytes float64
	}{
		{"home", get("/api/v1/timelines/home"), 53, 9350},
		{"home since", func(i int) *http.Request {
			return rig.ask(i, "GET", "/api/v1/timelines/home?since_id="+sixth[i%len(sixth)].String(), "")
		}, 53, 6100},
		{"profile", get(fmt.Sprintf("/api/v1/accounts/%v/statuses", rig.users[1])), 61, 6400},
		{"status", get(status), 36, 2400},
		{"repost", get("/api/v1/statuses/" + repost.ID.String()), 39, 2550},
		{"context", get(status + "/context"), 54, 4470},
		{"notifications", get("/api/v1/notifications"), 300, 33000},
		{"post", func(i int) *http.Request {
			return rig.ask(i, "POST", "/api/v1/statuses", fmt.Sprintf("status=Words+of+round+%d", i))
		}, 304, 31000},
	} {
		t.Run(c.name, func(t *testing.T) {
			objects, bytes := rig.allocates(t, c.request)
			if objects > c.objects || bytes > c.bytes {
				t.Errorf("a request allocates %.1f objects of %.0f bytes; the budget is %v of %v", objects, bytes, c.objects, c.bytes)
			}
		})
	}
}

// ask returns a request of one of the accounts, with a form if form is not empty.
func (rig *homeRig) ask(i int, method, path, form string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(form))
	r.Header.Set("Authorization", "Bearer "+rig.tokens[i%len(rig.tokens)])
	if form != "" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return r
}

// allocates returns the number of objects and bytes that a request allocates.
func (rig *homeRig) allocates(t *testing.T, request func(i int) *http.Request) (objects, bytes float64) {
	t.Helper()
	const rounds, size = 12, 200
	objects, bytes = math.Inf(1), math.Inf(1)
	w := &nowhere{header: http.Header{}}
	for round := range rounds {
		var requests [size]*http.Request
		for i := range requests {
			requests[i] = request(round*size + i)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for _, r := range requests {
			w.reset()
			if rig.handler.ServeHTTP(w, r); w.code != http.StatusOK || w.bytes == 0 {
				t.Fatalf("%s: %d with %d bytes", r.URL, w.code, w.bytes)
			}
		}
		runtime.ReadMemStats(&after)
		objects = min(objects, float64(after.Mallocs-before.Mallocs)/size)
		bytes = min(bytes, float64(after.TotalAlloc-before.TotalAlloc)/size)
	}
	return objects, bytes
}
