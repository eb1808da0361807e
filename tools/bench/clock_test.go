package bench

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// stalled is a server that responds immediately, except for one pause.
func stalled(t *testing.T, begin, length time.Duration) *httptest.Server {
	start := time.Now()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if past := time.Since(start); past > begin && past < begin+length {
			time.Sleep(begin + length - past)
		}
		w.Write([]byte("[]"))
	}))
	t.Cleanup(s.Close)
	return s
}

// loadOn returns a load of simple requests.
func loadOn(t *testing.T, s *httptest.Server, c *collector, rate float64, connections int, timeout time.Duration) load {
	client := newClient(s.URL, connections, timeout, false)
	t.Cleanup(client.close)
	return load{rate: rate, connections: connections, do: func(ctx context.Context, due time.Time) {
		a, err := client.do(ctx, get(nil, "/"), nil)
		if ctx.Err() == nil {
			c.record("x", due, a, err)
		}
	}}
}

func spanOf(warmup, d time.Duration) span {
	now := time.Now()
	return span{now, now.Add(warmup), now.Add(warmup + d), grace}
}

// TestStallIsChargedFromWhenRequestsWereDue compares the two loops on a server that pauses for half
// a second. An open loop measures the delay of each request due in this time, but a closed loop
// only one per connection.
func TestStallIsChargedFromWhenRequestsWereDue(t *testing.T) {
	const stall, d, rate = 500 * time.Millisecond, time.Second, 200
	c := newCollector()
	drive(t.Context(), spanOf(0, d), c, []load{loadOn(t, stalled(t, 200*time.Millisecond, stall), c, rate, 2, 5*time.Second)})
	open := c.total()
	if open.requests != rate || open.failed != 0 {
		t.Fatalf("%d requests, %d failed, want %d and 0", open.requests, open.failed, rate)
	}
	// 100 requests were due during the pause. Their delays decrease from the whole pause to zero,
	// so a quarter of all requests waited for more than half of it.
	slower := func(c *collector) (n uint64) {
		total := c.total()
		for _, b := range total.latency.Buckets() {
			if b.Upper > stall/2 {
				n += b.Count
			}
		}
		return n
	}
	slow := slower(c)
	if slow < rate/5 || open.latency.Max() < stall*8/10 {
		t.Errorf("open loop: %d of %d requests took more than half of the stall, the longest %v", slow, rate, open.latency.Max())
	}
	c = newCollector()
	drive(t.Context(), spanOf(0, d), c, []load{loadOn(t, stalled(t, 200*time.Millisecond, stall), c, 0, 2, 5*time.Second)})
	if seen := slower(c); seen > slow/2 { // one per connection, and some for a busy machine
		t.Errorf("a closed loop is expected to hide the stall, but %d requests took more than half of it", seen)
	}
}

func TestWhatIsNeverSentCounts(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	t.Cleanup(s.Close)
	time.AfterFunc(grace+500*time.Millisecond, func() { close(release) })
	c := newCollector()
	const rate = 50
	drive(t.Context(), spanOf(0, 200*time.Millisecond), c, []load{loadOn(t, s, c, rate, 2, 10*time.Second)})
	total, lost := c.total(), c.ops[opNotSent]
	if lost == nil || total.requests != 10 || lost.requests != 8 || lost.failed != 8 {
		t.Fatalf("of 10 requests %d counted, not sent: %+v", total.requests, lost)
	}
	if lost.latency.Quantile(0) < grace || lost.latency.Max() > grace+200*time.Millisecond || lost.latency.Count() != 8 {
		t.Errorf("they waited %v to %v", lost.latency.Quantile(0), lost.latency.Max())
	}
	if c.failures[kindNotSent].Count != 8 {
		t.Errorf("failures %+v", c.failures)
	}
}

func TestRequestsAreDueEvenly(t *testing.T) {
	var mu sync.Mutex
	var dues []time.Time
	c := newCollector()
	s := spanOf(100*time.Millisecond, 200*time.Millisecond)
	c.begin(s.from)
	drive(t.Context(), s, c, []load{{rate: 100, connections: 4, do: func(_ context.Context, due time.Time) {
		mu.Lock()
		defer mu.Unlock()
		if time.Now().Before(due) {
			t.Error("given out before it was due")
		}
		dues = append(dues, due)
		c.record("x", due, answer{done: time.Now()}, nil)
	}}})
	if len(dues) != 30 {
		t.Fatalf("%d requests, want 30", len(dues))
	}
	seen := map[time.Duration]bool{}
	for _, d := range dues {
		seen[d.Sub(s.begin)] = true
	}
	for i := range 30 {
		if !seen[time.Duration(i)*10*time.Millisecond] {
			t.Errorf("no request was due after %d ms", i*10)
		}
	}
	if n := c.total(); n.requests != 20 {
		t.Errorf("%d requests were counted, want those 20 after the warm-up", n.requests)
	}
}

func TestBreakingOff(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var calls atomic.Int64
	do := func(ctx context.Context, _ time.Time) {
		if calls.Add(1) == 20 {
			cancel()
		}
		pause(ctx, time.Millisecond)
	}
	c := newCollector()
	begin := time.Now()
	drive(ctx, spanOf(0, time.Minute), c, []load{{rate: 1000, connections: 2, do: do}, {connections: 2, do: do}})
	if time.Since(begin) > 10*time.Second || c.total().requests != 0 {
		t.Errorf("ended after %v with %+v", time.Since(begin), c.failures)
	}
}
