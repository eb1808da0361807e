package otlp

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
)

// collector is a server that receives spans and answers as configured.
type collector struct {
	*httptest.Server
	mu      sync.Mutex
	answers []func(http.ResponseWriter) // for the next requests, then 200
	bodies  []string
	headers []http.Header
}

func newCollector(t *testing.T, answers ...func(http.ResponseWriter)) *collector {
	c := &collector{answers: answers}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c.mu.Lock()
		defer c.mu.Unlock()
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return
		}
		body, err := io.ReadAll(z)
		if err != nil {
			t.Error(err)
		}
		c.bodies, c.headers = append(c.bodies, r.URL.Path+" "+string(body)), append(c.headers, r.Header)
		if len(c.answers) > 0 {
			a := c.answers[0]
			c.answers = c.answers[1:]
			a(w)
		}
	}))
	t.Cleanup(c.Close)
	return c
}

func code(n int) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { http.Error(w, "no room\n", n) }
}

func text(s string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { io.WriteString(w, s) }
}

// recorded returns spans with everything that the exporter encodes.
func recorded(t *testing.T) []sdk.ReadOnlySpan {
	memory := tracetest.NewInMemoryExporter()
	p := sdk.NewTracerProvider(sdk.WithSyncer(memory), sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "x"))))
	start := time.Unix(1_700_000_000, 5)
	ctx, parent := p.Tracer("one", trace.WithInstrumentationVersion("2")).Start(t.Context(), "parent",
		trace.WithTimestamp(start), trace.WithSpanKind(trace.SpanKindServer))
	_, child := p.Tracer("other").Start(ctx, "child", trace.WithAttributes(attribute.Bool("b", true), attribute.Int64("i", 1<<60),
		attribute.Float64("f", 0.5), attribute.String("s", "ä\n"), attribute.StringSlice("l", []string{"a", "b"})))
	child.SetStatus(codes.Error, "it broke")
	child.End()
	parent.SetStatus(codes.Ok, "")
	parent.End(trace.WithTimestamp(start.Add(time.Second)))
	return memory.GetSpans().Snapshots()
}

func TestMessage(t *testing.T) {
	c := newCollector(t)
	spans := recorded(t)
	if err := New(c.URL+"/", http.Header{"Authorization": {"Bearer x"}}).ExportSpans(t.Context(), spans); err != nil {
		t.Fatal(err)
	}
	if h := c.headers[0]; h.Get("Content-Type") != "application/json" || h.Get("Authorization") != "Bearer x" {
		t.Errorf("headers %v", h)
	}
	path, body, _ := strings.Cut(c.bodies[0], " ")
	if path != "/v1/traces" {
		t.Errorf("asked at %s", path)
	}
	var got any
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	child, parent := spans[0].SpanContext(), spans[1].SpanContext()
	want := `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"x"}}]},"scopeSpans":[` +
		`{"scope":{"name":"other"},"spans":[{"traceId":"` + child.TraceID().String() + `","spanId":"` + child.SpanID().String() + `","parentSpanId":"` + parent.SpanID().String() +
		`","name":"child","kind":1,"startTimeUnixNano":"` + nanos(spans[0].StartTime()) + `","endTimeUnixNano":"` + nanos(spans[0].EndTime()) + `","attributes":[` +
		`{"key":"b","value":{"boolValue":true}},{"key":"i","value":{"intValue":"1152921504606846976"}},{"key":"f","value":{"doubleValue":0.5}},` +
		`{"key":"s","value":{"stringValue":"ä\n"}},{"key":"l","value":{"stringValue":"[\"a\",\"b\"]"}}],"status":{"code":2,"message":"it broke"}}]},` +
		`{"scope":{"name":"one","version":"2"},"spans":[{"traceId":"` + parent.TraceID().String() + `","spanId":"` + parent.SpanID().String() +
		`","name":"parent","kind":2,"startTimeUnixNano":"1700000000000000005","endTimeUnixNano":"1700000001000000005","status":{"code":1}}]}]}]}`
	if strings.TrimSpace(body) != want {
		t.Errorf("sent\n%s\nwant\n%s", body, want)
	}
}

// TestTries checks that spans are sent again after temporary errors, and not after rejections.
func TestTries(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers []func(http.ResponseWriter)
		tries   int
		err     string
	}{
		{"taken", nil, 1, ""},
		{"nothing left out", []func(http.ResponseWriter){text(`{"partialSuccess":{"rejectedSpans":"0"}}`)}, 1, ""},
		{"an answer in words", []func(http.ResponseWriter){text("thanks")}, 1, ""},
		{"some left out", []func(http.ResponseWriter){text(`{"partialSuccess":{"rejectedSpans":1,"errorMessage":"too old"}}`)}, 1, "rejected 1 of the spans: too old"},
		{"busy", []func(http.ResponseWriter){code(503), code(429), code(502), code(504)}, 5, ""},
		{"refused", []func(http.ResponseWriter){code(400)}, 1, "400 Bad Request: no room"},
		{"not allowed", []func(http.ResponseWriter){code(401)}, 1, "401"},
	} {
		t.Run(c.name, func(t *testing.T) {
			col := newCollector(t, c.answers...)
			e := New(col.URL+"/v1/traces", nil)
			e.wait = time.Millisecond
			err := e.ExportSpans(t.Context(), recorded(t))
			if (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("%v, want %q", err, c.err)
			}
			if len(col.bodies) != c.tries {
				t.Errorf("%d tries, want %d", len(col.bodies), c.tries)
			}
		})
	}
}

// TestGivesUp checks that an unavailable collector does not delay the caller beyond its context.
func TestGivesUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c := newCollector(t, func(w http.ResponseWriter) { w.Header().Set("Retry-After", "3600"); w.WriteHeader(503); cancel() })
	err := New(c.URL, nil).ExportSpans(ctx, recorded(t))
	if err == nil || !strings.Contains(err.Error(), "send 2 spans to "+c.URL) {
		t.Errorf("%v", err)
	}
	c = newCollector(t, func(w http.ResponseWriter) { w.Header().Set("Retry-After", "3600"); w.WriteHeader(503) })
	ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := New(c.URL, nil).ExportSpans(ctx, recorded(t)); err == nil || ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it waited for longer than it may: %v", err)
	}
	if err := New(c.URL, nil).ExportSpans(t.Context(), nil); err != nil || len(c.bodies) != 1 {
		t.Errorf("nothing was sent: %v", err)
	}
}
