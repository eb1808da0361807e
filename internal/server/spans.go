package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"linnet/internal/config"
	"linnet/internal/version"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	oteltrace "go.opentelemetry.io/otel/trace"

	"linnet/internal/kv/watchkv"
	"linnet/internal/otlp"
)

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
func newSpans(c *config.Config, log *slog.Logger) *spans {
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
func spansTo(c *config.Config, to sdk.TracerProviderOption) *spans {
	// A trace that a proxy of ours has begun is whole or not at all.
	p := sdk.NewTracerProvider(to, sdk.WithSampler(sdk.ParentBased(sdk.TraceIDRatioBased(c.OTLP.Share))),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", "linnet"),
			attribute.String("service.version", version.Version), attribute.String("service.instance.id", c.ServerName()),
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
