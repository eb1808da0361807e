package app_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// BenchmarkPostLatency measures the response time of posts by number of followers. Each post waits
// for the previous fan-out, because only the first hundred followers are served before the
// response.
//
// It then measures posts to ten followers during a continuous fan-out to 100,000 or LINNET_LARGE.
// No author is pulled.
func BenchmarkPostLatency(b *testing.B) {
	for name, open := range map[string]func(testing.TB) kv.Engine{"embedded": apptest.OpenDisk,
		"redis": func(t testing.TB) kv.Engine { return apptest.OpenRedis(t, redistest.Single(t), "") }} {
		b.Run(name, func(b *testing.B) { benchLatency(b, open(b)) })
	}
}

func benchLatency(b *testing.B, e kv.Engine) {
	st := store.New(e, store.Options{})
	s := apptest.Must(app.New(st, app.Options{PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true, PullAbove: 1 << 40}))(b)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { s.Run(ctx) })
	b.Cleanup(func() { stop(); running.Wait() })
	w := benched{b, s, ctx, st, nil}
	followers := []int{10, 1000, apptest.SizeOr(100_000)}
	authors, took := make([]linnet.ID, len(followers)), make([][]time.Duration, len(followers))
	for i, n := range followers {
		authors[i] = w.person(fmt.Sprint("author", n))
		apptest.Crowd(b, e, authors[i], n, 3)
	}
	post := func(i int) time.Duration {
		start := time.Now()
		apptest.Must(s.Posting.Post(ctx, authors[i], linnet.Draft{Text: "a status with a few words"}))(b)
		return time.Since(start)
	}
	var busy []time.Duration
	for b.Loop() {
		for i := range authors {
			took[i] = append(took[i], post(i))
			w.drain()
		}
		post(len(authors) - 1)
		for n := 0; n < 5 && !s.Idle(); n++ {
			busy = append(busy, post(0))
		}
		w.drain()
	}
	few, some, many, during := percentile99(took[0]), percentile99(took[1]), percentile99(took[2]), percentile99(busy)
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	for i, n := range followers {
		b.ReportMetric(ms(took[i][len(took[i])/2]), fmt.Sprintf("p50-%d-ms", n))
	}
	b.ReportMetric(ms(few), "p99-10-ms")
	b.ReportMetric(ms(some), "p99-1000-ms")
	b.ReportMetric(ms(many), fmt.Sprintf("p99-%d-ms", followers[2]))
	b.ReportMetric(float64(many)/float64(some), fmt.Sprintf("%d/1000", followers[2]))
	b.ReportMetric(ms(some-few), "1000-10-ms")
	b.ReportMetric(ms(during), "p99-busy-ms")
	b.ReportMetric(float64(during)/float64(few), "busy/10")
	b.ReportMetric(0, "ns/op")
}

func percentile99(of []time.Duration) time.Duration {
	if len(of) == 0 {
		return 0
	}
	slices.Sort(of)
	return of[(len(of)-1)*99/100]
}
