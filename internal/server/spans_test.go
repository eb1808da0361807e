package server

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/config"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/watchkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/store"
)

// traced contains services with traces, as in a server.
type traced struct {
	svc     *app.App
	made    *tracetest.InMemoryExporter
	handler http.Handler
}

func newTraced(t *testing.T, c *config.Config, more func(http.Handler) http.Handler) *traced {
	t.Helper()
	out := &traced{made: tracetest.NewInMemoryExporter()}
	m := newMetrics("memory")
	m.spans = spansTo(c, sdk.WithSyncer(out.made))
	t.Cleanup(m.spans.close)
	st := store.New(watchkv.New(memkv.New(memkv.Options{}), m.Call), store.Options{})
	var err error
	if out.svc, err = app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "http://127.0.0.1", Exclusive: true, Observe: m.Observer()}); err != nil {
		t.Fatal(err)
	}
	l := slog.New(slog.DiscardHandler)
	f := &front{log: l, proxies: &proxies{trusted: c.TrustedProxies, log: l}, leaving: new(atomic.Bool), streams: isStream}
	h, err := f.wrap(m.spans.request(m.measure(more(mastodon.New(out.svc, mastodon.Options{})))))
	if err != nil {
		t.Fatal(err)
	}
	out.handler = m.spans.extract(h)
	return out
}

func same(h http.Handler) http.Handler { return h }

// ask sends a request and returns its spans as text.
func (d *traced) ask(r *http.Request) (spans []string, all tracetest.SpanStubs) {
	d.made.Reset()
	d.handler.ServeHTTP(httptest.NewRecorder(), r)
	all = d.made.GetSpans()
	names := map[string]string{}
	for _, s := range all {
		names[s.SpanContext.SpanID().String()] = s.Name
	}
	for _, s := range all {
		text := s.Name
		if p := names[s.Parent.SpanID().String()]; p != "" {
			text = p + " > " + text
		}
		for _, a := range s.Attributes {
			text += " " + string(a.Key) + "=" + a.Value.String()
		}
		spans = append(spans, text+" "+s.Status.Code.String())
	}
	return spans, all
}

func hasSpan(spans []string, parts ...string) bool {
	return slices.ContainsFunc(spans, func(s string) bool {
		for _, p := range parts {
			if !strings.Contains(s, p) {
				return false
			}
		}
		return true
	})
}

// TestSpans expects spans of the request with its route, of its store calls and of its task,
// without names of users, texts or secrets.
func TestSpans(t *testing.T) {
	d := newTraced(t, &config.Config{OTLP: config.Tracing{Share: 1}}, same)
	ann, err := d.svc.Identity.SignUp(t.Context(), linnet.SignUp{Login: "ann", Password: "correct horse", Agreed: true})
	if err != nil {
		t.Fatal(err)
	}
	spans, _ := d.ask(httptest.NewRequest("GET", fmt.Sprintf("/api/v1/accounts/%s?with=secret", ann.ID), nil))
	route := "GET /api/v1/accounts/{id}"
	if !hasSpan(spans, route+" http.route=/api/v1/accounts/{id} http.request.method=GET http.response.status_code=200 linnet.request_id=", "Unset") ||
		!hasSpan(spans, route+" > store read db.operation.name=read db.operation.batch.size=") {
		t.Errorf("a read: %q", spans)
	}
	if text := strings.Join(spans, " "); strings.Contains(text, "secret") || strings.Contains(text, ann.ID.String()) {
		t.Errorf("a span tells who or what was asked for: %s", text)
	}
	if spans, _ = d.ask(httptest.NewRequest("BREW", "/api/v1/x", nil)); !hasSpan(spans, "other http.request.method=other http.response.status_code=") {
		t.Errorf("a method of nobody's: %q", spans)
	}
	if spans, _ = d.ask(httptest.NewRequest("GET", "/api/v1/streaming/health", nil)); len(spans) != 0 {
		t.Errorf("a stream: %q", spans)
	}
	d.made.Reset()
	if _, err := d.svc.Posting.Post(t.Context(), ann.ID, linnet.Draft{Text: "hello"}); err != nil {
		t.Fatal(err)
	}
	if names := namesOf(d.made.GetSpans()); !slices.Contains(names, "task publish") || slices.Contains(names, "store txn") {
		t.Errorf("a post outside of any request has a span of its task, and none of calls that belong to no span: %q", names)
	}
}

func namesOf(all tracetest.SpanStubs) (names []string) {
	for _, s := range all {
		names = append(names, s.Name)
	}
	return names
}

// TestSpansOfFaults expects that a span of a failed request has the status Error.
func TestSpansOfFaults(t *testing.T) {
	d := newTraced(t, &config.Config{OTLP: config.Tracing{Share: 1}}, func(http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	})
	if spans, _ := d.ask(httptest.NewRequest("GET", "/", nil)); len(spans) != 1 || !hasSpan(spans, "http.response.status_code=502", " Error") {
		t.Errorf("%q", spans)
	}
}

// TestTraceparent expects that only a trusted proxy determines the trace of a request.
func TestTraceparent(t *testing.T) {
	const theirs = "4bf92f3577b34da6a3ce929d0e0e4736"
	for _, c := range []struct {
		name, from, flags string
		share             float64
		spans             bool
		theirs            bool
	}{
		{"a proxy", "10.0.0.1:1", "01", 0.5, true, true},
		{"a proxy that records nothing", "10.0.0.1:1", "00", 1, false, false},
		{"a stranger", "192.0.2.1:1", "01", 1, true, false},
		{"a stranger who wants nothing recorded", "192.0.2.1:1", "00", 1, true, false},
		{"a stranger, and no trace is wanted", "192.0.2.1:1", "01", 0, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newTraced(t, &config.Config{OTLP: config.Tracing{Share: c.share}, TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}}, same)
			r := httptest.NewRequest("GET", "/api/v1/instance", nil)
			r.RemoteAddr = c.from
			r.Header.Set("Traceparent", "00-"+theirs+"-00f067aa0ba902b7-"+c.flags)
			spans, all := d.ask(r)
			if (len(spans) > 0) != c.spans {
				t.Fatalf("spans %q", spans)
			}
			for _, s := range all {
				if got := s.SpanContext.TraceID().String() == theirs; got != c.theirs {
					t.Errorf("span %s belongs to trace %s", s.Name, s.SpanContext.TraceID())
				}
			}
		})
	}
}

// TestSpansAreSent expects that remaining spans are sent at the end, and that an error is logged
// once.
func TestSpansAreSent(t *testing.T) {
	bodies := make(chan string, 4)
	code := http.StatusOK
	collector := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		body, _ := io.ReadAll(z)
		bodies <- r.Header.Get("Api-Key") + " " + string(body)
		w.WriteHeader(code)
	}))
	defer collector.Close()
	cfg, err := config.Resolve(map[string]string{"data": t.TempDir(), "otlp.endpoint": collector.URL, "otlp.headers": "api-key=k1"}, config.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	for _, code = range []int{http.StatusOK, http.StatusForbidden} {
		var log bytes.Buffer
		s := newSpans(cfg, slog.New(slog.NewTextHandler(&log, nil)))
		_, end := s.task(context.Background(), "publish")
		end(nil)
		s.close()
		if got := <-bodies; !strings.HasPrefix(got, "k1 ") || !strings.Contains(got, `"task publish"`) || !strings.Contains(got, `{"key":"service.name","value":{"stringValue":"linnet"}}`) {
			t.Errorf("sent %s", got)
		}
		if told := strings.Contains(log.String(), "cannot send traces"); told != (code != http.StatusOK) {
			t.Errorf("at %d the log has %q", code, log.String())
		}
	}
	for _, off := range []map[string]string{{}, {"otlp.endpoint": collector.URL, "otlp.share": "0"}} {
		off["data"] = t.TempDir()
		if cfg, err = config.Resolve(off, config.Environment{}); err != nil {
			t.Fatal(err)
		}
		if s := newSpans(cfg, slog.New(slog.DiscardHandler)); s != nil {
			t.Errorf("traces are made with %v", off)
		}
	}
}
