package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
)

const (
	durableConnections = 64
	// postBytes is what a post and its tasks write to the log, as the storage library
	// counts it: 801 to 963.
	postBytes = 900
)

// BenchmarkDurableRatio measures how many posts a second are acknowledged as
// durable over 64 connections, and how many bare durable records of as many bytes
// 64 writers get into the storage library, in turns; and the same with what either
// leaves to compact counted as time of its own.
func BenchmarkDurableRatio(b *testing.B) {
	rig := newHomeRig(b, "embedded")
	addr := rig.listen(b, rig.handler)
	conns := make([]*hammerConn, durableConnections)
	for i := range conns {
		conns[i] = dialHammer(b, addr)
	}
	bare, err := diskkv.Open(b.TempDir(), diskkv.Options{Reserve: -1})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { bare.Close() })
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
		i := n.Add(1)
		return bare.Apply(context.Background(), kv.Put{Key: kv.Key{Kind: "bare", Shard: uint16(i % kv.Shards), ID: fmt.Sprint(i)}, Data: data, Version: 1})
	}
	var ratios, whole, posts, puts []float64
	calm(b)
	for b.Loop() {
		x := together(b, post)
		afterX := calm(b)
		y := together(b, put)
		afterY := calm(b)
		posts, puts, ratios = append(posts, x), append(puts, y), append(ratios, x/y)
		whole = append(whole, x/y*(1+afterY.Seconds()/ratioSlice.Seconds())/(1+afterX.Seconds()/ratioSlice.Seconds()))
	}
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(whole), "ratio-with-compaction")
	b.ReportMetric(median(posts), "posts/s")
	b.ReportMetric(median(puts), "bare/s")
	b.ReportMetric(0, "ns/op")
}

// calm waits until the process has nothing left to do and returns how long it had:
// what one has written is not compacted while the other is measured.
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

// together lets all workers act for a while and returns how often a second.
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
