package bench

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	// longest is the longest duration that is told from longer ones.
	longest = 24 * time.Hour
	// digits are the significant ones: what is read of a histogram is off by at most
	// a thousandth, or a microsecond.
	digits = 3
)

// Histogram counts durations in microseconds. Its size is fixed (some 200 KB), and two
// can be merged without loss. The zero value is empty and ready. It is not safe for
// concurrent use.
type Histogram struct {
	counts *hdrhistogram.Histogram // nil if nothing was counted
}

// Record counts d once; below 0 counts as 0, above a day as a day.
func (h *Histogram) Record(d time.Duration) { h.RecordN(d, 1) }

// RecordN counts d n times.
func (h *Histogram) RecordN(d time.Duration, n uint64) {
	if n == 0 {
		return
	}
	// It fails only for what is above the longest.
	_ = h.made().RecordValues(min(max(d, 0), longest).Microseconds(), int64(n))
}

// Merge adds everything that other has counted.
func (h *Histogram) Merge(other *Histogram) {
	if other.counts != nil {
		h.made().Merge(other.counts)
	}
}

func (h *Histogram) made() *hdrhistogram.Histogram {
	if h.counts == nil {
		h.counts = hdrhistogram.New(1, longest.Microseconds(), digits)
	}
	return h.counts
}

// Count is how many durations were counted.
func (h *Histogram) Count() uint64 {
	if h.counts == nil {
		return 0
	}
	return uint64(h.counts.TotalCount())
}

// Max is the longest duration; 0 if there is none.
func (h *Histogram) Max() time.Duration {
	if h.counts == nil {
		return 0
	}
	return time.Duration(h.counts.Max()) * time.Microsecond
}

// Mean is the average; 0 if there is none.
func (h *Histogram) Mean() time.Duration {
	if h.counts == nil {
		return 0
	}
	return time.Duration(h.counts.Mean() * float64(time.Microsecond))
}

// Quantile returns a duration that the share q (0 to 1) of those counted does not
// exceed; 0 if nothing was counted.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.counts == nil {
		return 0
	}
	return time.Duration(h.counts.ValueAtQuantile(q*100)) * time.Microsecond
}

// Bucket is durations that are not told apart.
type Bucket struct {
	Upper time.Duration // no duration in it is a microsecond longer
	Count uint64
}

// Buckets returns the buckets that are not empty, the shortest durations first.
func (h *Histogram) Buckets() []Bucket {
	var out []Bucket
	if h.counts == nil {
		return nil
	}
	for _, b := range h.counts.Distribution() {
		if b.Count > 0 {
			out = append(out, Bucket{time.Duration(b.To) * time.Microsecond, uint64(b.Count)})
		}
	}
	return out
}
