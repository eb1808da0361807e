package app_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/timeline"
)

// onRedis returns an app on its own Redis that pushes to any number of followers.
func onRedis(b *testing.B) benched {
	b.Helper()
	return pushing(b, apptest.OpenRedis(b, redistest.Start(b).URL(), ""))
}

// pushing returns an app on an engine that pushes to any number of followers.
func pushing(b *testing.B, e kv.Engine) benched {
	b.Helper()
	clock := &apptest.Clock{}
	st := store.New(e, store.Options{Now: clock.Now})
	s := apptest.Must(app.New(st, app.Options{PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true, PullAbove: 1 << 40}))(b)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	b.Cleanup(func() { stop(); <-done })
	return benched{b, s, ctx, st, clock}
}

// town creates users who follow each other, for load during a measurement.
func (w benched) town(people int) []linnet.ID {
	w.Helper()
	all := make([]linnet.ID, people)
	for i := range all {
		all[i] = w.person(fmt.Sprint("neighbour", i))
	}
	for i, a := range all {
		for n := range min(20, people-1) {
			apptest.Must(w.Social.Follow(w.ctx, a, all[(i+n+1)%people], linnet.FollowOptions{}))(w)
		}
		apptest.Must(w.Posting.Post(w.ctx, a, linnet.Draft{Text: "hello"}))(w)
	}
	w.drain()
	return all
}

// live makes users read home in turn, with occasional posts, until it is stopped. It returns the
// duration of each page.
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

// BenchmarkLastFollower measures when the last of 100,000 followers with warm homes receives a post
// while other users read and write, and the delay of those users.
func BenchmarkLastFollower(b *testing.B) {
	b.Run("embedded", func(b *testing.B) { benchLastFollower(pushing(b, apptest.OpenDisk(b))) })
	b.Run("redis", func(b *testing.B) { benchLastFollower(onRedis(b)) })
}

func benchLastFollower(w benched) {
	b := w.B
	star := w.person("star")
	const followers = 100_000
	apptest.Crowd(w, w.st.Engine(), star, followers, 3)
	neighbours := w.town(40)
	fans := apptest.Must(w.st.All(w.ctx, record.Follows().CopyKey(star), followers+1))(w)
	if len(fans) != followers {
		b.Fatal(len(fans))
	}
	last := record.HomeKey(fans[len(fans)-1])
	apptest.Must(w.Posting.Post(w.ctx, star, linnet.Draft{Text: "first"}))(w)
	w.drain()
	idle := w.live(neighbours)
	time.Sleep(time.Second)
	quiet := idle()
	stop := w.live(neighbours)
	var delays []time.Duration
	for w.Loop() {
		start := time.Now()
		id := uint64(apptest.Must(w.Posting.Post(w.ctx, star, linnet.Draft{Text: "to all of you"}))(w).ID)
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

// BenchmarkFanOut measures the delivery of a post to the maximal number of followers of a pushed
// author, until its task is removed, without other load. On Redis it alternates with the same
// number of bare RPUSHX in pipelines of a thousand.
func BenchmarkFanOut(b *testing.B) {
	b.Run("embedded", func(b *testing.B) { benchFanOut(pushing(b, apptest.OpenDisk(b)), nil) })
	b.Run("redis", func(b *testing.B) {
		s := redistest.Start(b)
		benchFanOut(pushing(b, apptest.OpenRedis(b, s.URL(), "")), barePushes(b, s.Addr()))
	})
}

const pushedFollowers = core.DefaultPullAbove - 1000

func benchFanOut(w benched, bare func()) {
	star := w.person("star")
	apptest.Crowd(w, w.st.Engine(), star, pushedFollowers, 3)
	post := func() {
		apptest.Must(w.Posting.Post(w.ctx, star, linnet.Draft{Text: "to all of you"}))(w)
		w.drain()
	}
	post()
	var rounds, ratios []float64
	for w.Loop() {
		start := time.Now()
		post()
		took := time.Since(start).Seconds()
		rounds = append(rounds, took)
		if bare != nil {
			start = time.Now()
			bare()
			ratios = append(ratios, time.Since(start).Seconds()/took)
		}
	}
	slices.Sort(rounds)
	w.ReportMetric(pushedFollowers/rounds[len(rounds)/2]/1e6, "Mdeliveries/s")
	if slices.Sort(ratios); len(ratios) > 0 {
		w.ReportMetric(ratios[len(ratios)/2], "of-bare")
	}
}

// barePushes creates a list per follower and returns a function that pushes to each of them.
func barePushes(b *testing.B, address string) func() {
	b.Helper()
	conn := apptest.Must(net.Dial("unix", address))(b)
	b.Cleanup(func() { conn.Close() })
	answers := bufio.NewReaderSize(conn, 1<<16)
	run := func(command string) {
		for at := 0; at < pushedFollowers; at += 1000 {
			var pipe bytes.Buffer
			for i := at; i < at+1000; i++ {
				key := fmt.Sprintf("bare:{%d}:%d", i%kv.Shards, 100_000_000_000_000_000+i)
				fmt.Fprintf(&pipe, "*3\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n$18\r\n%d\r\n", len(command), command, len(key), key, 100_000_000_000_000_000+i)
			}
			if _, err := pipe.WriteTo(conn); err != nil {
				b.Fatal(err)
			}
			for range 1000 {
				if line := apptest.Must(answers.ReadString('\n'))(b); line[0] != ':' {
					b.Fatal(line)
				}
			}
		}
	}
	run("LPUSH")
	return func() { run("RPUSHX") }
}

// BenchmarkHomeCold reads a cold home of 200 or 5,000 followees. With 5,000, it also reads home
// after an unfollow and a page below the feed. One author in fifty posts five times as much.
func BenchmarkHomeCold(b *testing.B) {
	for _, n := range []int{100, 200, 5000} {
		b.Run(fmt.Sprint(n, "/embedded"), func(b *testing.B) { benchHomeCold(pushing(b, apptest.OpenDisk(b)), n) })
		b.Run(fmt.Sprint(n, "/redis"), func(b *testing.B) { benchHomeCold(onRedis(b), n) })
	}
}

func benchHomeCold(w benched, followees int) {
	me := w.person("reader")
	authors := make([]linnet.ID, followees)
	for i := range authors {
		authors[i] = w.person(fmt.Sprint("author", i))
		apptest.Must(w.Social.Follow(w.ctx, me, authors[i], linnet.FollowOptions{}))(w)
	}
	for n := range 100 {
		for i, by := range authors {
			if n < 20 || i%50 == 0 {
				apptest.Must(w.Posting.Post(w.ctx, by, linnet.Draft{Text: fmt.Sprintf("status %d of author %d", n, i)}))(w)
			}
		}
	}
	w.drain()
	deep := linnet.Page{}
	for range 45 { // below the thousandth entry
		deep.Max = apptest.Must(w.Reading.Home(w.ctx, me, linnet.Page{Max: deep.Max, Limit: 40}))(w).Last
	}
	waits := map[string][]time.Duration{}
	timed := func(what string, p linnet.Page) {
		start := time.Now()
		if page := apptest.Must(w.Reading.Home(w.ctx, me, p))(w); len(page.Items) != 20 {
			w.Fatal(what, len(page.Items))
		}
		waits[what] = append(waits[what], time.Since(start))
	}
	for w.Loop() {
		w.clock.Advance(2 * timeline.FollowApplied) // most ended follows are old
		if err := w.st.Feeds.ForgetFeeds(w.ctx, record.HomeKey(me)); err != nil {
			w.Fatal(err)
		}
		timed("cold", linnet.Page{})
		timed("below", linnet.Page{Max: deep.Max})
		apptest.Must(w.Social.Unfollow(w.ctx, me, authors[1]))(w)
		timed("unfollowed", linnet.Page{})
		apptest.Must(w.Social.Follow(w.ctx, me, authors[1], linnet.FollowOptions{}))(w)
	}
	for what, waits := range waits {
		slices.Sort(waits)
		w.ReportMetric(ms(waits[len(waits)/2]), what+"-p50-ms")
		w.ReportMetric(ms(waits[len(waits)*99/100]), what+"-p99-ms")
	}
}
