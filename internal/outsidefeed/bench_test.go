package outsidefeed_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// feedHosts serves feeds of 20 items. Each loopback address is a different host. One response in 20
// has a new item, and the others are 304.
type feedHosts struct {
	*httptest.Server
	asked atomic.Int64
	body  int64 // bytes of a feed
}

func newFeedHosts(b *testing.B) *feedHosts {
	s := &feedHosts{}
	items := func(first, n int64) string {
		var out strings.Builder
		for i := first + n; i > first; i-- {
			fmt.Fprintf(&out, `<item><guid isPermaLink="false">%[1]d</guid><title>Item %[1]d</title><link>https://example.org/items/%[1]d</link><description><![CDATA[<p>%[2]s</p>]]></description></item>`, i, strings.Repeat("A few words of text. ", 20))
		}
		return out.String()
	}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n := s.asked.Add(1)
		if r.Header.Get("If-None-Match") != "" && n%20 != 0 {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", fmt.Sprintf(`"%d"`, n))
		fmt.Fprint(w, rss("Site "+r.Host, items(n, 1), items(0, 19)))
	})
	l, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		b.Fatal(err)
	}
	s.Server = &httptest.Server{Listener: l, Config: &http.Server{Handler: handler}}
	s.Start()
	s.body = int64(len(rss("Site", items(0, 20))))
	b.Cleanup(s.Close)
	return s
}

// address returns the address of a feed.
func (s *feedHosts) address(n int) string {
	return fmt.Sprintf("http://127.%d.%d.%d:%d/feed.xml", n>>16+1, n>>8&255, n&255, s.Listener.Addr().(*net.TCPAddr).Port)
}

func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkPoll requests each of 2,000 followed feeds (or LINNET_LARGE) once per round. It reports the
// processor time of a request, the duration of a round, the part of a core that 10,000 hourly requests take, the part that
// the idle server takes, and the memory. The time of a request contains the server of the feeds.
func BenchmarkPoll(b *testing.B) {
	s, count := newFeedHosts(b), apptest.SizeOr(2000)
	st := store.New(apptest.OpenDisk(b), store.Options{})
	a := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true, Rates: core.Unlimited(), Reach: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}))(b)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); a.Run(ctx) }()
	b.Cleanup(func() { stop(); <-done })
	var member linnet.ID
	feeds := make([]linnet.ID, count)
	wait := func(asked int64) {
		for s.asked.Load() < asked || !a.Idle() {
			time.Sleep(time.Millisecond)
		}
	}
	for n := range feeds {
		if n%1000 == 0 {
			member = apptest.Must(a.Identity.SignUp(ctx, linnet.SignUp{Login: fmt.Sprint("reader", n), Password: "a long password", Agreed: true}))(b).ID
		}
		feeds[n] = apptest.Must(a.Outside.Resolve(ctx, linnet.Operator(), s.address(n)))(b).ID
		apptest.Must(a.Social.Follow(ctx, member, feeds[n], linnet.FollowOptions{}))(b)
	}
	wait(int64(2 * count))
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most := heap(), uint64(0)
	idle := cpuTime(b)
	time.Sleep(10 * time.Second)
	idle = (cpuTime(b) - idle) / 10
	var used, took time.Duration
	rounds := 0
	for b.Loop() {
		began := time.Now()
		start, asked := cpuTime(b), s.asked.Load()
		for n, id := range feeds {
			if err := a.Outside.Fetch(ctx, linnet.Operator(), id); err != nil {
				b.Fatal(err)
			}
			if n%500 == 499 || n == count-1 { // less than the room of the queue
				wait(asked + int64(n+1))
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
		}
		used += cpuTime(b) - start
		took += time.Since(began)
		rounds++
	}
	each := used / time.Duration(rounds*count)
	b.ReportMetric(float64(each.Microseconds()), "µs/fetch")
	b.ReportMetric(took.Seconds()/float64(rounds), "s/round")
	b.ReportMetric(100*each.Seconds()*10_000/3600, "%-of-a-core")
	b.ReportMetric(100*idle.Seconds(), "%-idle")
	b.ReportMetric(float64(before)/1e6, "MB-before")
	b.ReportMetric(float64(most)/1e6, "MB-most")
	b.ReportMetric(float64(heap())/1e6, "MB-after")
	b.ReportMetric(float64(s.body), "bytes")
	b.ReportMetric(0, "ns/op")
}
