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
	// tracesPath is the path for spans below a collector's URL.
	tracesPath = "/v1/traces"
	// requestTime is the timeout of a request.
	requestTime = 10 * time.Second
	// firstWait is the approximate delay before the second attempt. Each further delay is twice as
	// long.
	firstWait = time.Second
	// maxAnswer limits the part of a response that is read.
	maxAnswer = 64 << 10
)

// Exporter sends spans to one collector. It is safe for concurrent use.
type Exporter struct {
	url    string
	header http.Header
	client *http.Client
	wait   time.Duration // before the second attempt
}

// New returns an exporter for the collector at a URL, such as http://localhost:4318. The header can
// be nil and is sent with each request.
func New(collector string, header http.Header) *Exporter {
	u := strings.TrimSuffix(collector, "/")
	if !strings.HasSuffix(u, tracesPath) {
		u += tracesPath
	}
	return &Exporter{url: u, header: header, client: &http.Client{Timeout: requestTime}, wait: firstWait}
}

// ExportSpans implements trace.SpanExporter. If the collector is unavailable, it retries until ctx
// ends. Then the spans are dropped, and the error contains their number.
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

// deliver retries until the collector has accepted or rejected the spans, or ctx ends.
func (e *Exporter) deliver(ctx context.Context, body []byte) error {
	wait := e.wait
	for {
		again, after, err := e.try(ctx, body)
		if !again || ctx.Err() != nil {
			return err
		}
		// The random part separates servers that started together.
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

// try sends a request. It returns whether another attempt can succeed, and the delay that the
// collector asks for.
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
		return false, 0, nil // the spans were accepted, whatever the rest of the response is
	}
	return false, 0, rejected(answer)
}

// rejected returns an error if the collector has rejected some of the spans.
func rejected(answer []byte) error {
	var a struct {
		Partial struct {
			Rejected json.RawMessage `json:"rejectedSpans"` // a number or a numeric string
			Message  string          `json:"errorMessage"`
		} `json:"partialSuccess"`
	}
	if json.Unmarshal(answer, &a) != nil { // some collectors send an empty body or plain text
		return nil
	}
	n := strings.Trim(string(a.Partial.Rejected), `"`)
	if n == "" || n == "0" || n == "null" {
		return nil
	}
	return errors.New("the collector rejected " + n + " of the spans: " + a.Partial.Message)
}

// encode returns the compressed request for spans.
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
