package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"

	"linnet/internal/config"
	"linnet/internal/kv/watchkv"
	"linnet/internal/otlp"
	"linnet/internal/version"
)

// spans creates traces and sends them to a collector. A nil *spans creates none.
type spans struct {
	provider *sdk.TracerProvider
	tracer   oteltrace.Tracer
	proxies  *proxies
}

// spansTimeout limits how long close sends traces.
const spansTimeout = 3 * time.Second

// newSpans returns nil if tracing is off.
func newSpans(c *config.Config, log *slog.Logger) *spans {
	if c.OTLP.Endpoint == "" || c.OTLP.Share == 0 {
		return nil
	}
	return spansTo(c, sdk.WithBatcher(&loggingExporter{SpanExporter: otlp.New(c.OTLP.Endpoint, c.OTLP.Headers), log: log}))
}

// loggingExporter logs failed exports, at most once a minute.
type loggingExporter struct {
	sdk.SpanExporter
	log  *slog.Logger
	last time.Time // batches are sent one at a time
}

func (e *loggingExporter) ExportSpans(ctx context.Context, all []sdk.ReadOnlySpan) error {
	err := e.SpanExporter.ExportSpans(ctx, all)
	if err != nil && time.Since(e.last) >= time.Minute {
		e.last = time.Now()
		e.log.Warn("cannot send traces; check otlp.endpoint and the collector", "err", err)
	}
	return nil // the caller would only log it
}

// spansTo returns spans with the given exporter.
func spansTo(c *config.Config, to sdk.TracerProviderOption) *spans {
	// A trace that a proxy started is recorded completely or not at all.
	p := sdk.NewTracerProvider(to, sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(c.OTLP.Share))),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "linnet"),
			attribute.String("service.version", version.Version), attribute.String("service.instance.id", c.ServerName()),
			attribute.String("linnet.role", c.Role))))
	return &spans{provider: p, tracer: p.Tracer("linnet"), proxies: &proxies{trusted: c.TrustedProxies}}
}

// close sends the remaining traces.
func (s *spans) close() {
	if s == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), spansTimeout)
	defer cancel()
	_ = s.provider.Shutdown(ctx) // logged already
}

// extract continues the trace that a trusted proxy started. It must see a request before setClient
// changes its address. It ignores trace headers of other clients, so that they cannot decide which
// requests are recorded.
func (s *spans) extract(next http.Handler) http.Handler {
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

// request creates a span for each request. The router sets Pattern on the request that it passes
// on. Spans contain no paths and queries, because they can identify users and contain tokens.
func (s *spans) request(next http.Handler) http.Handler {
	if s == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if isStream(r.URL.Path) { // a stream lasts for hours, and its store calls belong to no request
			next.ServeHTTP(w, r)
			return
		}
		method := knownMethod(r.Method)
		ctx, span := s.tracer.Start(r.Context(), method, oteltrace.WithSpanKind(oteltrace.SpanKindServer))
		defer span.End()
		seen := &responseRecorder{ResponseWriter: w}
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

// task creates a span for a batch of a task. If a request runs the task, the span is a child of the
// request's span.
func (s *spans) task(ctx context.Context, kind string) (context.Context, func(error)) {
	ctx, span := s.tracer.Start(ctx, "task "+kind, oteltrace.WithAttributes(attribute.String("linnet.task", kind)))
	return ctx, func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, err.Error())
		}
		span.End()
	}
}

// call creates a span for a finished engine call, if its context has a span.
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
