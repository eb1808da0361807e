package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// old is a server whose homes can be older than its acknowledgements.
type old struct {
	mu       sync.Mutex
	statuses []oldStatus      // newest last
	lag      time.Duration    // of statuses
	countLag time.Duration    // of favourites
	stream   http.HandlerFunc // serves streams, can be nil
	posted   func(n int)      // called with the number of each status, can be nil
}

type oldStatus struct {
	id   int
	at   time.Time
	favs []time.Time
}

func (o *old) start(t *testing.T) string {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/accounts/verify_credentials", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, `{"id":%q,"followers_count":1}`, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer token"))
	})
	mux.HandleFunc("GET /api/v1/accounts/{id}/following", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `[{"id":"1"},{"id":"99"}]`)
	})
	mux.HandleFunc("GET /api/v1/accounts/{id}/followers", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `[{"acct":"u2"},{"acct":"stranger"},{"acct":"u3"}]`)
	})
	mux.HandleFunc("POST /api/v1/statuses", o.post)
	mux.HandleFunc("POST /api/v1/statuses/{id}/favourite", o.favourite)
	mux.HandleFunc("GET /api/v1/timelines/home", o.home)
	if o.stream != nil {
		mux.HandleFunc("GET /api/v1/streaming", o.stream)
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

func (o *old) post(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.statuses = append(o.statuses, oldStatus{id: 100 + len(o.statuses), at: time.Now()})
	fmt.Fprintf(w, `{"id":"%d"}`, 99+len(o.statuses))
	if o.posted != nil {
		o.posted(len(o.statuses))
	}
}

func (o *old) favourite(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	id, _ := strconv.Atoi(r.PathValue("id"))
	s := &o.statuses[id-100]
	s.favs = append(s.favs, time.Now())
	fmt.Fprint(w, "{}")
}

func (o *old) home(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	defer o.mu.Unlock()
	page := []map[string]any{}
	for _, s := range slices.Backward(o.statuses) {
		if time.Since(s.at) < o.lag || len(page) == 20 {
			continue
		}
		n := 0
		for _, f := range s.favs {
			if time.Since(f) >= o.countLag {
				n++
			}
		}
		page = append(page, map[string]any{"id": strconv.Itoa(s.id), "favourites_count": n})
	}
	json.NewEncoder(w).Encode(page)
}

// people returns the accounts u1, u2, … with tokens for old.
func people(n int) []Account {
	var out []Account
	for i := range n {
		out = append(out, Account{fmt.Sprintf("u%d", i+1), fmt.Sprintf("token%d", i+1)})
	}
	return out
}

func TestStaleAnswersAreFailures(t *testing.T) {
	for name, c := range map[string]struct {
		lag, countLag, allowed time.Duration
		kind                   string
	}{
		"fresh":           {0, 0, 20 * time.Millisecond, ""},
		"within the time": {50 * time.Millisecond, 50 * time.Millisecond, 400 * time.Millisecond, ""},
		"old statuses":    {300 * time.Millisecond, 0, 50 * time.Millisecond, kindMissing},
		"old counts":      {0, 300 * time.Millisecond, 50 * time.Millisecond, kindOldCount},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := &old{lag: c.lag, countLag: c.countLag}
			r, err := Run(t.Context(), Options{URL: server.start(t), Accounts: people(30), Measure: "home", Rate: 200, Duration: time.Second,
				WriteRate: 30, StaleAfter: c.allowed, Connections: 4, Timeout: time.Minute, grace: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			writes := map[string]uint64{}
			for _, l := range r.Operations {
				writes[l.Name] = l.Requests - l.Failed
			}
			if writes[opPost] < 25 || writes["favourite"] < 20 {
				t.Errorf("writes %v", writes)
			}
			if c.kind == "" && r.Total.Failed > 0 {
				t.Errorf("failures of a good server: %+v", r.Failures)
			}
			if c.kind != "" && (len(r.Failures) != 1 || r.Failures[0].Kind != c.kind || r.Failures[0].Count < 10) {
				t.Errorf("failures %+v, want %s", r.Failures, c.kind)
			}
		})
	}
}

func TestLedger(t *testing.T) {
	l := newLedger()
	at := time.Now()
	for i := range keptWrites + 10 {
		l.posted(strconv.Itoa(1000+i), i%2, 0, at.Add(time.Duration(i)*time.Second))
	}
	end := 1000 + keptWrites + 9
	page := func(from, n int) (items []item) {
		for i := range n {
			items = append(items, item{id: []byte(strconv.Itoa(from - i))})
		}
		return items
	}
	r := get(nil, "/home")
	both, one := map[int]bool{0: true, 1: true}, map[int]bool{1: true}
	later := at.Add(time.Hour)
	for name, c := range map[string]struct {
		items   []item
		follows map[int]bool
		before  time.Time
		kind    string
	}{
		"whole":                {page(end, 20), both, later, ""},
		"newest missing":       {page(end-1, 20), both, later, kindMissing},
		"newest not due yet":   {page(end-1, 20), both, at.Add(time.Duration(keptWrites+9) * time.Second), ""},
		"another's missing":    {slices.DeleteFunc(page(end, 20), func(i item) bool { return (i.id[len(i.id)-1]-'0')%2 == 0 }), one, later, ""},
		"one in between":       {slices.Delete(page(end, 20), 7, 8), both, later, kindMissing},
		"empty":                {nil, both, later, kindMissing},
		"empty for a stranger": {nil, nil, later, ""},
	} {
		err := l.check(r, c.items, c.follows, c.before)
		if (err == nil) != (c.kind == "") || err != nil && KindOf(err) != c.kind {
			t.Errorf("%s: %v, want %q", name, err, c.kind)
		}
	}
	if len(l.ring) != keptWrites || len(l.byID) != keptWrites {
		t.Errorf("the ledger holds %d and %d", len(l.ring), len(l.byID))
	}
}

func TestNobodyFavouritesTwice(t *testing.T) {
	l := newLedger()
	l.posted("5", 0, 3, time.Now())
	seen := map[int]bool{}
	for range 7 {
		if _, m, ok := l.toMark(0, 7); ok {
			if seen[m] || m < 0 || m > 6 {
				t.Errorf("member %d again", m)
			}
			seen[m] = true
		}
	}
	if _, _, ok := l.toMark(0, 7); ok || len(seen) != 7 {
		t.Errorf("%d of 7 members favourited, and then somebody else", len(seen))
	}
	if _, _, ok := l.toMark(1, 7); ok {
		t.Error("a status that does not exist was chosen")
	}
}

// TestFanoutDelays measures a server with a known delay.
func TestFanoutDelays(t *testing.T) {
	t.Parallel()
	const lag = 200 * time.Millisecond
	server := &old{lag: lag}
	r, err := Run(t.Context(), Options{URL: server.start(t), Accounts: people(3), Measure: "fanout", Authors: []string{"U1"},
		Duration: time.Second, Poll: 5 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	if r.Total.Failed > 0 || len(r.Series) != 3 {
		t.Fatalf("%+v %+v", r.Series, r.Failures)
	}
	for _, l := range r.Series {
		if l.Count < 1 || l.Times.P50 < 200 || l.Times.P50 > 5000 {
			t.Errorf("%s: %d times, p50 %v ms, want at least 200", l.Name, l.Count, l.Times.P50)
		}
	}
	if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "u1 has 1 followers; 2 home timelines were read before, 2 are watched") {
		t.Errorf("notes %q", r.Notes)
	}
	if _, err := Run(t.Context(), Options{URL: server.start(t), Accounts: people(1), Measure: "fanout"}); err == nil || !strings.Contains(err.Error(), "none of the 1 accounts follows u1") {
		t.Errorf("without followers: %v", err)
	}
}

// TestStreamsThatEnd checks that a server without streams is refused, and that missed posts of
// ended streams are counted.
func TestStreamsThatEnd(t *testing.T) {
	t.Parallel()
	o := Options{Accounts: people(3), Measure: "streams", Authors: []string{"u1"}, Rate: 20, Duration: 300 * time.Millisecond}
	o.URL = (&old{}).start(t)
	if _, err := Run(t.Context(), o); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("without streams: %v", err)
	}
	o.URL = (&old{stream: func(w http.ResponseWriter, r *http.Request) {
		if conn, err := websocket.Accept(w, r, nil); err == nil {
			conn.CloseNow()
		}
	}}).start(t)
	r, err := Run(t.Context(), o)
	if err != nil || len(r.Failures) != 1 || r.Failures[0].Kind != kindBroken || len(r.Series) > 0 || len(r.Notes) != 1 ||
		r.Notes[0] != "3 streams were open, 2 of them for followers of u1" {
		t.Errorf("streams that end: %v, %+v", err, r)
	}
}

func TestInterruptedRunsTellWhatTheyMeasured(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	server := &old{posted: func(n int) {
		if n == 20 {
			cancel()
		}
	}}
	begin := time.Now()
	r, err := Run(ctx, Options{URL: server.start(t), Accounts: people(2), Measure: "post", Connections: 2, Duration: time.Hour})
	if err != nil || time.Since(begin) > 10*time.Second {
		t.Fatalf("%v after %v", err, time.Since(begin))
	}
	if !r.Interrupted || r.Total.Requests == 0 || r.Total.Failed != 0 || len(r.Series) != 2 {
		t.Errorf("%+v", r)
	}
}
