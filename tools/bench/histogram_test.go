package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// samples are durations of several shapes, among them the edges of buckets.
func samples() map[string][]time.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []time.Duration{0, 1, 999, time.Microsecond, 255 * time.Microsecond, 256 * time.Microsecond, 257 * time.Microsecond}
	for i := range 60 {
		edges = append(edges, time.Duration(1)<<i, time.Duration(1)<<i-1)
	}
	out := map[string][]time.Duration{"edges": edges, "one": {1234567}, "same": slices.Repeat([]time.Duration{time.Millisecond}, 100)}
	for range 20_000 {
		out["even"] = append(out["even"], time.Duration(r.Int64N(int64(time.Second))))
		out["heavy tail"] = append(out["heavy tail"], time.Duration(math.Exp(r.NormFloat64()*2)*float64(time.Millisecond)))
	}
	return out
}

func exact(sorted []time.Duration, q float64) time.Duration {
	return sorted[max(int(math.Ceil(q*float64(len(sorted))))-1, 0)]
}

func TestQuantilesAgainstExactOnes(t *testing.T) {
	for name, ds := range samples() {
		var h Histogram
		for _, d := range ds {
			h.Record(d)
		}
		sorted := slices.Sorted(slices.Values(ds))
		for _, q := range []float64{0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1} {
			want, got := exact(sorted, q), h.Quantile(q)
			allowed := want + max(want/subBuckets, time.Microsecond)
			if want > 1<<maxBits*time.Microsecond {
				allowed = h.Max() // beyond the last bucket only the maximum is known
				want = 1<<maxBits*time.Microsecond - 1
			}
			if got < want || got > allowed {
				t.Errorf("%s: quantile %v is %v, exactly %v", name, q, got, want)
			}
		}
		if h.Max() != sorted[len(sorted)-1] || h.Count() != uint64(len(ds)) {
			t.Errorf("%s: max %v of %d", name, h.Max(), h.Count())
		}
	}
}

func TestMeanIsExact(t *testing.T) {
	var h Histogram
	if h.Mean() != 0 || h.Quantile(0.5) != 0 || h.Max() != 0 {
		t.Error("an empty histogram knows something")
	}
	h.Record(-time.Second)
	h.RecordN(3*time.Millisecond, 2)
	h.RecordN(time.Hour, 0)
	if h.Mean() != 2*time.Millisecond || h.Count() != 3 || h.Max() != 3*time.Millisecond {
		t.Errorf("mean %v, count %d, max %v", h.Mean(), h.Count(), h.Max())
	}
}

func TestMergeLosesNothing(t *testing.T) {
	for name, ds := range samples() {
		var all, empty Histogram
		parts := make([]Histogram, 3)
		for i, d := range ds {
			all.Record(d)
			parts[i%3].Record(d)
		}
		for i := range parts[1:] {
			parts[0].Merge(&parts[i+1])
		}
		parts[0].Merge(&empty)
		got := parts[0]
		if math.Abs(got.sum-all.sum) > all.sum*1e-9 {
			t.Errorf("%s: the sum is %v, want %v", name, got.sum, all.sum)
		}
		got.sum = all.sum // adding in another order rounds otherwise
		if got != all {
			t.Errorf("%s: merged parts differ from the whole", name)
		}
	}
}

func TestBucketsMeetAndAreNarrow(t *testing.T) {
	lower := time.Duration(0)
	for i := range buckets {
		upper := upperEdge(i)
		if bucketOf(lower) != i || bucketOf(upper) != i {
			t.Fatalf("bucket %d is [%v, %v], but these fall into %d and %d", i, lower, upper, bucketOf(lower), bucketOf(upper))
		}
		if width := upper + 1 - lower; width > max(time.Microsecond, lower/subBuckets) {
			t.Fatalf("bucket %d at %v is %v wide", i, lower, width)
		}
		lower = upper + 1
	}
	if lower != 1<<maxBits*time.Microsecond {
		t.Errorf("the last bucket ends at %v", lower)
	}
}

func TestBucketsListed(t *testing.T) {
	var h Histogram
	h.Record(1500 * time.Nanosecond)
	h.RecordN(time.Second, 4)
	bs := h.Buckets()
	if len(bs) != 2 || bs[0].Count != 1 || bs[0].Upper != 2*time.Microsecond-1 || bs[1].Count != 4 || bs[1].Upper < time.Second {
		t.Errorf("buckets %v", bs)
	}
}
