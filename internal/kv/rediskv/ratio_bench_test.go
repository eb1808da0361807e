package rediskv_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// side is one of two ways to deliver, with separate feeds.
type side struct {
	name string
	keys []kv.Key
	pass func(id uint64, keys []kv.Key)

	rounds         []float64 // seconds
	client, server time.Duration
}

// BenchmarkFanOutRatio delivers alternately through the engine and by a loop of pipelined RPUSHX
// with the same client. It compares their times round by round, so that other load affects both. It
// also reports the processor time of a delivery on both ends, which is more reliable on a busy
// machine.
func BenchmarkFanOutRatio(b *testing.B) {
	for _, workers := range []int{1, 4} {
		b.Run(fmt.Sprint("single/", workers), func(b *testing.B) {
			s := redistest.Start(b)
			c := rawClient(b, s)
			e := open(b, s.URL(), rediskv.Options{})
			keys := benchKeys()
			warm(b, e, keys[0], kv.FeedTrimmed, someID)
			copies(b, c, keys)
			compareFanOut(b, e, c, keys, workers, s)
		})
		b.Run(fmt.Sprint("cluster/", workers), func(b *testing.B) {
			n := redistest.Cluster(b, 3, 0)
			e := open(b, n.URL(), rediskv.Options{})
			keys := benchKeys()[:8000]
			for _, k := range keys {
				warm(b, e, k, kv.FeedTrimmed, someID)
			}
			conf := rueidis.MustParseURL("redis://" + n.Masters[0].Addr())
			conf.DisableCache = true
			c, err := rueidis.NewClient(conf)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(c.Close)
			compareFanOut(b, e, c, keys, workers, n.Masters...)
		})
	}
}

func compareFanOut(b *testing.B, e kv.Store, c rueidis.Client, keys []kv.Key, workers int, servers ...*redistest.Server) {
	b.Helper()
	half := len(keys) / 2
	sides := []*side{
		{name: "linnet", keys: keys[:half], pass: func(id uint64, keys []kv.Key) { push(b, e, id, keys) }},
		{name: "rpushx", keys: keys[half:], pass: func(id uint64, keys []kv.Key) { rpushxPass(b, c, id, keys) }},
	}
	b.ResetTimer()
	for n := range b.N {
		for i := range sides {
			sides[(n+i)%2].round(uint64(n+1), workers, servers)
		}
	}
	b.StopTimer()
	ratios := make([]float64, b.N)
	for n := range ratios {
		ratios[n] = sides[1].rounds[n] / sides[0].rounds[n]
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(ratios), "ratio")
	for _, s := range sides {
		all := float64(b.N * len(s.keys))
		b.ReportMetric(float64(len(s.keys))/median(s.rounds)/1000, s.name+"-k/s")
		b.ReportMetric(float64(s.client.Nanoseconds())/all, s.name+"-client-ns")
		b.ReportMetric(float64(s.server.Nanoseconds())/all, s.name+"-server-ns")
	}
}

// round delivers one id to all feeds of the side.
func (s *side) round(n uint64, workers int, servers []*redistest.Server) {
	own, theirs := processorTime(), serverTime(servers)
	start := time.Now()
	work := make(chan []kv.Key)
	done := make(chan struct{})
	for range workers {
		go func() {
			for some := range work {
				s.pass(someID+65_536*n, some)
			}
			done <- struct{}{}
		}()
	}
	for some := range slices.Chunk(s.keys, benchPass) {
		work <- some
	}
	close(work)
	for range workers {
		<-done
	}
	s.rounds = append(s.rounds, time.Since(start).Seconds())
	s.client += processorTime() - own
	s.server += serverTime(servers) - theirs
}

// processorTime returns the processor time of this process.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// serverTime returns the processor time of the servers' main threads.
func serverTime(servers []*redistest.Server) time.Duration {
	var sum float64
	for _, s := range servers {
		for line := range strings.Lines(s.Do("INFO", "cpu")) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
			if name == "used_cpu_sys_main_thread" || name == "used_cpu_user_main_thread" {
				seconds, _ := strconv.ParseFloat(value, 64)
				sum += seconds
			}
		}
	}
	return time.Duration(sum * float64(time.Second))
}

func median(of []float64) float64 {
	of = slices.Sorted(slices.Values(of))
	return of[len(of)/2]
}
