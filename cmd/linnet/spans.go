package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"
	"golang.org/x/net/http/httpguts"

	"linnet/internal/kv/watchkv"
	"linnet/internal/otlp"
)

// otlpOptions is the part of the table about traces.
func otlpOptions() []option {
	return []option{
		{name: "otlp.endpoint", arg: "URL", help: "OpenTelemetry collector for traces", details: "For example http://localhost:4318. Without it no traces are sent.",
			set: func(c *config, s string) (err error) { c.OTLP.Endpoint, err = parseCollector(s); return }},
		{name: "otlp.headers", arg: "NAME=VALUE,...", secret: true, help: "HTTP headers for the collector", details: "For example an API key.",
			set: func(c *config, s string) (err error) { c.OTLP.Headers, err = parseHeaders(s); return }},
		{name: "otlp.share", def: "1", arg: "NUMBER", help: "Share of traces to send, from 0 to 1",
			set: func(c *config, s string) (err error) { c.OTLP.Share, err = parseShare(s); return }},
	}
}

// otlpSettings say where traces go, and how many of them.
type otlpSettings struct {
	Endpoint string
	Headers  http.Header
	Share    float64
}

func parseCollector(s string) (string, error) {
	if s == "" {
		return "", nil
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return "", errors.New("not a URL like http://localhost:4318; a key for it goes into otlp.headers")
	}
	return s, nil
}

func parseHeaders(s string) (http.Header, error) {
	h := http.Header{}
	for pair := range strings.SplitSeq(s, ",") {
		if strings.TrimSpace(pair) == "" {
			continue
		}
		name, value, ok := strings.Cut(pair, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("not headers like Authorization=Bearer TOKEN, separated by commas")
		}
		h.Set(name, value)
	}
	return h, nil
}

func parseShare(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return 0, errors.New("not a number from 0 to 1, such as 0.1 for a tenth")
	}
	return f, nil
}

// spans makes traces of what the server does and sends them to a collector. A nil one makes none
// and costs nothing.
type spans struct {
	provider *sdk.TracerProvider
	tracer   oteltrace.Tracer
	proxies  *proxies
}

// spansEnd is how long what is left of the traces may take when the server stops.
const spansEnd = 3 * time.Second

// newSpans is nil if the operator wants no traces.
func newSpans(c *config, log *slog.Logger) *spans {
	if c.OTLP.Endpoint == "" || c.OTLP.Share == 0 {
		return nil
	}
	return spansTo(c, sdk.WithBatcher(&telling{SpanExporter: otlp.New(c.OTLP.Endpoint, c.OTLP.Headers), log: log}))
}

// telling says in the log what could not be sent, once a minute at most.
type telling struct {
	sdk.SpanExporter
	log  *slog.Logger
	last time.Time // sent is one batch at a time
}

func (e *telling) ExportSpans(ctx context.Context, all []sdk.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, all)
	if err != nil && time.Since(e.last) >= time.Minute {
		e.last = time.Now()
		e.log.Warn("cannot send traces; check otlp.endpoint and the collector", "err", err)
	}
	return nil // who called would only log it
}

// spansTo makes traces that go where the option says.
func spansTo(c *config, to sdk.TracerProviderOption) *spans {
	// A trace that a proxy of ours has begun is whole or not at all.
	p := sdk.NewTracerProvider(to, sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(c.OTLP.Share))),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "linnet"),
			attribute.String("service.version", release), attribute.String("service.instance.id", serverName(c)),
			attribute.String("linnet.role", c.Role))))
	return &spans{provider: p, tracer: p.Tracer("linnet"), proxies: &proxies{trusted: c.TrustedProxies}}
}

// close sends what is left.
func (s *spans) close() {
	if s == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), spansEnd)
	defer cancel()
	_ = s.provider.Shutdown(ctx) // the log has it already
}

// begin takes the trace that a proxy of ours has begun. It must see a request before addresses are
// judged. From anybody else the header is taken off: who asks must not decide what is recorded.
func (s *spans) begin(next http.Handler) http.Handler {
	if s == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.proxies.isTrusted(addrOf(r.RemoteAddr)) {
			r = r.WithContext(propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header)))
		}
		next.ServeHTTP(w, r)
	})
}

// request makes a span of each request. It has to stand where the request that it passes on is the
// one that the routers mark with their pattern. Neither paths nor queries are told, because they
// name people and may hold tokens.
func (s *spans) request(next http.Handler) http.Handler {
	if s == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isStream(r.URL.Path) { // it lasts for hours, and what it asks belongs to nobody's request
			next.ServeHTTP(w, r)
			return
		}
		method := knownMethod(r.Method)
		ctx, span := s.tracer.Start(r.Context(), method, oteltrace.WithSpanKind(oteltrace.SpanKindServer))
		defer span.End()
		seen := &witness{ResponseWriter: w}
		r = r.WithContext(ctx)
		next.ServeHTTP(seen, r)
		if !span.IsRecording() {
			return
		}
		if r.Pattern != "" {
			span.SetName(r.Pattern)
			span.SetAttributes(attribute.String("http.route", strings.TrimPrefix(r.Pattern, method+" ")))
		}
		span.SetAttributes(attribute.String("http.request.method", method), attribute.Int("http.response.status_code", seen.code),
			attribute.String("linnet.request_id", w.Header().Get("X-Request-Id")))
		if seen.code >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, "")
		}
	})
}

// task makes a span of each pass of a task; one that a request makes lies below that request's.
func (s *spans) task(ctx context.Context, kind string) (context.Context, func(error)) {
	ctx, span := s.tracer.Start(ctx, "task "+kind, oteltrace.WithAttributes(attribute.String("linnet.task", kind)))
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, err.Error())
		}
		span.End()
	}
}

// call makes a span of a call of the engine that has ended, if it was made in one.
func (s *spans) call(ctx context.Context, c watchkv.Call) {
	if s == nil || !oteltrace.SpanFromContext(ctx).IsRecording() {
		return
	}
	end := time.Now()
	_, span := s.tracer.Start(ctx, "store "+c.Op, oteltrace.WithSpanKind(oteltrace.SpanKindClient), oteltrace.WithTimestamp(end.Add(-c.Took)),
		oteltrace.WithAttributes(attribute.String("db.operation.name", c.Op), attribute.Int("db.operation.batch.size", c.Size)))
	if c.Err != nil {
		span.SetStatus(codes.Error, fmt.Sprintf("%s: %v", errorKind(c.Err), c.Err))
	}
	span.End(oteltrace.WithTimestamp(end))
}
