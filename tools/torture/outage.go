package torture

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// outage counts the responses during an outage of the store.
type outage struct {
	mu       sync.Mutex
	begun    time.Time
	ended    time.Time
	refused  int           // 503 with Retry-After
	acked    int           // acknowledged writes, of which there must be none
	other    string        // the last other error of a write
	slowest  time.Duration // slowest 503
	slowRead time.Duration // slowest response
}

// beginOutage starts counting for an outage of the store.
func (c *client) beginOutage() *outage {
	o := &outage{begun: time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watch = o
	return o
}

// end stops counting. It is called before the store starts again.
func (o *outage) end() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = time.Now()
}

// observe counts a response to a request that was sent during the outage.
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

// judge reports wrong responses.
func (o *outage) judge(r *Round) {
	o.mu.Lock()
	defer o.mu.Unlock()
	r.Refused503, r.Slowest503 = o.refused, o.slowest
	if o.acked > 0 {
		r.problem("%d writes were acknowledged without a store", o.acked)
	}
	if o.refused == 0 {
		r.problem("no request got a 503 response while the store was unavailable")
	}
	if o.other != "" {
		r.problem("got a response while the store was unavailable: %s", o.other)
	}
	if o.slowest > mostRefusal {
		r.problem("a 503 response took %v", o.slowest.Round(time.Millisecond))
	}
}

// mostRefusal is the limit of the time for a 503: a second for the store, and some time for a busy
// machine.
const mostRefusal = 1500 * time.Millisecond
