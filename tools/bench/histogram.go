package bench

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

const (
	// longest is the longest duration that is counted exactly.
	longest = 24 * time.Hour
	// digits is the number of significant digits. Results differ by at most a thousandth, or a
	// microsecond.
	digits = 3
)

// Histogram counts durations in microseconds. It has a fixed size of about 200 KB and can be merged
// without loss. The zero value is empty and ready to use. It is not safe for concurrent use.
type Histogram struct {
	counts *hdrhistogram.Histogram // nil if empty
}

// Record counts d once, limited to the range from 0 to a day.
func (h *Histogram) Record(d time.Duration) { h.RecordN(d, 1) }

// RecordN counts d n times.
func (h *Histogram) RecordN(d time.Duration, n uint64) {
	if n == 0 {
		return
	}
	// It only fails for values above the longest one.
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

// Count returns the number of durations.
func (h *Histogram) Count() uint64 {
	if h.counts == nil {
		return 0
	}
	return uint64(h.counts.TotalCount())
}

// Max returns the longest duration, or 0.
func (h *Histogram) Max() time.Duration {
	if h.counts == nil {
		return 0
	}
	return time.Duration(h.counts.Max()) * time.Microsecond
}

// Mean returns the average, or 0.
func (h *Histogram) Mean() time.Duration {
	if h.counts == nil {
		return 0
	}
	return time.Duration(h.counts.Mean() * float64(time.Microsecond))
}

// Quantile returns a duration that is not exceeded by the share q (0 to 1) of the durations, or 0
// if there are none.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.counts == nil {
		return 0
	}
	return time.Duration(h.counts.ValueAtQuantile(q*100)) * time.Microsecond
}

// Bucket is a range of durations that are counted together.
type Bucket struct {
	Upper time.Duration // no duration exceeds it by a microsecond
	Count uint64
}

// Buckets returns the non-empty buckets, the shortest durations first.
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
