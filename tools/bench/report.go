package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"math/bits"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// WriteText prints the result as text.
func (r *Result) WriteText(w io.Writer) error {
	var b strings.Builder
	r.head(&b)
	r.tables(&b)
	if len(r.Failures) > 0 {
		b.WriteString("\nfailures, with the first of each kind\n")
		for _, f := range r.Failures {
			fmt.Fprintf(&b, "  %s × %s\n    %s\n", grouped(f.Count), f.Kind, f.Example)
		}
	}
	if r.latency.Count() > 0 {
		b.WriteString("\nlatencies of all requests\n")
		writeBars(&b, &r.latency)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteJSON prints the result as JSON.
func (r *Result) WriteJSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(r)
}

func (r *Result) head(b *strings.Builder) {
	loop := "closed loop: each connection sends the next request after a response"
	if r.Rate > 0 {
		loop = fmt.Sprintf("%s requests/s requested, latencies measured from the scheduled time", number(r.Rate))
	}
	fmt.Fprintf(b, "%s on %s\n%s; %s accounts, %s connections, pages of %d, %.1f s", r.Mix+r.Measure, r.URL, loop,
		grouped(uint64(r.Accounts)), grouped(uint64(r.Connections)), r.Limit, r.Seconds)
	if r.WriteRate > 0 {
		fmt.Fprintf(b, "; %s posts/s and favourites/s meanwhile", number(r.WriteRate))
	}
	if r.Interrupted {
		b.WriteString("; interrupted")
	}
	fmt.Fprintf(b, "\n\n%s requests, %s answers/s, %s failed, %s of bodies\n", grouped(r.Total.Requests), number(r.Total.PerSecond),
		grouped(r.Total.Failed), size(r.Total.Bytes))
	for _, n := range r.Notes {
		fmt.Fprintln(b, n)
	}
	for _, c := range r.Costs {
		fmt.Fprintf(b, "processor: %s %.0f µs (%.2f s for %s)", c.Name, float64(c.PerRequest().Nanoseconds())/1000, c.Seconds, grouped(c.Requests))
		if c.StoreCalls > 0 {
			fmt.Fprintf(b, ", %.2f calls of the store each", float64(c.StoreCalls)/float64(max(c.Requests, 1)))
		}
		fmt.Fprintln(b)
	}
	if r.DriverLate != nil {
		fmt.Fprintf(b, "the driver's own share of the latencies is p50 %.2f, p99 %.2f, max %.2f ms\n", r.DriverLate.P50, r.DriverLate.P99, r.DriverLate.Max)
	}
}

func (r *Result) tables(b *strings.Builder) {
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "\nlatency in ms\trequests\tfailed\tok/s\tbytes each\tp50\tp90\tp99\tp99.9\tmax\t")
	for _, l := range append([]Line{r.Total}, r.Operations...) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", l.Name, grouped(l.Requests), grouped(l.Failed), number(l.PerSecond),
			grouped(uint64(l.Bytes)/max(l.Requests, 1)), l.Latency.cells())
	}
	if len(r.Series) > 0 {
		what := "author\tfollowers"
		if r.Measure != "post" {
			what = "ms from sending the post\t"
		}
		fmt.Fprintf(t, "\n%s\tcount\t\t\tp50\tp90\tp99\tp99.9\tmax\t\n", what)
		for _, l := range r.Series {
			followers := ""
			if r.Measure == "post" {
				followers = grouped(uint64(l.Followers))
			}
			fmt.Fprintf(t, "%s\t%s\t%s\t\t\t%s\n", l.Name, followers, grouped(l.Count), l.Times.cells())
		}
	}
	t.Flush()
}

// cells returns the quantiles as columns of a table.
func (l Latency) cells() string {
	return fmt.Sprintf("%.2f\t%.2f\t%.2f\t%.2f\t%.2f\t", l.P50, l.P90, l.P99, l.P999, l.Max)
}

// writeBars draws a histogram with a line per doubling of the latency.
func writeBars(b *strings.Builder, h *Histogram) {
	var rows [64]uint64
	low, high, most := len(rows), 0, uint64(0)
	for _, bucket := range h.Buckets() {
		i := bits.Len64(uint64(bucket.Upper / time.Microsecond))
		rows[i] += bucket.Count
		low, high, most = min(low, i), max(high, i), max(most, rows[i])
	}
	t := tabwriter.NewWriter(b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for i := low; i <= high; i++ {
		const width = 50
		bar := strings.Repeat("#", int((rows[i]*width+most-1)/most))
		fmt.Fprintf(t, "below %s ms\t%s\t  %s\n", strconv.FormatFloat(float64(uint64(1)<<i)/1000, 'f', -1, 64), grouped(rows[i]), bar)
	}
	t.Flush()
}

// grouped formats a number with thousands separators.
func grouped(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// number formats a rate: as an integer above 100, otherwise with significant decimals.
func number(f float64) string {
	if f >= 100 {
		return grouped(uint64(f + 0.5))
	}
	return strconv.FormatFloat(f, 'f', 1, 64)
}

func size(n int64) string {
	switch {
	case n >= 10_000_000:
		return grouped(uint64(n)/1_000_000) + " MB"
	case n >= 10_000:
		return grouped(uint64(n)/1000) + " KB"
	}
	return grouped(uint64(n)) + " bytes"
}

func millis(d time.Duration) string {
	return strconv.FormatFloat(float64(d.Microseconds())/1000, 'f', 2, 64)
}
