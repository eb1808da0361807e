package server

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/watchkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/store"
)

// measured returns services with metrics, as in a server.
func measured(t *testing.T) (*Metrics, *app.App) {
	t.Helper()
	m := newMetrics("memory")
	st := store.New(watchkv.New(memkv.New(memkv.Options{}), m.Call), store.Options{})
	svc, err := app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "http://127.0.0.1", Exclusive: true, Observe: m.Observer()})
	if err != nil {
		t.Fatal(err)
	}
	m.watch(svc)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); svc.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	return m, svc
}

func scrape(t *testing.T, m *Metrics) string {
	t.Helper()
	w := httptest.NewRecorder()
	promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	body, _ := io.ReadAll(w.Result().Body)
	return string(body)
}

// TestMetrics expects samples of every family after some actions, and no complaints of the linter.
func TestMetrics(t *testing.T) {
	m, svc := measured(t)
	ctx := t.Context()
	ids := map[string]linnet.ID{}
	for _, name := range []string{"ann", "bob"} {
		u, err := svc.Identity.SignUp(ctx, linnet.SignUp{Login: name, Password: "correct horse", Agreed: true})
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = u.ID
	}
	if _, err := svc.Social.Follow(ctx, ids["ann"], ids["bob"], linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := svc.Posting.Post(ctx, ids["bob"], linnet.Draft{Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	_, _, _ = svc.Identity.LogIn(ctx, "ann", "wrong", netip.MustParseAddr("192.0.2.1"))
	_, _, _ = svc.Core.Allow(ctx, "test", "ann", 0, time.Minute)
	api := m.measure(mastodon.New(svc, mastodon.Options{}))
	for _, path := range []string{"/api/v1/timelines/public", "/api/v1/accounts/12345", "/api/v1/nothing/of/the/kind"} {
		api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	api.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("BREW", "/api/v1/timelines/public", nil))
	for end := time.Now().Add(time.Minute); !svc.Idle() && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	l, err := svc.Live.Listen(ctx, linnet.Session{}, func() {})
	if err == nil {
		l.Over("sse")
		err = l.Subscribe(ctx, linnet.Stream{Kind: linnet.StreamPublic})
	}
	if err != nil {
		t.Fatal(err)
	}
	text := scrape(t, m)
	for _, want := range []string{
		`linnet_build_info{`,
		`linnet_http_requests_total{code="200",method="GET",route="GET /api/v1/timelines/public"} 1`,
		`linnet_http_requests_total{code="404",method="GET",route="GET /api/v1/accounts/{id}"} 1`,
		`linnet_http_requests_total{code="404",method="GET",route="other"} 1`,
		`method="other"`,
		`linnet_http_request_duration_seconds_count{route="GET /api/v1/timelines/public"} `,
		`linnet_http_requests_in_flight 0`,
		`linnet_posts_created_total{visibility="public"} 1`,
		`linnet_fanout_deliveries_total{mode="inline",timeline="home"} 1`,
		`linnet_fanout_delay_seconds_count 1`,
		`linnet_jobs_done_total{outcome="done",queue="publish"} 1`,
		`linnet_jobs_duration_seconds_count{queue="edge"} 1`,
		`linnet_jobs_queue_depth{queue="publish"} 0`, `linnet_jobs_oldest_age_seconds{queue="edge"} 0`, `linnet_jobs_dead 0`, `linnet_backup_last_success_timestamp_seconds 0`,
		`linnet_fanout_pending_deliveries 0`, `linnet_streams_open{stream="public",transport="sse"} 1`,
		`linnet_login_failures_total 1`,
		`linnet_rate_limited_total{limit="test"} 1`,
		`linnet_store_command_duration_seconds_count{op="txn"} `,
		`go_goroutines `, `process_resident_memory_bytes `,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %s", want)
		}
	}
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("promlint: %s: %s", p.Metric, p.Text)
	}
}

// familyName matches the names of metrics in the source.
var familyName = regexp.MustCompile(`(?:counter|histogram|gauge)\("(\w+)"|"linnet_(\w+)"`)

// TestMetricsAtFirst expects a sample of every family at the start.
func TestMetricsAtFirst(t *testing.T) {
	m, _ := measured(t)
	text, n := scrape(t, m), 0
	for _, file := range []string{"metrics.go", "metrics_state.go"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range familyName.FindAllStringSubmatch(string(b), -1) {
			name := "linnet_" + found[1] + found[2]
			if n++; !regexp.MustCompile(`(?m)^` + name + `(?:_count)?(?:\{| )`).MatchString(text) {
				t.Errorf("%s has no sample at first", name)
			}
		}
	}
	if n < 15 {
		t.Errorf("%d families found", n)
	}
}

func TestMetricsRouteIsNeverAPath(t *testing.T) {
	m, _ := measured(t)
	h := m.measure(http.NotFoundHandler())
	for _, path := range []string{"/a", "/b", "/c"} {
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	if n := strings.Count(scrape(t, m), "linnet_http_requests_total{"); n != 1 {
		t.Errorf("three unknown paths made %d series", n)
	}
}
