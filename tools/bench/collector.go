package bench

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// collector collects the measurements of all connections. It is safe for concurrent use.
type collector struct {
	mu       sync.Mutex
	from     time.Time // end of the warm-up
	ops      map[string]*tally
	series   map[string]*series
	failures map[string]*Failure
	late     Histogram // delay caused by the driver
	window   Histogram // since the last progress report
	recent   uint64    // responses since the last progress report
	notes    []string
}

// tally contains the results of one operation.
type tally struct {
	requests, failed uint64
	bytes            int64
	latency          Histogram
}

// series contains durations other than latencies of requests.
type series struct {
	followers int
	times     Histogram
}

func newCollector() *collector {
	return &collector{ops: map[string]*tally{}, series: map[string]*series{}, failures: map[string]*Failure{}}
}

// begin sets the end of the warm-up.
func (c *collector) begin(from time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.from = from
}

// record counts a request. The latency of a failed request only counts if it is a timeout. Other
// failures are often faster than responses and would make a broken server look fast.
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

// notSent counts n requests that were due but not sent in time. Their latencies are estimated from
// the delays of the first and the last one, which are lower bounds.
func (c *collector) notSent(n uint64, first, last time.Duration) {
	if n == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	t := c.tally(opNotSent)
	t.requests += n
	t.failed += n
	c.count(&failed{kindNotSent, "all connections were still busy at the end: the server cannot keep up with this rate"}, n)
	steps := min(n, 1000)
	for i := range steps {
		share := n / steps
		if i < n%steps {
			share++
		}
		t.latency.RecordN(first-(first-last)*time.Duration(i)/time.Duration(steps), share)
	}
}

// opNotSent is the operation of requests that were not sent.
const opNotSent = "(not sent)"

// The caller of tally and count holds the lock.

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

// lateness counts the driver's delay of a request for which a connection was free.
func (c *collector) lateness(due time.Time, d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !due.Before(c.from) {
		c.late.Record(d)
	}
}

// observe adds a duration to a series.
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

// total returns the sum of all operations.
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

// sortedFailures returns the failures, the most frequent first.
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

// opNames returns the names of the operations, sorted.
func (c *collector) opNames() []string { return slices.Sorted(maps.Keys(c.ops)) }

// seriesLines returns the series: authors by followers, others by time.
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
