package server

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"linnet/internal/backend"
	"linnet/internal/config"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/redistest"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/record"
	"linnet/internal/store/accounts"
	"linnet/internal/version"
	"linnet/internal/web"
)

const (
	ratioAccounts    = 100
	ratioFollows     = 30
	ratioPosts       = 10
	ratioConnections = 16
	ratioSlice       = 500 * time.Millisecond
)

// homeRig is a server whose accounts have home timelines.
type homeRig struct {
	backend *backend.Backend
	handler http.Handler // as in a server
	server  *server
	users   []linnet.ID
	tokens  []string
}

// newHomeRig creates accounts that follow and answer each other, in the given store. Rate limits
// are counted and never reached.
func newHomeRig(tb testing.TB, storeName string) *homeRig {
	tb.Helper()
	ctx := context.Background()
	cfg, err := config.Resolve(map[string]string{"data": tb.TempDir(), "store": storeName}, config.Environment{})
	if err != nil {
		tb.Fatal(err)
	}
	cfg.Reserve = 0
	const plenty = 1 << 40
	cfg.Rates = core.Rates{Token: plenty, User: plenty, Address: plenty, Paging: plenty, Delete: plenty, SignUp: plenty, Apps: plenty}
	quiet := slog.New(slog.NewTextHandler(io.Discard, &slog.HandlerOptions{Level: slog.LevelWarn}))
	m := newMetrics(cfg.Store)
	b, err := backend.Open(ctx, cfg, backend.Options{PublicURL: "https://linnet.test", Log: quiet, Server: &backend.ServerOptions{Call: m.Call, Observer: m.Observer()}})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { b.Close() })
	m.watch(b.App)
	s := &server{cfg: cfg, log: quiet, public: "https://linnet.test", backend: &Backend{App: b.App}, metrics: m, health: &health{}}
	s.api = mastodon.New(b.App, mastodon.Options{Version: version.Version, Log: quiet})
	f := &front{log: quiet, proxies: &proxies{log: quiet}, leaving: new(atomic.Bool), streams: isStream}
	rig := &homeRig{backend: b, server: s}
	if rig.handler, err = f.wrap(m.measure(s.route(web.New(b.App, web.Options{Version: version.Version, Log: quiet})))); err != nil {
		tb.Fatal(err)
	}
	never := 0 // the accounts are new and only post
	if _, err := rig.backend.App.Settings.ChangeInstance(ctx, linnet.Operator(), linnet.InstanceChange{NewDays: &never}); err != nil {
		tb.Fatal(err)
	}
	rig.populate(ctx, tb)
	return rig
}

func (rig *homeRig) populate(ctx context.Context, tb testing.TB) {
	tb.Helper()
	svc, st := rig.backend.App, rig.backend.Store
	users := make([]linnet.User, ratioAccounts)
	for i := range users {
		users[i] = linnet.User{Login: fmt.Sprintf("person%d", i), Name: fmt.Sprintf("Person No. %d", i), Discoverable: true,
			Note: "Writes about #birds and trains.", Fields: []linnet.ProfileField{{Name: "Home", Value: "https://example.org"}}}
	}
	must := func(err error) {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
	}
	for i := range users { // without the cost of hashing passwords
		u := &users[i]
		u.ID, u.Version = st.NewID(uint16(i*7), 0), 1
		login := kv.Put{Key: record.LoginKey(u.Login), Data: record.Encode(record.Login{User: record.JID(u.ID)}), Version: 1}
		for _, op := range slices.Concat([]kv.Op{login}, accounts.BirthOps(u), accounts.NameOps(nil, u)) {
			_, err := st.Engine().Txn(ctx, nil, op)
			must(err)
		}
	}
	for i := range users {
		for n := range ratioFollows {
			_, err := svc.Social.Follow(ctx, users[i].ID, users[(i+n*3+1)%len(users)].ID, linnet.FollowOptions{})
			must(err)
		}
	}
	var last []linnet.ID
	for n := range ratioPosts * len(users) {
		me := users[(n*37)%len(users)].ID
		if n%7 == 6 {
			_, err := svc.Posting.Repost(ctx, me, last[(n*5)%len(last)], nil)
			if linnet.KindOf(err) != linnet.Conflict {
				must(err)
			}
			continue
		}
		d := linnet.Draft{Text: fmt.Sprintf("Note %d of this morning: the heron stood beside the river again, and nobody else saw it & me.", n), Language: "en"}
		if n%4 == 1 {
			d.Text += " #birds @person" + strconv.Itoa(n%len(users))
		}
		if n%6 == 5 {
			d.InReplyTo = last[len(last)-1]
		}
		v, err := svc.Posting.Post(ctx, me, d)
		must(err)
		last = append(last, v.ID)
	}
	rig.backend.WaitIdle(ctx)
	app, _, err := svc.Apps.Register(ctx, linnet.AppRequest{Name: "Ratio", RedirectURIs: []string{"https://app.test/cb"}, Scopes: []string{"read", "write"}})
	must(err)
	for _, u := range users {
		rig.users = append(rig.users, u.ID)
		tok, err := svc.Apps.UserToken(ctx, u.ID, app.ID, []string{"read", "write"})
		must(err)
		rig.tokens = append(rig.tokens, tok.Value)
	}
}

func (rig *homeRig) request(i int) *http.Request {
	r := httptest.NewRequest("GET", "/api/v1/timelines/home", nil)
	r.Header.Set("Authorization", "Bearer "+rig.tokens[i%len(rig.tokens)])
	r.Header.Set("User-Agent", "linnet-bench")
	return r
}

// wire returns an encoded request of each account.
func (rig *homeRig) wire(path string) [][]byte {
	out := make([][]byte, len(rig.tokens))
	for i, t := range rig.tokens {
		out[i] = fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: linnet.test\r\nUser-Agent: linnet-bench\r\nAuthorization: Bearer %s\r\n\r\n", path, t)
	}
	return out
}

// listen serves a handler on a listener.
func (rig *homeRig) listen(tb testing.TB, h http.Handler) string {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	served := &site{}
	served.handle(h)
	srv := rig.server.newHTTP(served)
	go srv.Serve(l)
	tb.Cleanup(func() { srv.Close() })
	return l.Addr().String()
}

// constant returns a handler that answers with a recorded response.
func constant(as *httptest.ResponseRecorder) http.Handler {
	header, body := as.Header().Clone(), as.Body.Bytes()
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		for k, v := range header {
			h[k] = v
		}
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(body)
	})
}

// hammer keeps connections busy with requests.
type hammer struct {
	conns []*hammerConn
	next  atomic.Uint64
}

type hammerConn struct {
	net.Conn
	r *bufio.Reader
}

func newHammer(tb testing.TB, addr string) *hammer {
	tb.Helper()
	h := &hammer{}
	for range ratioConnections {
		h.conns = append(h.conns, dialHammer(tb, addr))
	}
	return h
}

func dialHammer(tb testing.TB, addr string) *hammerConn {
	tb.Helper()
	c, err := net.Dial("tcp", addr)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { c.Close() })
	return &hammerConn{c, bufio.NewReaderSize(c, 64<<10)}
}

// run sends requests for a while and returns the number of responses per second.
func (h *hammer) run(tb testing.TB, requests [][]byte, d time.Duration) float64 {
	tb.Helper()
	var n atomic.Int64
	var all sync.WaitGroup
	start := time.Now()
	for _, c := range h.conns {
		all.Go(func() {
			for time.Since(start) < d {
				if err := c.ask(requests[h.next.Add(1)%uint64(len(requests))]); err != nil {
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

// ask sends a request and reads the response, which must be a 200 with a length. It does as little
// as possible, because the benchmark measures the server.
func (c *hammerConn) ask(request []byte) error {
	if _, err := c.Write(request); err != nil {
		return err
	}
	line, err := c.r.ReadSlice('\n')
	if err != nil || !bytes.HasPrefix(line, []byte("HTTP/1.1 200 ")) {
		return fmt.Errorf("answer %q: %w", line, err)
	}
	length := -1
	for {
		if line, err = c.r.ReadSlice('\n'); err != nil {
			return err
		}
		if len(line) <= 2 {
			break
		}
		if n, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(n))); err != nil {
				return err
			}
		}
	}
	if length < 10_000 {
		return fmt.Errorf("an answer of %d bytes is no page", length)
	}
	_, err = c.r.Discard(length)
	return err
}

// BenchmarkHomeRatio compares the rate of home timelines of 20 posts with the rate of the same
// responses from memory. The measurements alternate, so that other load affects both, and medians
// are reported.
//
// Meanwhile there are 50 posts and 50 favourites a second. A timeline without a write that has
// returned fails the benchmark.
func BenchmarkHomeRatio(b *testing.B) {
	b.Run("embedded", func(b *testing.B) { benchHomeRatio(b, "embedded") })
	b.Run("redis", func(b *testing.B) { benchHomeRatio(b, redistest.Single(b)) })
}

func benchHomeRatio(b *testing.B, storeName string) {
	rig := newHomeRig(b, storeName)
	first := httptest.NewRecorder()
	for i := range 2 * len(rig.tokens) { // warms up; the last response has a typical size
		first = httptest.NewRecorder()
		rig.handler.ServeHTTP(first, rig.request(i))
		if first.Code != http.StatusOK {
			b.Fatal(first.Code, first.Body)
		}
	}
	addr := rig.listen(b, rig.handler)
	homes, memory, writes := newHammer(b, addr), newHammer(b, rig.listen(b, constant(first))), newWrites(b, rig, addr)
	requests := rig.wire("/api/v1/timelines/home")
	home := func() float64 {
		return writes.during(b, func() float64 { return homes.run(b, requests, ratioSlice) })
	}
	var ratios, as, bs []float64
	var cpuA, cpuB float64 // microseconds per response, including the client
	home()
	memory.run(b, requests, ratioSlice)
	for b.Loop() {
		start := cpuTime(b)
		x := home()
		middle := cpuTime(b)
		y := memory.run(b, requests, ratioSlice)
		cpuA += float64((middle - start).Microseconds()) / (x * ratioSlice.Seconds())
		cpuB += float64((cpuTime(b) - middle).Microseconds()) / (y * ratioSlice.Seconds())
		as, bs, ratios = append(as, x), append(bs, y), append(ratios, x/y)
	}
	b.ReportMetric(cpuA/float64(len(as)), "home-cpu-µs")
	b.ReportMetric(cpuB/float64(len(as)), "memory-cpu-µs")
	b.ReportMetric(cpuB/cpuA, "cpu-ratio")
	b.ReportMetric(median(ratios), "ratio")
	b.ReportMetric(median(as), "home/s")
	b.ReportMetric(median(bs), "memory/s")
	b.ReportMetric(float64(first.Body.Len()), "bytes")
	b.ReportMetric(float64(writes.n), "writes")
	b.ReportMetric(0, "ns/op")
}

// cpuTime returns the processor time of this process.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func median(of []float64) float64 {
	slices.Sort(of)
	return of[len(of)/2]
}
