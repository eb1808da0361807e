package rediskv_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/rueidis"

	"linnet/internal/kv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/kv/redistest"
)

// The fan-out benchmarks deliver one id to benchFeeds full feeds, in calls of benchPass like tasks.
// They count deliveries, not calls.
const (
	benchFeeds = 20_000
	benchPass  = 1000
)

func benchKeys() []kv.Key {
	keys := make([]kv.Key, benchFeeds)
	for i := range keys {
		keys[i] = kv.Key{Kind: "home", Shard: uint16(i * 7 % kv.Shards), ID: strconv.Itoa(someID + i*977)}
	}
	return keys
}

// copies makes every key a copy of the first.
func copies(b *testing.B, c rueidis.Client, keys []kv.Key) {
	b.Helper()
	for at := 1; at < len(keys); at += 100 {
		var commands []rueidis.Completed
		for _, k := range keys[at:min(at+100, len(keys))] {
			commands = append(commands, c.B().Arbitrary("COPY").Args(keys[0].String(), k.String()).Build())
		}
		for _, answer := range c.DoMulti(b.Context(), commands...) {
			if err := answer.Error(); err != nil {
				b.Fatal(err)
			}
		}
	}
}

func rawClient(b *testing.B, s *redistest.Server) rueidis.Client {
	b.Helper()
	conf := rueidis.MustParseURL(s.URL())
	conf.DisableCache, conf.ForceSingleClient, conf.PipelineMultiplex = true, true, -1
	c, err := rueidis.NewClient(conf)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(c.Close)
	return c
}

// deliveries runs pass over all keys once for each id, with that many concurrent passes. Ids rise
// from one run to the next.
func deliveries(b *testing.B, keys []kv.Key, workers int, pass func(id uint64, keys []kv.Key)) {
	b.Helper()
	b.ReportAllocs()
	since := uint64(time.Since(time.Unix(1_700_000_000, 0)).Milliseconds())
	b.ResetTimer()
	start := time.Now()
	for n := range b.N {
		id := someID + 65_536*(since+uint64(n))
		work := make(chan []kv.Key)
		var all sync.WaitGroup
		for range workers {
			all.Go(func() {
				for some := range work {
					pass(id, some)
				}
			})
		}
		for at := 0; at < len(keys); at += benchPass {
			work <- keys[at : at+benchPass]
		}
		close(work)
		all.Wait()
	}
	b.ReportMetric(float64(b.N)*float64(len(keys))/time.Since(start).Seconds(), "deliveries/s")
}

func BenchmarkFanOut(b *testing.B) {
	keys := benchKeys()
	for _, workers := range []int{1, 4} {
		b.Run(fmt.Sprint("linnet/", workers), func(b *testing.B) {
			s := redistest.Start(b)
			e := open(b, s.URL(), rediskv.Options{})
			warm(b, e, keys[0], kv.FeedTrimmed, someID)
			copies(b, rawClient(b, s), keys)
			deliveries(b, keys, workers, func(id uint64, keys []kv.Key) { push(b, e, id, keys) })
			reportUse(b, s, keys[0])
		})
		b.Run(fmt.Sprint("book/", workers), func(b *testing.B) {
			s := redistest.Start(b)
			c := rawClient(b, s)
			for i := range kv.FeedTrimmed {
				s.Do("ZADD", keys[0].String(), strconv.Itoa(1_700_000_000+i), strconv.Itoa(someID-65_536*(i+1)))
			}
			copies(b, c, keys)
			deliveries(b, keys, workers, func(id uint64, keys []kv.Key) { bookPass(b, c, id, keys) })
			reportUse(b, s, keys[0])
		})
		b.Run(fmt.Sprint("rpushx/", workers), func(b *testing.B) {
			s := redistest.Start(b)
			c := rawClient(b, s)
			e := open(b, s.URL(), rediskv.Options{})
			warm(b, e, keys[0], kv.FeedTrimmed, someID)
			copies(b, c, keys)
			deliveries(b, keys, workers, func(id uint64, keys []kv.Key) { rpushxPass(b, c, id, keys) })
		})
	}
}

func push(b *testing.B, e kv.Store, id uint64, keys []kv.Key) {
	changes := make([]kv.Op, len(keys))
	for i, k := range keys {
		changes[i] = &kv.Push{Key: k, ID: id}
	}
	if err := e.Apply(context.Background(), changes...); err != nil {
		b.Error(err)
	}
}

// bookPass is the fan-out of chapter 8: a time as score, a trim with each delivery, one pipeline.
func bookPass(b *testing.B, c rueidis.Client, id uint64, keys []kv.Key) {
	commands := make([]rueidis.Completed, 0, 2*len(keys))
	at := float64(1_800_000_000 + (id-someID)/65_536)
	for _, k := range keys {
		text := k.String()
		commands = append(commands,
			c.B().Zadd().Key(text).ScoreMember().ScoreMember(at, strconv.FormatUint(id, 10)).Build(),
			c.B().Zremrangebyrank().Key(text).Start(0).Stop(-kv.FeedTrimmed-1).Build())
	}
	for _, answer := range c.DoMulti(context.Background(), commands...) {
		if err := answer.Error(); err != nil {
			b.Error(err)
		}
	}
}

// rpushxPass ignores order, repeats and floors.
func rpushxPass(b *testing.B, c rueidis.Client, id uint64, keys []kv.Key) {
	commands := make([]rueidis.Completed, len(keys))
	element := strconv.FormatUint(id, 10)
	for i, k := range keys {
		commands[i] = c.B().Rpushx().Key(k.String()).Element(element).Build()
	}
	var trims []rueidis.Completed
	for i, answer := range c.DoMulti(context.Background(), commands...) {
		n, err := answer.AsInt64()
		if err != nil {
			b.Error(err)
		}
		if n > kv.FeedMax {
			trims = append(trims, c.B().Ltrim().Key(keys[i].String()).Start(-kv.FeedTrimmed).Stop(-1).Build())
		}
	}
	c.DoMulti(context.Background(), trims...)
}

// reportUse reports the memory of an entry in the server.
func reportUse(b *testing.B, s *redistest.Server, k kv.Key) {
	b.Helper()
	n, err := strconv.Atoi(strings.TrimPrefix(s.Do("MEMORY", "USAGE", k.String(), "SAMPLES", "0"), ":"))
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(n)/kv.FeedTrimmed, "B/entry")
}

func BenchmarkFanOutCluster(b *testing.B) {
	n := redistest.Cluster(b, 3, 0)
	e := open(b, n.URL(), rediskv.Options{})
	keys := benchKeys()[:4000]
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
	for _, workers := range []int{1, 4} {
		b.Run(fmt.Sprint("linnet/", workers), func(b *testing.B) {
			deliveries(b, keys, workers, func(id uint64, keys []kv.Key) { push(b, e, id, keys) })
		})
		b.Run(fmt.Sprint("rpushx/", workers), func(b *testing.B) {
			deliveries(b, keys, workers, func(id uint64, keys []kv.Key) { rpushxPass(b, c, id, keys) })
		})
	}
}

// BenchmarkReadWhileFanningOut measures how long a reader waits while other servers deliver, four
// pipelines at a time each.
func BenchmarkReadWhileFanningOut(b *testing.B) {
	keys := benchKeys()
	s := redistest.Start(b)
	e := open(b, s.URL(), rediskv.Options{})
	warm(b, e, keys[0], kv.FeedTrimmed, someID)
	copies(b, rawClient(b, s), keys)
	for _, servers := range []int{0, 1, 2} {
		b.Run(fmt.Sprint("servers=", servers), func(b *testing.B) {
			ctx, stop := context.WithCancel(b.Context())
			var writers sync.WaitGroup
			var pushed atomic.Int64
			for n := range servers {
				from := e
				if n > 0 {
					from = open(b, s.URL(), rediskv.Options{})
				}
				for range 4 {
					writers.Go(func() {
						for ctx.Err() == nil {
							n := pushed.Add(1)
							at := int(n) * benchPass % len(keys)
							push(b, from, someID+uint64(n)*65_536, keys[at:at+benchPass])
						}
					})
				}
			}
			var waits []time.Duration
			for i := 0; b.Loop(); i++ {
				start := time.Now()
				if err := e.Read(ctx, &kv.Feed{Key: keys[i%len(keys)], Limit: 60}); err != nil {
					b.Fatal(err)
				}
				waits = append(waits, time.Since(start))
			}
			slices.Sort(waits)
			b.ReportMetric(float64(waits[len(waits)/2].Microseconds()), "p50-us")
			b.ReportMetric(float64(waits[len(waits)*99/100].Microseconds()), "p99-us")
			b.ReportMetric(float64(pushed.Load())*benchPass/b.Elapsed().Seconds(), "deliveries/s")
			stop()
			writers.Wait()
		})
	}
}

func BenchmarkRead(b *testing.B) {
	s := redistest.Start(b)
	e := open(b, s.URL(), rediskv.Options{})
	home := key("home", 3, "a")
	warm(b, e, home, kv.FeedTrimmed, someID)
	next := uint64(someID - 39*65_536)
	page := make([]kv.Query, 0, 70)
	for i := range 70 {
		p := kv.Put{Key: key("status", uint16(i), "a"), Data: make([]byte, 400), Version: 1}
		if err := e.Apply(b.Context(), p); err != nil {
			b.Fatal(err)
		}
		page = append(page, &kv.Get{Key: p.Key})
	}
	for _, c := range []struct {
		name string
		qs   []kv.Query
	}{
		{"newest 40", []kv.Query{&kv.Feed{Key: home, Limit: 40}}},
		{"next 40", []kv.Query{&kv.Feed{Key: home, Limit: 40, Below: next}}},
		{"70 values", page},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				qs := make([]kv.Query, len(c.qs))
				for pb.Next() {
					for i, q := range c.qs {
						switch q := q.(type) {
						case *kv.Feed:
							same := *q
							qs[i] = &same
						case *kv.Get:
							qs[i] = &kv.Get{Key: q.Key}
						}
					}
					if err := e.Read(b.Context(), qs...); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

// BenchmarkTxn makes the transaction of a post: a condition, a set and a counter.
func BenchmarkTxn(b *testing.B) {
	s := redistest.Start(b)
	e := open(b, s.URL(), rediskv.Options{})
	data := make([]byte, 400)
	var next sync.Mutex
	n := 0
	b.SetParallelism(16)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			next.Lock()
			n++
			id := strconv.Itoa(n)
			next.Unlock()
			shard := uint16(len(id) * 31)
			status := key("status", shard, id)
			_, err := e.Txn(b.Context(), []kv.Cond{kv.Absent(status)},
				kv.Put{Key: status, Data: data, Version: 1},
				kv.Add{Key: key("profile", shard, id[:1]), Member: id, Score: int64(n)},
				kv.Incr{Key: key("counts", shard, id[:1]), Name: "statuses", By: 1})
			if err != nil {
				b.Error(err)
			}
		}
	})
}
