// Package otlp sends OpenTelemetry spans to a collector, as OTLP/HTTP in JSON
// (https://opentelemetry.io/docs/specs/otlp/). It knows the format of spans and when to retry. It
// does not know the subject of spans.
package otlp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
	"go.opentelemetry.io/otel/sdk/trace"
)

const (
	// tracesPath is where a collector takes spans, below its address.
	tracesPath = "/v1/traces"
	// requestTime is how long one request may take.
	requestTime = 10 * time.Second
	// firstWait is about how long is waited before the second try; each further one waits twice
	// as long.
	firstWait = time.Second
	// maxAnswer is how much of an answer is read.
	maxAnswer = 64 << 10
)

// Exporter sends spans to one collector. It is safe for concurrent use.
type Exporter struct {
	url    string
	header http.Header
	client *http.Client
	wait   time.Duration // before the second try
}

// New makes an exporter for the collector at a URL, such as http://localhost:4318. The header,
// which may be nil, goes with each request.
func New(collector string, header http.Header) *Exporter {
	u := strings.TrimSuffix(collector, "/")
	if !strings.HasSuffix(u, tracesPath) {
		u += tracesPath
	}
	return &Exporter{url: u, header: header, client: &http.Client{Timeout: requestTime}, wait: firstWait}
}

// ExportSpans implements trace.SpanExporter. A collector that is away or busy is asked again until
// ctx ends; the spans are lost then, and the error says how many.
func (e *Exporter) ExportSpans(ctx context.Context, spans []trace.ReadOnlySpan) error {
	if len(spans) == 0 {
		return nil
	}
	body, err := encode(spans)
	if err == nil {
		err = e.deliver(ctx, body)
	}
	if err != nil {
		return fmt.Errorf("send %d spans to %s: %w", len(spans), e.url, err)
	}
	return nil
}

// Shutdown implements trace.SpanExporter.
func (e *Exporter) Shutdown(context.Context) error {
	e.client.CloseIdleConnections()
	return nil
}

// deliver tries until the collector has taken the spans, refuses them for good, or ctx ends.
func (e *Exporter) deliver(ctx context.Context, body []byte) error {
	wait := e.wait
	for {
		again, after, err := e.try(ctx, body)
		if !again || ctx.Err() != nil {
			return err
		}
		// Servers that began together must not ask together.
		pause := max(after, wait/2+rand.N(wait))
		if end, ok := ctx.Deadline(); ok && time.Until(end) < pause {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
		wait *= 2
	}
}

// try sends a request and tells whether another may succeed, and how long the collector wants to
// be left alone before.
func (e *Exporter) try(ctx context.Context, body []byte) (again bool, after time.Duration, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, e.url, bytes.NewReader(body))
	if err != nil {
		return false, 0, err
	}
	for name, values := range e.header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Content-Encoding", "gzip")
	resp, err := e.client.Do(req)
	if err != nil {
		return true, 0, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch code := resp.StatusCode; {
	case code == http.StatusTooManyRequests || code == http.StatusBadGateway || code == http.StatusServiceUnavailable || code == http.StatusGatewayTimeout:
		seconds, _ := strconv.Atoi(resp.Header.Get("Retry-After"))
		return true, time.Duration(seconds) * time.Second, fmt.Errorf("the collector returned %s", resp.Status)
	case code < 200 || code > 299:
		return false, 0, fmt.Errorf("the collector returned %s: %.200s", resp.Status, answer)
	case err != nil:
		return false, 0, nil // it has taken them, whatever it wanted to add
	}
	return false, 0, rejected(answer)
}

// rejected is what a collector has left out of what it took.
func rejected(answer []byte) error {
	var a struct {
		Partial struct {
			Rejected json.RawMessage `json:"rejectedSpans"` // a number, or one as a string
			Message  string          `json:"errorMessage"`
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(answer, &a) != nil { // some answer with nothing, or with a word
		return nil
	}
	n := strings.Trim(string(a.Partial.Rejected), `"`)
	if n == "" || n == "0" || n == "null" {
		return nil
	}
	return errors.New("the collector rejected " + n + " of them: " + a.Partial.Message)
}

// encode writes spans as a compressed request.
func encode(spans []trace.ReadOnlySpan) ([]byte, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if err := json.NewEncoder(z).Encode(message(spans)); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
