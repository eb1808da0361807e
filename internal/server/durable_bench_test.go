package server

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv/disktest"
)

const (
	durableConnections = 64
	// postBytes is the size of a post and its tasks in the log, as Pebble counts it: 801 to 963.
	postBytes = 900
)

// BenchmarkDurableRatio compares durable posts over 64 connections with 64 writers that commit the
// same records to Pebble directly, alternately.
//
// It also reports the ratio with the time of the following compactions, the ratio to single records
// of the same size, and the processor time of a post with its client.
func BenchmarkDurableRatio(b *testing.B) {
	rig := newHomeRig(b, "embedded")
	addr := rig.listen(b, rig.handler)
	conns := make([]*hammerConn, durableConnections)
	for i := range conns {
		conns[i] = dialHammer(b, addr)
	}
	bare := disktest.NewBare(b)
	var n atomic.Int64
	post := func(worker int) error {
		i := int(n.Add(1))
		form := fmt.Sprintf("status=Durable+words,+number+%d", i)
		_, err := conns[worker].body(fmt.Appendf(nil, "POST /api/v1/statuses HTTP/1.1\r\nHost: linnet.test\r\nAuthorization: Bearer %s\r\n"+
			"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", rig.tokens[i%len(rig.tokens)], len(form), form))
		return err
	}
	data := make([]byte, postBytes)
	put := func(int) error {
		return bare.Put(fmt.Sprint("bare", n.Add(1)), data)
	}
	batch := func(int) error { return bare.Post(n.Add(1)) }
	var ratios, plain, whole, posts, batches, puts, work []float64
	calm(b)
	for b.Loop() {
		acts, used := n.Load(), cpuTime(b)
		x := together(b, post)
		work = append(work, float64((cpuTime(b)-used).Microseconds())/float64(n.Load()-acts))
		afterX := calm(b)
		y := together(b, batch)
		afterY := calm(b)
		z := together(b, put)
		calm(b)
		posts, batches, puts = append(posts, x), append(batches, y), append(puts, z)
		ratios, plain = append(ratios, x/y), append(plain, x/z)
		whole = append(whole, x/y*(1+afterY.Seconds()/ratioSlice.Seconds())/(1+afterX.Seconds()/ratioSlice.Seconds()))
	}
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(whole), "ratio-with-compaction")
	b.ReportMetric(median(posts), "posts/s")
	b.ReportMetric(median(batches), "bare/s")
	b.ReportMetric(median(puts), "single/s")
	b.ReportMetric(median(plain), "ratio-to-single")
	b.ReportMetric(median(work), "cpu-µs/post")
	b.ReportMetric(0, "ns/op")
}

// calm waits until the process is idle and returns how long it was busy. Otherwise one measurement
// would include the compactions of the other.
func calm(b *testing.B) (busy time.Duration) {
	b.Helper()
	const step = 50 * time.Millisecond
	start, end := time.Now(), time.Now()
	for quiet := 0; quiet < 3; quiet++ {
		before := cpuTime(b)
		time.Sleep(step)
		if cpuTime(b)-before > step/10 {
			quiet, end = -1, time.Now()
		}
	}
	return end.Sub(start)
}

// together runs act concurrently for a while and returns the rate per second.
func together(tb testing.TB, act func(worker int) error) float64 {
	tb.Helper()
	var n atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	for worker := range durableConnections {
		all.Go(func() {
			for time.Since(start) < ratioSlice {
				if err := act(worker); err != nil {
					tb.Error(err)
					return
				}
				n.Add(1)
			}
		})
	}
	all.Wait()
	return float64(n.Load()) / time.Since(start).Seconds()
}
