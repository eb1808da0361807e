package config

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// otlpOptions returns the options for traces.
func otlpOptions() []Option {
	return []Option{
		{Name: "otlp.endpoint", Arg: "URL", Help: "OpenTelemetry collector for traces", Details: "Example: http://localhost:4318. If no collector is set, no traces are sent.",
			set: func(c *Config, s string) (err error) { c.OTLP.Endpoint, err = parseCollector(s); return }},
		{Name: "otlp.headers", Arg: "NAME=VALUE,...", Secret: true, Help: "HTTP headers to send to the collector", Details: "Example: Authorization=Bearer TOKEN.",
			set: func(c *Config, s string) (err error) { c.OTLP.Headers, err = parseHeaders(s); return }},
		{Name: "otlp.share", Default: "1", Arg: "NUMBER", Help: "Share of traces to send, from 0 to 1",
			set: func(c *Config, s string) (err error) { c.OTLP.Share, err = parseShare(s); return }},
	}
}

// Tracing configures the export of traces.
type Tracing struct {
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
		return "", errors.New("must be a URL such as http://localhost:4318 (an API key belongs in otlp.headers)")
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
			return nil, errors.New("must be headers such as Authorization=Bearer TOKEN, separated by commas")
		}
		h.Set(name, value)
	}
	return h, nil
}

func parseShare(s string) (float64, error) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || !(f >= 0 && f <= 1) {
		return 0, errors.New("must be a number from 0 to 1, such as 0.1 for a tenth")
	}
	return f, nil
}
