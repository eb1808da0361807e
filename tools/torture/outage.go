package torture

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// outage is what clients were answered while the store was away.
type outage struct {
	mu       sync.Mutex
	begun    time.Time
	ended    time.Time
	refused  int           // 503 with Retry-After
	acked    int           // writes that were acknowledged: there must be none
	other    string        // an answer of any other kind to a write
	slowest  time.Duration // of the 503
	slowRead time.Duration // of all answers
}

// beginOutage says that the store is away from now on.
func (c *client) beginOutage() *outage {
	o := &outage{begun: time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch = o
	return o
}

// end is called right before the store is brought back. What was answered
// later does not count.
func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = time.Now()
}

// observe takes an answer to a request that was sent while the store was away.
func (c *client) observe(sent time.Time, resp *http.Response, method string) {
	c.mu.Lock()
	o := c.watch
	c.mu.Unlock()
	if o == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if sent.Before(o.begun) || !o.ended.IsZero() {
		return
	}
	took := time.Since(sent)
	o.slowRead = max(o.slowRead, took)
	switch {
	case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
		o.refused++
		o.slowest = max(o.slowest, took)
	case resp.StatusCode/100 == 2 && method != http.MethodGet:
		o.acked++
	case resp.StatusCode >= 500:
		o.other = fmt.Sprintf("%s, Retry-After %q", resp.Status, resp.Header.Get("Retry-After"))
	}
}

// judge says what was wrong with the answers.
func (o *outage) judge(r *Round) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r.Refused503, r.Slowest503 = o.refused, o.slowest
	if o.acked > 0 {
		r.problem("%d writes were acknowledged without a store", o.acked)
	}
	if o.refused == 0 {
		r.problem("nothing was answered 503 while the store was away")
	}
	if o.other != "" {
		r.problem("answered while the store was away: %s", o.other)
	}
	if o.slowest > mostRefusal {
		r.problem("a 503 took %v", o.slowest.Round(time.Millisecond))
	}
}

// mostRefusal is how long a 503 may take: a second for the store, and some time
// for a machine that does other things as well.
const mostRefusal = 1500 * time.Millisecond
