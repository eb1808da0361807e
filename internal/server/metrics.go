package server

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"linnet/internal/app"
	"linnet/internal/cards"
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/kv/watchkv"
	"linnet/internal/linnet"
	"linnet/internal/mailing"
	"linnet/internal/moderation"
	"linnet/internal/notify"
	"linnet/internal/version"
)

// Metrics contains the metrics of a server. No label contains a user or an address, and routes are
// patterns instead of paths.
type Metrics struct {
	registry *prometheus.Registry

	requests   *prometheus.CounterVec
	durations  *prometheus.HistogramVec
	inFlight   prometheus.Gauge
	posts      *prometheus.CounterVec
	deliveries *prometheus.CounterVec
	fanOut     prometheus.Histogram
	jobs       *prometheus.CounterVec
	jobTimes   *prometheus.HistogramVec
	events     *prometheus.CounterVec
	logins     prometheus.Counter
	limited    *prometheus.CounterVec
	pushes     *prometheus.CounterVec
	mails      *prometheus.CounterVec
	previews   *prometheus.CounterVec
	calls      *prometheus.HistogramVec
	callErrors *prometheus.CounterVec

	spans     *spans                                          // nil if there is no tracing
	responses atomic.Pointer[map[responseKey]*responseSeries] // copied on each change
	growing   sync.Mutex
	callTime  map[string]prometheus.Observer // duration of engine calls, by operation
}

// responseKey identifies the series of a response.
type responseKey struct {
	route, method string
	code          int
}

type responseSeries struct {
	requests prometheus.Counter
	duration prometheus.Observer // nil for streams
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "linnet_" + name, Help: help}, labels)
}

func histogram(name, help string, least float64, labels ...string) *prometheus.HistogramVec {
	return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "linnet_" + name, Help: help,
		Buckets: prometheus.ExponentialBuckets(least, 2.5, 12)}, labels)
}

// newMetrics returns the metrics of a server. store is the name of the engine.
func newMetrics(store string) *Metrics {
	m := &Metrics{
		registry:   prometheus.NewRegistry(),
		requests:   counter("http_requests_total", "Requests answered.", "route", "method", "code"),
		durations:  histogram("http_request_duration_seconds", "Time from the request header to the end of the response, without streams.", 0.0002, "route"),
		posts:      counter("posts_created_total", "Posts created, including boosts.", "visibility"),
		deliveries: counter("fanout_deliveries_total", "Feeds that posts were pushed to, including cold feeds.", "timeline", "mode"),
		jobs:       counter("jobs_done_total", "Finished tasks by outcome.", "queue", "outcome"),
		jobTimes:   histogram("jobs_duration_seconds", "Time a task ran on this server.", 0.0002, "queue"),
		events:     counter("stream_events_sent_total", "Events sent to streaming clients.", "event"),
		limited:    counter("rate_limited_total", "Requests refused by a rate limit.", "limit"),
		pushes:     counter("pushes_total", "Push attempts by outcome.", "outcome"),
		mails:      counter("mails_total", "E-mail attempts by outcome.", "outcome"),
		previews:   counter("link_previews_total", "Fetched link previews by outcome.", "outcome"),
		calls:      histogram("store_command_duration_seconds", "Time of a storage engine call.", 0.00002, "op"),
		callErrors: counter("store_errors_total", "Failed storage engine calls.", "kind"),
		inFlight:   prometheus.NewGauge(prometheus.GaugeOpts{Name: "linnet_http_requests_in_flight", Help: "Requests in progress, including event streams of pages and over HTTP/2. Streams of apps are counted in linnet_streams_open."}),
		logins:     prometheus.NewCounter(prometheus.CounterOpts{Name: "linnet_login_failures_total", Help: "Failed logins."}),
		fanOut: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "linnet_fanout_delay_seconds",
			Help: "Time from posting to the last follower's feed.", Buckets: prometheus.ExponentialBuckets(0.001, 2.5, 14)}),
	}
	m.responses.Store(&map[responseKey]*responseSeries{})
	m.initSeries()
	m.callTime = map[string]prometheus.Observer{}
	for _, op := range [...]string{"read", "txn", "apply", "publish", "count"} {
		m.callTime[op] = m.calls.WithLabelValues(op)
	}
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: "linnet_build_info", Help: "Version of the running binary; the value is always 1."},
		[]string{"version", "goversion", "store"})
	build.WithLabelValues(version.Version, runtime.Version(), store).Set(1)
	m.registry.MustRegister(m.requests, m.durations, m.inFlight, m.posts, m.deliveries, m.fanOut, m.jobs, m.jobTimes,
		m.events, m.logins, m.limited, m.pushes, m.mails, m.previews, m.calls, m.callErrors, build,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// initSeries creates series of every family with the value 0. Without them, a missing series could mean
// an unknown metric or no events, and rates would miss the first event.
func (m *Metrics) initSeries() {
	m.response(responseKey{"other", http.MethodGet, http.StatusNotFound}, false)
	for v := linnet.Public; v <= linnet.Direct; v++ {
		m.posts.WithLabelValues(v.String())
	}
	for _, mode := range []string{"inline", "deferred"} {
		m.deliveries.WithLabelValues("home", mode)
		m.deliveries.WithLabelValues("list", mode)
	}
	for _, e := range []linnet.EventType{linnet.EventUpdate, linnet.EventDelete, linnet.EventNotification, linnet.EventMerged, linnet.EventConversation, linnet.EventFilters} {
		m.events.WithLabelValues(string(e))
	}
	for _, limit := range []string{"report", "newpost", "newmention", "newfollow", "invite"} {
		m.limited.WithLabelValues(limit)
	}
	for _, outcome := range notify.PushOutcomes() {
		m.pushes.WithLabelValues(outcome)
	}
	for _, outcome := range mailing.Outcomes() {
		m.mails.WithLabelValues(outcome)
	}
	for _, outcome := range cards.Outcomes() {
		m.previews.WithLabelValues(outcome)
	}
	for _, kind := range []error{kv.ErrUnavailable, kv.ErrUnknown, kv.ErrFull, kv.ErrRefused, kv.ErrClosed, nil} {
		m.callErrors.WithLabelValues(errorKind(kind))
	}
}

// watch adds the gauges that are read from the services when they are scraped.
func (m *Metrics) watch(svc *app.App) {
	gauge := func(name, help string, f func(moderation.State) float64) {
		m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "linnet_" + name, Help: help},
			func() float64 { return f(svc.Moderation.Server.State()) }))
	}
	for kind := range svc.Moderation.Server.State().Tasks {
		for _, outcome := range []string{"done", "failed", "dead"} {
			m.jobs.WithLabelValues(kind, outcome)
		}
		m.jobTimes.WithLabelValues(kind)
	}
	gauge("fanout_pending_deliveries", "Approximate number of feeds this server still has to push posts to.",
		func(s moderation.State) float64 { return float64(s.Deliveries) })
	m.registry.MustRegister(jobCollector{svc}, streamCollector{svc}, prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "linnet_jobs_dead",
		Help: "Failed tasks of the whole instance, updated at most once a minute."}, deadTasks(svc)))
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "linnet_backup_last_success_timestamp_seconds",
		Help: "Time of the last successful backup, 0 if there is none, updated at most once a minute."}, lastBackup(svc)))
}

// Observer returns the hooks that the services call.
func (m *Metrics) Observer() *core.Observer {
	o := &core.Observer{
		Posted: func(v linnet.Visibility) { m.posts.WithLabelValues(v.String()).Inc() },
		Delivered: func(timeline string, inline bool, n int) {
			mode := "deferred"
			if inline {
				mode = "inline"
			}
			m.deliveries.WithLabelValues(timeline, mode).Add(float64(n))
		},
		FannedOut: func(d time.Duration) { m.fanOut.Observe(d.Seconds()) },
		TaskEnded: func(kind, outcome string, took time.Duration) {
			m.jobs.WithLabelValues(kind, outcome).Inc()
			m.jobTimes.WithLabelValues(kind).Observe(took.Seconds())
		},
		EventSent:   func(t linnet.EventType) { m.events.WithLabelValues(string(t)).Inc() },
		LoginFailed: m.logins.Inc,
		Refused:     func(what string) { m.limited.WithLabelValues(what).Inc() },
		Pushed:      func(outcome string) { m.pushes.WithLabelValues(outcome).Inc() },
		Mailed:      func(outcome string) { m.mails.WithLabelValues(outcome).Inc() },
		Previewed:   func(outcome string) { m.previews.WithLabelValues(outcome).Inc() },
	}
	if m.spans != nil {
		o.TaskBegins = m.spans.task
	}
	return o
}

// Call records a call of the engine, in total and for the request that made it.
func (m *Metrics) Call(ctx context.Context, c watchkv.Call) {
	recordCall(ctx, c)
	m.spans.call(ctx, c)
	if o := m.callTime[c.Op]; o != nil {
		o.Observe(c.Took.Seconds())
	}
	if c.Err != nil {
		m.callErrors.WithLabelValues(errorKind(c.Err)).Inc()
	}
}

func errorKind(err error) string {
	switch {
	case errors.Is(err, kv.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, kv.ErrUnknown):
		return "unknown_outcome"
	case errors.Is(err, kv.ErrFull):
		return "full"
	case errors.Is(err, kv.ErrRefused):
		return "refused"
	case errors.Is(err, kv.ErrClosed):
		return "closed"
	}
	return "other"
}

// measure counts and times responses. The router sets Pattern on the request that measure passes
// on, so no handler between them may copy the request.
func (m *Metrics) measure(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Inc()
		defer m.inFlight.Dec()
		start := time.Now()
		seen, ok := w.(*responseRecorder)
		if !ok { // the response is compressed
			seen = &responseRecorder{ResponseWriter: w}
		}
		next.ServeHTTP(seen, r)
		route := r.Pattern
		if route == "" {
			route = "other"
		}
		a := m.response(responseKey{route, knownMethod(r.Method), seen.code}, isStream(r.URL.Path))
		a.requests.Inc()
		if a.duration != nil {
			a.duration.Observe(time.Since(start).Seconds())
		}
	})
}

// response returns the series of a response. Routes, methods and codes are few, and a lookup by
// labels would cost more than counting.
func (m *Metrics) response(k responseKey, stream bool) *responseSeries {
	if a := (*m.responses.Load())[k]; a != nil {
		return a
	}
	m.growing.Lock()
	defer m.growing.Unlock()
	all := maps.Clone(*m.responses.Load())
	a := &responseSeries{requests: m.requests.WithLabelValues(k.route, k.method, codeText(k.code))}
	if !stream {
		a.duration = m.durations.WithLabelValues(k.route)
	}
	all[k] = a
	m.responses.Store(&all)
	return a
}

// knownMethod returns the method, or "other", so that clients cannot create labels.
func knownMethod(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}
