package bench

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// collector gathers what was measured, for all connections. It is safe for
// concurrent use.
type collector struct {
	mu       sync.Mutex
	from     time.Time // what was due earlier only warms up
	ops      map[string]*tally
	series   map[string]*series
	failures map[string]*Failure
	late     Histogram // how much too late the driver itself was
	window   Histogram // since the last progress
	recent   uint64    // answers since the last progress
	notes    []string
}

// tally is what one operation did.
type tally struct {
	requests, failed uint64
	bytes            int64
	latency          Histogram
}

// series is durations that are not latencies of requests.
type series struct {
	followers int
	times     Histogram
}

func newCollector() *collector {
	return &collector{ops: map[string]*tally{}, series: map[string]*series{}, failures: map[string]*Failure{}}
}

// begin sets when the warm-up ends.
func (c *collector) begin(from time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.from = from
}

// record counts one request that was due at a time. A failed one counts in the
// latencies only if it ended by timeout: other failures are often faster than
// any answer, and would make a broken server look quick.
func (c *collector) record(op string, due time.Time, a answer, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	timed := err == nil || KindOf(err) == kindTimeout
	latency := a.done.Sub(due)
	c.recent++
	if timed {
		c.window.Record(latency)
	}
	if due.Before(c.from) {
		return
	}
	t := c.tally(op)
	t.requests++
	t.bytes += a.bytes
	if timed {
		t.latency.Record(latency)
	}
	if err != nil {
		t.failed++
		c.count(err, 1)
	}
}

// notSent counts n requests that were due but not sent when the time was up.
// How long the first and the last of them had waited is known, and stands for a
// latency that would have been longer still.
func (c *collector) notSent(n uint64, first, last time.Duration) {
	if n == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tally(opNotSent)
	t.requests += n
	t.failed += n
	c.count(&failed{kindNotSent, "all connections were still busy when the time was up: the server does not keep up with this rate"}, n)
	steps := min(n, 1000)
	for i := range steps {
		share := n / steps
		if i < n%steps {
			share++
		}
		t.latency.RecordN(first-(first-last)*time.Duration(i)/time.Duration(steps), share)
	}
}

// opNotSent is the name under which requests count that were never sent.
const opNotSent = "(not sent)"

// tally and count are called with the lock held.

func (c *collector) tally(op string) *tally {
	t := c.ops[op]
	if t == nil {
		t = &tally{}
		c.ops[op] = t
	}
	return t
}

func (c *collector) count(err error, n uint64) {
	kind := KindOf(err)
	f := c.failures[kind]
	if f == nil {
		f = &Failure{Kind: kind, Example: err.Error()}
		c.failures[kind] = f
	}
	f.Count += n
}

// lateness counts how much after its time the driver gave out a request
// although a connection was free.
func (c *collector) lateness(due time.Time, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !due.Before(c.from) {
		c.late.Record(d)
	}
}

// observe counts a duration of a series of its own.
func (c *collector) observe(name string, followers int, due time.Time, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if due.Before(c.from) {
		return
	}
	s := c.series[name]
	if s == nil {
		s = &series{followers: followers}
		c.series[name] = s
	}
	s.times.Record(d)
}

// note adds a sentence to the result.
func (c *collector) note(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.notes = append(c.notes, text)
}

// total adds up all operations.
func (c *collector) total() tally {
	var all tally
	for _, t := range c.ops {
		all.requests += t.requests
		all.failed += t.failed
		all.bytes += t.bytes
		all.latency.Merge(&t.latency)
	}
	return all
}

// sortedFailures lists the failures, the most frequent first.
func (c *collector) sortedFailures() []Failure {
	out := []Failure{}
	for _, f := range c.failures {
		out = append(out, *f)
	}
	slices.SortFunc(out, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Kind, b.Kind))
	})
	return out
}

// opNames lists the operations by name.
func (c *collector) opNames() []string { return slices.Sorted(maps.Keys(c.ops)) }

// seriesLines lists the series: authors by their followers, the rest by time.
func (c *collector) seriesLines() []Series {
	var out []Series
	for name, s := range c.series {
		out = append(out, Series{name, s.followers, s.times.Count(), latencyOf(&s.times)})
	}
	slices.SortFunc(out, func(a, b Series) int {
		return cmp.Or(cmp.Compare(a.Followers, b.Followers), cmp.Compare(a.Times.P50, b.Times.P50), cmp.Compare(a.Name, b.Name))
	})
	return out
}
