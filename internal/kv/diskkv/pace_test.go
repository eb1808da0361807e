package diskkv

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
)

func TestPauseAfter(t *testing.T) {
	for _, c := range []struct {
		name                 string
		commits              int64
		runnable, processors uint64
		want                 time.Duration
	}{
		{"one writer", 1, 1, 2, 0},
		{"few wait for a processor", 3, 15, 2, 0},
		{"a backlog", 2, 16, 2, rest},
		{"the same backlog on more processors", 2, 16, 4, 0},
		{"one writer in a backlog of readers", 1, 60, 2, rest},
		{"an fsync for very many", enough, 60, 2, 0},
		{"all but as many", enough - 1, 60, 2, rest},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := pauseAfter(c.commits, c.runnable, c.processors); got != c.want {
				t.Errorf("pause %v, want %v", got, c.want)
			}
		})
	}
}

// TestPausesEnd checks that all writers of a backlog are acknowledged, even while the store closes.
func TestPausesEnd(t *testing.T) {
	e, err := Open(t.TempDir(), Options{Reserve: -1})
	if err != nil {
		t.Fatal(err)
	}
	var writers, readers sync.WaitGroup
	stop := make(chan struct{})
	for range 4 * backlog * runtime.GOMAXPROCS(0) {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					runtime.Gosched() // back in the queue at once
				}
			}
		})
	}
	for w := range 8 {
		writers.Go(func() {
			for n := range 20 {
				id := fmt.Sprint(w, "-", n)
				if err := e.Apply(context.Background(), kv.Put{Key: kv.Key{Kind: "bare", Shard: uint16(w), ID: id}, Data: []byte(id), Version: 1}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	if e.pace.commits.Load() != 160 || e.pace.carried.Load() == 0 {
		t.Errorf("%d commits were counted, %d of them carried; want 160 and some", e.pace.commits.Load(), e.pace.carried.Load())
	}
	if err := e.Close(); err != nil {
		t.Error(err)
	}
	close(stop)
	readers.Wait()
}

func BenchmarkPause(b *testing.B) {
	var p pace
	b.ReportAllocs()
	for b.Loop() {
		p.pause()
	}
}
