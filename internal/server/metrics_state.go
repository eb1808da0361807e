package server

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"linnet/internal/app"
	"linnet/internal/linnet"
	"linnet/internal/live"
)

// jobCollector collects metrics of the running tasks, with one series per kind of task.
type jobCollector struct{ svc *app.App }

func jobsHeld() (depth, age *prometheus.Desc) {
	return prometheus.NewDesc("linnet_jobs_queue_depth", "Tasks running on this server.", []string{"queue"}, nil),
		prometheus.NewDesc("linnet_jobs_oldest_age_seconds", "Age of the oldest task running on this server.", []string{"queue"}, nil)
}

// Describe implements prometheus.Collector.
func (c jobCollector) Describe(out chan<- *prometheus.Desc) {
	depth, age := jobsHeld()
	out <- depth
	out <- age
}

// Collect implements prometheus.Collector.
func (c jobCollector) Collect(out chan<- prometheus.Metric) {
	depth, age := jobsHeld()
	for kind, t := range c.svc.Moderation.Server.State().Tasks {
		out <- prometheus.MustNewConstMetric(depth, prometheus.GaugeValue, float64(t.Held), kind)
		out <- prometheus.MustNewConstMetric(age, prometheus.GaugeValue, t.Oldest.Seconds(), kind)
	}
}

// streamsOpen describes the number of open streams. A connection counts for each of its streams.
func streamsOpen() *prometheus.Desc {
	return prometheus.NewDesc("linnet_streams_open", "Open streams of this server.", []string{"transport", "stream"}, nil)
}

// streamCollector collects the number of open streams.
type streamCollector struct{ svc *app.App }

// Describe implements prometheus.Collector.
func (c streamCollector) Describe(out chan<- *prometheus.Desc) { out <- streamsOpen() }

// Collect implements prometheus.Collector.
func (c streamCollector) Collect(out chan<- prometheus.Metric) {
	open := c.svc.Live.Open()
	for _, transport := range []string{"sse", "websocket"} { // the family always has samples
		if of := (live.OpenStream{Transport: transport, Stream: linnet.StreamUser}); open[of] == 0 {
			out <- prometheus.MustNewConstMetric(streamsOpen(), prometheus.GaugeValue, 0, transport, string(linnet.StreamUser))
		}
	}
	for of, n := range open {
		out <- prometheus.MustNewConstMetric(streamsOpen(), prometheus.GaugeValue, float64(n), of.Transport, string(of.Stream))
	}
}

const (
	lookupInterval = time.Minute
	lookupTimeout  = 2 * time.Second
)

// lastBackup returns the time of the last successful backup in Unix seconds, or 0 if there is none.
// If it cannot be read, the previous value stays.
func lastBackup(svc *app.App) func() float64 {
	return cachedFor(lookupInterval, func(ctx context.Context) (float64, error) {
		last, ok, err := svc.Store().Instance.LastBackup(ctx)
		if !ok {
			return 0, err
		}
		if last.Succeeded().IsZero() {
			return 0, err
		}
		return float64(last.Succeeded().UnixMilli()) / 1000, err
	})
}

// deadTasks returns the number of failed tasks. It reads every shard, so the number is cached. If
// it cannot be read, the previous value stays.
func deadTasks(svc *app.App) func() float64 {
	return cachedFor(lookupInterval, func(ctx context.Context) (float64, error) {
		n, err := svc.Moderation.Server.DeadTasks(ctx)
		return float64(n), err
	})
}

// cachedFor returns a function that calls look at most once in every interval and caches the result.
func cachedFor(every time.Duration, look func(context.Context) (float64, error)) func() float64 {
	var mu sync.Mutex
	var at time.Time
	var last float64
	return func() float64 {
		mu.Lock()
		defer mu.Unlock()
		if at.IsZero() || time.Since(at) >= every {
			ctx, cancel := context.WithTimeout(context.Background(), lookupTimeout)
			defer cancel()
			if n, err := look(ctx); err == nil {
				last = n
			}
			at = time.Now()
		}
		return last
	}
}
