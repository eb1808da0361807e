package bench

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// samples returns durations with several distributions.
func samples() map[string][]time.Duration {
	r := rand.New(rand.NewPCG(1, 2))
	edges := []time.Duration{-1, 0, 1, 999}
	for i := range 62 {
		edges = append(edges, time.Duration(1)<<i, time.Duration(1)<<i-1)
	}
	out := map[string][]time.Duration{"edges": edges, "one": {1234567}, "same": slices.Repeat([]time.Duration{time.Millisecond}, 100)}
	for range 20_000 {
		out["even"] = append(out["even"], time.Duration(r.Int64N(int64(time.Second))))
		out["heavy tail"] = append(out["heavy tail"], time.Duration(math.Exp(r.NormFloat64()*2)*float64(time.Millisecond)))
	}
	return out
}

// near reports whether two durations are equal within the precision of a histogram.
func near(got, want time.Duration) bool {
	want = min(max(want, 0), longest)
	return (got - want).Abs() <= max(want/1000, 2*time.Microsecond)
}

// TestFiguresAgainstExactOnes compares histograms, also merged ones, with exact values.
func TestFiguresAgainstExactOnes(t *testing.T) {
	for name, ds := range samples() {
		var whole, empty Histogram
		parts := make([]Histogram, 3)
		sum := 0.0
		for i, d := range ds {
			whole.Record(d)
			parts[i%3].Record(d)
			sum += float64(min(max(d, 0), longest))
		}
		for i := range parts[1:] {
			parts[0].Merge(&parts[i+1])
		}
		parts[0].Merge(&empty)
		sorted := slices.Sorted(slices.Values(ds))
		for what, h := range map[string]*Histogram{"whole": &whole, "merged": &parts[0]} {
			for _, q := range []float64{0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1} {
				want := sorted[max(int(math.Ceil(q*float64(len(sorted))))-1, 0)]
				if got := h.Quantile(q); !near(got, want) {
					t.Errorf("%s, %s: quantile %v is %v, exactly %v", name, what, q, got, want)
				}
			}
			if mean := time.Duration(sum / float64(len(ds))); !near(h.Mean(), mean) {
				t.Errorf("%s, %s: the mean is %v, exactly %v", name, what, h.Mean(), mean)
			}
			if !near(h.Max(), sorted[len(sorted)-1]) || h.Count() != uint64(len(ds)) {
				t.Errorf("%s, %s: max %v of %d", name, what, h.Max(), h.Count())
			}
		}
	}
}

func TestEmptyHistogram(t *testing.T) {
	var h Histogram
	h.RecordN(time.Hour, 0)
	h.Merge(&Histogram{})
	if h.Mean() != 0 || h.Quantile(0.5) != 0 || h.Max() != 0 || h.Count() != 0 || h.Buckets() != nil {
		t.Error("an empty histogram knows something")
	}
}

func TestBucketsListed(t *testing.T) {
	var h Histogram
	h.Record(1500 * time.Nanosecond)
	h.RecordN(time.Second, 4)
	bs := h.Buckets()
	if len(bs) != 2 || bs[0].Count != 1 || bs[0].Upper != time.Microsecond || bs[1].Count != 4 || !near(bs[1].Upper, time.Second) || bs[1].Upper < time.Second {
		t.Errorf("buckets %v", bs)
	}
}
