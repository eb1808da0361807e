package app_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/kv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// onRedis is an installation on a Redis of its own that pushes however many
// followers there are.
func onRedis(b *testing.B) benched {
	b.Helper()
	return pushing(b, openRedis(b, redistest.Start(b).URL(), ""))
}

// pushing is an installation on an engine that pushes however many followers there
// are.
func pushing(b *testing.B, e kv.Engine) benched {
	b.Helper()
	st := store.New(e, store.Options{})
	s := must(app.New(st, app.Options{PublicURL: "https://linnet.test", Log: quiet(), Exclusive: true, PullAbove: 1 << 40}))(b)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	b.Cleanup(func() { stop(); <-done })
	return benched{b, s, ctx, st}
}

// towns people read and write while something else is measured; they follow
// each other.
func (w benched) town(people int) []linnet.ID {
	w.Helper()
	all := make([]linnet.ID, people)
	for i := range all {
		all[i] = w.person(fmt.Sprint("neighbour", i))
	}
	for i, a := range all {
		for n := range min(20, people-1) {
			must(w.Social.Follow(w.ctx, a, all[(i+n+1)%people], linnet.FollowOptions{}))(w)
		}
		must(w.Posting.Post(w.ctx, a, linnet.Draft{Text: "hello"}))(w)
	}
	w.drain()
	return all
}

// live lets people read their homes one after the other, and post now and then,
// until it is stopped. It returns how long each page took.
func (w benched) live(people []linnet.ID) (stop func() []time.Duration) {
	var waits []time.Duration
	var all sync.WaitGroup
	var over atomic.Bool
	all.Go(func() {
		for i := 0; !over.Load(); i++ {
			me, start := people[i%len(people)], time.Now()
			if _, err := w.Reading.Home(w.ctx, me, linnet.Page{}); err != nil {
				w.Error(err)
			}
			waits = append(waits, time.Since(start))
			if i%50 == 49 {
				if _, err := w.Posting.Post(w.ctx, me, linnet.Draft{Text: fmt.Sprint("note ", i)}); err != nil {
					w.Error(err)
				}
			}
		}
	})
	return func() []time.Duration {
		over.Store(true)
		all.Wait()
		slices.Sort(waits)
		return waits
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// BenchmarkLastFollower: how long after a post the last of 100,000 followers,
// whose homes are warm, has it, while others read and write; and how long those
// wait.
func BenchmarkLastFollower(b *testing.B) {
	b.Run("embedded", func(b *testing.B) { benchLastFollower(pushing(b, openDisk(b))) })
	b.Run("redis", func(b *testing.B) { benchLastFollower(onRedis(b)) })
}

func benchLastFollower(w benched) {
	b := w.B
	star := w.person("star")
	const followers = 100_000
	crowd(w, w.st.Engine(), star, followers)
	neighbours := w.town(40)
	fans := must(w.st.All(w.ctx, record.Follows().CopyKey(star), followers+1))(w)
	if len(fans) != followers {
		b.Fatal(len(fans))
	}
	last := record.HomeKey(fans[len(fans)-1])
	must(w.Posting.Post(w.ctx, star, linnet.Draft{Text: "first"}))(w)
	w.drain()
	idle := w.live(neighbours)
	time.Sleep(time.Second)
	quiet := idle()
	stop := w.live(neighbours)
	var delays []time.Duration
	for w.Loop() {
		start := time.Now()
		id := uint64(must(w.Posting.Post(w.ctx, star, linnet.Draft{Text: "to all of you"}))(w).ID)
		for q := (&kv.Feed{Key: last, Limit: 1}); len(q.IDs) == 0 || q.IDs[0] != id; time.Sleep(time.Millisecond) {
			if err := w.st.Engine().Read(w.ctx, q); err != nil {
				b.Fatal(err)
			}
		}
		delays = append(delays, time.Since(start))
		w.drain()
	}
	busy := stop()
	slices.Sort(delays)
	b.ReportMetric(ms(delays[len(delays)/2]), "p50-ms-to-last")
	b.ReportMetric(ms(delays[len(delays)-1]), "max-ms-to-last")
	for name, waits := range map[string][]time.Duration{"before": quiet, "while": busy} {
		b.ReportMetric(ms(waits[len(waits)/2]), "home-p50-ms-"+name)
		b.ReportMetric(ms(waits[len(waits)*99/100]), "home-p99-ms-"+name)
	}
}

// BenchmarkFanOut posts to 100,000 followers whose homes are warm and waits until
// all have it, with nothing else going on: deliveries end to end, from reading who
// follows to the removal of the task.
func BenchmarkFanOut(b *testing.B) {
	b.Run("embedded", func(b *testing.B) { benchFanOut(pushing(b, openDisk(b))) })
	b.Run("redis", func(b *testing.B) { benchFanOut(onRedis(b)) })
}

func benchFanOut(w benched) {
	star := w.person("star")
	const followers = 100_000
	crowd(w, w.st.Engine(), star, followers)
	must(w.Posting.Post(w.ctx, star, linnet.Draft{Text: "first"}))(w)
	w.drain()
	w.ReportAllocs()
	for w.Loop() {
		must(w.Posting.Post(w.ctx, star, linnet.Draft{Text: "to all of you"}))(w)
		w.drain()
	}
	w.ReportMetric(float64(w.N)*followers/w.Elapsed().Seconds()/1e6, "Mdeliveries/s")
}

// BenchmarkHomeCold reads the home of somebody who follows 200 people, or 5,000, after it
// was forgotten; and of the latter home after an unfollow, and a page of it below what a
// feed holds. One author in fifty posts five times as much as others.
func BenchmarkHomeCold(b *testing.B) {
	for _, n := range []int{200, 5000} {
		b.Run(fmt.Sprint(n, "/embedded"), func(b *testing.B) { benchHomeCold(pushing(b, openDisk(b)), n) })
		b.Run(fmt.Sprint(n, "/redis"), func(b *testing.B) { benchHomeCold(onRedis(b), n) })
	}
}

func benchHomeCold(w benched, followees int) {
	me := w.person("reader")
	authors := make([]linnet.ID, followees)
	for i := range authors {
		authors[i] = w.person(fmt.Sprint("author", i))
		must(w.Social.Follow(w.ctx, me, authors[i], linnet.FollowOptions{}))(w)
	}
	for n := range 100 {
		for i, by := range authors {
			if n < 20 || i%50 == 0 {
				must(w.Posting.Post(w.ctx, by, linnet.Draft{Text: fmt.Sprintf("status %d of author %d", n, i)}))(w)
			}
		}
	}
	w.drain()
	deep := linnet.Page{}
	for range 45 { // to below the thousandth
		deep.Max = must(w.Reading.Home(w.ctx, me, linnet.Page{Max: deep.Max, Limit: 40}))(w).Last
	}
	waits := map[string][]time.Duration{}
	timed := func(what string, p linnet.Page) {
		start := time.Now()
		if page := must(w.Reading.Home(w.ctx, me, p))(w); len(page.Items) != 20 {
			w.Fatal(what, len(page.Items))
		}
		waits[what] = append(waits[what], time.Since(start))
	}
	for w.Loop() {
		if err := w.st.Feeds.ForgetFeeds(w.ctx, record.HomeKey(me)); err != nil {
			w.Fatal(err)
		}
		timed("cold", linnet.Page{})
		timed("below", linnet.Page{Max: deep.Max})
		must(w.Social.Unfollow(w.ctx, me, authors[1]))(w)
		timed("unfollowed", linnet.Page{})
		must(w.Social.Follow(w.ctx, me, authors[1], linnet.FollowOptions{}))(w)
	}
	for what, waits := range waits {
		slices.Sort(waits)
		w.ReportMetric(ms(waits[len(waits)/2]), what+"-p50-ms")
		w.ReportMetric(ms(waits[len(waits)*99/100]), what+"-p99-ms")
	}
}
