package bench

import (
	"math/bits"
	"time"
)

// Buckets are one microsecond wide up to subBuckets*2 microseconds, and from
// there each doubling is cut into subBuckets of equal width. What is read from
// a histogram is therefore too high by at most 1/128, or a microsecond.
const (
	subBits    = 7
	subBuckets = 1 << subBits
	maxBits    = 36 // 2^36 microseconds are 19 hours
	buckets    = 2*subBuckets + (maxBits-subBits-1)*subBuckets
)

// Histogram counts durations. Its size is fixed (30 KB), and two can be merged
// without loss. The zero value is empty and ready. It is not safe for
// concurrent use.
type Histogram struct {
	counts   [buckets]uint64
	n        uint64
	sum      float64 // of microseconds
	min, max time.Duration
}

// Record counts d once; below 0 counts as 0.
func (h *Histogram) Record(d time.Duration) { h.RecordN(d, 1) }

// RecordN counts d n times.
func (h *Histogram) RecordN(d time.Duration, n uint64) {
	if n == 0 {
		return
	}
	d = max(d, 0)
	if h.n == 0 || d < h.min {
		h.min = d
	}
	h.max = max(h.max, d)
	h.counts[bucketOf(d)] += n
	h.n += n
	h.sum += float64(d) / float64(time.Microsecond) * float64(n)
}

// Merge adds everything that other has counted.
func (h *Histogram) Merge(other *Histogram) {
	if other.n == 0 {
		return
	}
	if h.n == 0 || other.min < h.min {
		h.min = other.min
	}
	h.max = max(h.max, other.max)
	h.n += other.n
	h.sum += other.sum
	for i, c := range other.counts {
		h.counts[i] += c
	}
}

// Count is how many durations were counted.
func (h *Histogram) Count() uint64 { return h.n }

// Max is the longest duration, exactly; 0 if there is none.
func (h *Histogram) Max() time.Duration { return h.max }

// Mean is the average, exactly; 0 if there is none.
func (h *Histogram) Mean() time.Duration {
	if h.n == 0 {
		return 0
	}
	return time.Duration(h.sum / float64(h.n) * float64(time.Microsecond))
}

// Quantile returns a duration that the share q (0 to 1) of those counted does
// not exceed. It is never below the exact quantile, and above it by at most
// 1/128 or a microsecond; 0 if nothing was counted.
func (h *Histogram) Quantile(q float64) time.Duration {
	if h.n == 0 {
		return 0
	}
	rank := uint64(q * float64(h.n))
	if float64(rank) < q*float64(h.n) {
		rank++
	}
	rank = min(max(rank, 1), h.n)
	var seen uint64
	for i, c := range h.counts {
		if seen += c; seen >= rank {
			return max(min(upperEdge(i), h.max), h.min)
		}
	}
	return h.max
}

// Bucket is one bucket with something in it.
type Bucket struct {
	Upper time.Duration // no duration in it is longer
	Count uint64
}

// Buckets returns the buckets that are not empty, the shortest durations first.
func (h *Histogram) Buckets() []Bucket {
	var out []Bucket
	for i, c := range h.counts {
		if c > 0 {
			out = append(out, Bucket{upperEdge(i), c})
		}
	}
	return out
}

func bucketOf(d time.Duration) int {
	us := min(uint64(d/time.Microsecond), 1<<maxBits-1)
	if us < 2*subBuckets {
		return int(us)
	}
	shift := bits.Len64(us) - subBits - 1
	return shift*subBuckets + int(us>>shift)
}

// upperEdge is the longest duration that falls into bucket i.
func upperEdge(i int) time.Duration {
	if i < 2*subBuckets {
		return time.Duration(i+1)*time.Microsecond - 1
	}
	shift := i/subBuckets - 1
	top := uint64(i-shift*subBuckets+1) << shift
	return time.Duration(top)*time.Microsecond - 1
}
