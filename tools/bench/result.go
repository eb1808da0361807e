package bench

import (
	"runtime"
	"time"
)

// Result is the result of a run. Its JSON form is stable, so results can be stored and compared.
// Names are never reused with another meaning.
type Result struct {
	URL         string    `json:"url"`
	Mix         string    `json:"mix,omitempty"`
	Measure     string    `json:"measure,omitempty"`
	Started     time.Time `json:"started"`
	Seconds     float64   `json:"seconds"` // without the warm-up
	Interrupted bool      `json:"interrupted,omitempty"`

	Rate        float64 `json:"rate"` // requested rate, 0 for a closed loop
	WriteRate   float64 `json:"write_rate,omitempty"`
	Connections int     `json:"connections"`
	Accounts    int     `json:"accounts"`
	Limit       int     `json:"limit"`
	Gzip        bool    `json:"gzip,omitempty"`
	Seed        uint64  `json:"seed"`
	Driver      string  `json:"driver"` // the driver's machine and Go release, not the server's

	Total      Line      `json:"total"`
	Operations []Line    `json:"operations"`
	Series     []Series  `json:"series,omitempty"`      // post: by author; fanout, streams: delays
	DriverLate *Latency  `json:"driver_late,omitempty"` // delays caused by the driver
	Failures   []Failure `json:"failures"`
	Notes      []string  `json:"notes,omitempty"`
	Costs      []Cost    `json:"costs,omitempty"`

	// Histogram contains pairs of the upper limit in microseconds and the count of all latencies.
	Histogram [][2]float64 `json:"histogram_us"`
	latency   Histogram
}

// Series contains durations that belong to no single operation.
type Series struct {
	Name      string  `json:"name"`
	Followers int     `json:"followers,omitempty"` // of an author
	Count     uint64  `json:"count"`
	Times     Latency `json:"times_ms"`
}

// Line is the result of one operation.
type Line struct {
	Name      string  `json:"name"`
	Requests  uint64  `json:"requests"`
	Failed    uint64  `json:"failed"`
	PerSecond float64 `json:"per_second"` // successful requests
	Bytes     int64   `json:"bytes"`      // transferred bytes of bodies
	Latency   Latency `json:"latency_ms"`
}

// Latency contains the quantiles of a histogram in milliseconds.
type Latency struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99.9"`
	Max  float64 `json:"max"`
}

func latencyOf(h *Histogram) Latency {
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	return Latency{ms(h.Mean()), ms(h.Quantile(0.5)), ms(h.Quantile(0.9)), ms(h.Quantile(0.99)), ms(h.Quantile(0.999)), ms(h.Max())}
}

// result returns the result at a time.
func (b *bench) result(s span, ended time.Time, interrupted bool) *Result {
	c, o := b.collector, b.opts
	c.mu.Lock()
	defer c.mu.Unlock()
	total := c.total()
	r := &Result{
		URL: o.URL, Mix: o.Mix, Measure: o.Measure, Started: s.begin.UTC(), Seconds: max(ended.Sub(s.from).Seconds(), 0), Interrupted: interrupted,
		Rate: o.Rate, WriteRate: o.WriteRate, Connections: o.Connections, Accounts: len(o.Accounts), Limit: o.Limit, Gzip: o.Gzip, Seed: o.Seed,
		Driver:   runtime.GOOS + "/" + runtime.GOARCH + " " + runtime.Version(),
		Failures: c.sortedFailures(), Notes: c.notes, Operations: []Line{}, Histogram: [][2]float64{}, latency: total.latency,
	}
	r.Total = lineOf("all", &total, r.Seconds)
	for _, name := range c.opNames() {
		r.Operations = append(r.Operations, lineOf(name, c.ops[name], r.Seconds))
	}
	r.Series = c.seriesLines()
	if c.late.Count() > 0 {
		late := latencyOf(&c.late)
		r.DriverLate = &late
	}
	for _, bucket := range total.latency.Buckets() {
		r.Histogram = append(r.Histogram, [2]float64{float64(bucket.Upper/time.Microsecond + 1), float64(bucket.Count)})
	}
	return r
}

func lineOf(name string, t *tally, seconds float64) Line {
	l := Line{Name: name, Requests: t.requests, Failed: t.failed, Bytes: t.bytes, Latency: latencyOf(&t.latency)}
	if seconds > 0 {
		l.PerSecond = float64(t.requests-t.failed) / seconds
	}
	return l
}
