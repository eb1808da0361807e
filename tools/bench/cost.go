package bench

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Cost is the cost of requests in a process.
type Cost struct {
	Name     string  `json:"name"`
	Requests uint64  `json:"requests"`
	Seconds  float64 `json:"cpu_seconds"`
	// Calls of the storage engine. With Redis each one is a round trip.
	StoreCalls uint64 `json:"store_calls,omitempty"`
}

// PerRequest returns the processor time per request.
func (c Cost) PerRequest() time.Duration {
	if c.Requests == 0 {
		return 0
	}
	return time.Duration(c.Seconds / float64(c.Requests) * float64(time.Second))
}

// gauge contains the usage of a process since its start.
type gauge struct {
	cpu   float64
	calls uint64
}

// The metrics that are read. Linnet has both, and all Go programs with the Prometheus client have
// the first one.
const (
	metricCPU   = "process_cpu_seconds_total"
	metricCalls = "linnet_store_command_duration_seconds_count"
)

// readGauge reads a page of metrics in the Prometheus text format.
// https://prometheus.io/docs/instrumenting/exposition_formats/
func readGauge(ctx context.Context, address string) (g gauge, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return g, fmt.Errorf("parse the address of the metrics %q: %w", address, err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return g, fmt.Errorf("read the server's metrics: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return g, fmt.Errorf("read the server's metrics at %s: %s", address, resp.Status)
	}
	found := false
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		name, value, _ := strings.Cut(lines.Text(), " ")
		name, _, _ = strings.Cut(name, "{")
		n, err := strconv.ParseFloat(value[strings.LastIndexByte(value, ' ')+1:], 64)
		switch {
		case err != nil:
		case name == metricCPU:
			g.cpu, found = n, true
		case name == metricCalls:
			g.calls += uint64(n)
		}
	}
	if !found {
		return g, fmt.Errorf("%s does not contain the metric %s", address, metricCPU)
	}
	return g, nil
}

// meter reads the usage of the server at the start and the end of the measurement.
type meter struct {
	address string // "" for none
	from    gauge
	err     error
	begun   chan struct{}
}

// meterFrom returns a meter that starts at from.
func meterFrom(ctx context.Context, address string, from time.Time) *meter {
	m := &meter{address: address, begun: make(chan struct{})}
	if address == "" {
		return m
	}
	go func() {
		defer close(m.begun)
		pauseUntil(ctx, from)
		m.from, m.err = readGauge(ctx, address)
	}()
	return m
}

// cost returns the cost of n requests since the start, or nil without metrics.
func (m *meter) cost(ctx context.Context, name string, n uint64) (*Cost, error) {
	if m.address == "" {
		return nil, nil
	}
	<-m.begun
	if m.err != nil {
		return nil, m.err
	}
	to, err := readGauge(ctx, m.address)
	if err != nil {
		return nil, err
	}
	return &Cost{Name: name, Requests: n, Seconds: to.cpu - m.from.cpu, StoreCalls: to.calls - m.from.calls}, nil
}
