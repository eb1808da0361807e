package bench

import (
	"encoding/json"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// TestMixesOnARealServer runs each mix and counts the requests received.
func TestMixesOnARealServer(t *testing.T) {
	url, accounts := installation(t, 4)
	for _, mix := range Mixes() {
		var told atomic.Int64
		r, err := Run(t.Context(), Options{URL: url + "/", Accounts: accounts, Mix: mix, Rate: 400, Duration: 500 * time.Millisecond, Connections: 4,
			Timeout: time.Minute, grace: time.Minute, Every: 50 * time.Millisecond, Progress: func(p Progress) {
				if !p.Preparing && strings.Contains(p.String(), " failed") {
					told.Add(1)
				}
			}})
		if err != nil {
			t.Fatal(err)
		}
		if r.Total.Requests != 200 || r.Total.Failed != 0 || told.Load() < 1 {
			t.Errorf("%s: %d requests, %+v, told %d times", mix, r.Total.Requests, r.Failures, told.Load())
		}
		got := map[string]uint64{}
		for _, l := range r.Operations {
			got[l.Name] = l.Requests
			if l.Latency.P50 <= 0 || l.Latency.P50 > l.Latency.P99 || l.Latency.Max < l.Latency.P999 || l.Bytes <= 0 {
				t.Errorf("%s: %+v", mix, l)
			}
		}
		for _, s := range mixOf(mix) {
			if got[s.op] != uint64(2*s.n) {
				t.Errorf("%s: %d times %s, want %d", mix, got[s.op], s.op, 2*s.n)
			}
		}
	}
}

// TestMeasuresOnARealServer also tests the server: homes are in order and never stale, and posts
// reach all followers.
func TestMeasuresOnARealServer(t *testing.T) {
	url, accounts := installation(t, 4)
	for _, o := range []Options{
		{Measure: "home"},
		{Measure: "home", Rate: 100, WriteRate: 40, StaleAfter: 50 * time.Millisecond, Gzip: true},
		{Measure: "post"},
		{Measure: "post", Authors: []string{"u1", "@U2"}, Rate: 50},
		{Measure: "fanout", Followers: 2},
		{Measure: "streams", Authors: []string{"u3"}},
	} {
		o.Timeout, o.grace = time.Minute, time.Minute
		o.URL, o.Accounts, o.Duration, o.Connections, o.Warmup = url, accounts, 500*time.Millisecond, 4, 50*time.Millisecond
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		if r.Total.Failed != 0 || r.Total.Requests == 0 {
			t.Errorf("%+v: %d requests, %+v", o, r.Total.Requests, r.Failures)
		}
		if want := map[string]int{"home": 0, "post": 4 - len(o.Authors), "fanout": 3, "streams": 2}[o.Measure]; len(r.Series) != want {
			t.Errorf("%+v: %d series, want %d", o, len(r.Series), want)
		}
		var text strings.Builder
		if err := r.WriteText(&text); err != nil {
			t.Fatal(err)
		}
		t.Logf("\n%s", text.String())
	}
}

func TestResultsAsJSON(t *testing.T) {
	url, accounts := installation(t, 2)
	r, err := Run(t.Context(), Options{URL: url, Accounts: accounts, Measure: "home", Rate: 100, Duration: 300 * time.Millisecond, Timeout: time.Minute, grace: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back Result
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i, b := range back.Histogram {
		sum += b[1]
		if i > 0 && b[0] <= back.Histogram[i-1][0] {
			t.Errorf("edges %v then %v", back.Histogram[i-1][0], b[0])
		}
	}
	if sum != float64(r.Total.Requests) || back.Total != r.Total || back.DriverLate == nil || sum != 30 {
		t.Errorf("%s", data)
	}
	for _, a := range accounts {
		if strings.Contains(string(data), a.Token) {
			t.Error("the result tells a token")
		}
	}
}

func TestRunsThatCannotBegin(t *testing.T) {
	url, accounts := installation(t, 2)
	bad := []Account{{"u0", "nonsense"}, {"u1", "nonsense too"}}
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"nothing":     {Options{URL: url, Accounts: accounts}, "either a mix or a measure"},
		"both":        {Options{URL: url, Accounts: accounts, Mix: "retwis", Measure: "home"}, "either a mix or a measure"},
		"mix":         {Options{URL: url, Accounts: accounts, Mix: "retwi", Rate: 1}, "read-mostly, timeline, retwis"},
		"measure":     {Options{URL: url, Accounts: accounts, Measure: "hom"}, "home, post, fanout, streams"},
		"rate":        {Options{URL: url, Accounts: accounts, Mix: "retwis"}, "needs a rate"},
		"one account": {Options{URL: url, Accounts: accounts[:1], Mix: "retwis", Rate: 1}, "two accounts"},
		"no account":  {Options{URL: url, Measure: "home"}, "at least one account is needed"},
		"path":        {Options{URL: url + "/api", Accounts: accounts, Measure: "home"}, "not the address"},
		"host":        {Options{URL: "localhost:3000", Accounts: accounts, Measure: "home"}, "not the address"},
		"write rate":  {Options{URL: url, Accounts: accounts, Measure: "post", WriteRate: 1}, "is only for the measure home"},
		"connections": {Options{URL: url, Accounts: accounts, Measure: "home", Connections: -1}, "connections"},
		"author":      {Options{URL: url, Accounts: accounts, Measure: "post", Authors: []string{"nobody"}}, "the author nobody is not among the 2 accounts"},
		"tokens":      {Options{URL: url, Accounts: bad, Measure: "home"}, "as u"},
		"tokens, mix": {Options{URL: url, Accounts: bad, Mix: "timeline", Rate: 1}, "401 Unauthorized"},
		"polls":       {Options{URL: url, Accounts: accounts, Measure: "polls"}, "the measure polls needs a rate"},
		"no rest":     {Options{URL: url, Accounts: accounts, Measure: "polls", Rate: 10}, "2 accounts poll again within 20s: use at least 200 accounts"},
		"still":       {Options{URL: url, Accounts: accounts, Measure: "home", Static: true}, "only for the measure polls"},
		"two authors": {Options{URL: url, Accounts: accounts, Measure: "fanout", Authors: []string{"u0", "u1"}}, "use a single author"},
	} {
		r, err := Run(t.Context(), c.o)
		if err == nil || r != nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "nonsense") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestTextOfAResult(t *testing.T) {
	c := newCollector()
	b := &bench{opts: Options{URL: "http://x.test", Mix: "timeline", Rate: 20, Connections: 2, Limit: 20}, collector: c, crowd: &crowd{}}
	begin := time.Now()
	for i := range 1200 {
		c.record("home", begin, answer{done: begin.Add(time.Duration(i) * time.Millisecond / 10), bytes: 1000}, nil)
	}
	c.record("home", begin, answer{done: begin}, &failed{"429", "GET /x: 429 Too Many Requests: slow down"})
	var text strings.Builder
	if err := b.result(span{begin: begin, from: begin, end: begin}, begin.Add(time.Minute), true).WriteText(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"timeline on http://x.test\n", "20.0 requests/s requested", "60.0 s; interrupted", "1,201 requests, 20.0 answers/s, 1 failed, 1,200 KB",
		"1 × 429\n    GET /x: 429 Too Many Requests: slow down", "below 131.072 ms", "below 0.001 ms"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in\n%s", want, text.String())
		}
	}
}
