package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/kv/watchkv"
)

// TestSlowRequests expects a log line with the store calls for slow requests, and none for streams.
func TestSlowRequests(t *testing.T) {
	e := watchkv.New(memkv.New(memkv.Options{}), recordCall)
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		get := &kv.Get{Key: kv.Key{Kind: "user", ID: "1"}}
		for range 40 {
			if err := e.Read(r.Context(), get, get); err != nil {
				t.Error(err)
			}
		}
		e.Read(context.WithoutCancel(r.Context()), get) // work after the request counts too
		io.WriteString(w, "ok")
	})
	for _, c := range []struct {
		name, path string
		slow       time.Duration
		told       bool
	}{
		{"slow", "/home?token=secret", time.Nanosecond, true},
		{"quick", "/home", time.Hour, false},
		{"not wanted", "/home", 0, false},
		{"a stream", "/api/v1/streaming/user", time.Nanosecond, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log bytes.Buffer
			l := slog.New(slog.NewTextHandler(&log, nil))
			f := &front{log: l, proxies: &proxies{log: l}, leaving: new(atomic.Bool), streams: isStream, slow: c.slow}
			h, err := f.wrap(handler)
			if err != nil {
				t.Fatal(err)
			}
			h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, c.path, nil))
			text := log.String()
			if told := strings.Contains(text, "slow request"); told != c.told {
				t.Fatalf("the log has %q", text)
			}
			if !c.told {
				return
			}
			for _, want := range []string{"path=/home ", "code=200", "read of 2 in ", ", and 9 more", "request_id="} {
				if !strings.Contains(text, want) {
					t.Errorf("the log lacks %q: %s", want, text)
				}
			}
			if strings.Contains(text, "secret") {
				t.Errorf("the log has what a query holds: %s", text)
			}
		})
	}
}

// TestCallsOfNobody expects that calls without a request are ignored, and that failed calls name
// the error.
func TestCallsOfNobody(t *testing.T) {
	recordCall(t.Context(), watchkv.Call{Op: "read"})
	l := &callLog{}
	recordCall(l.with(t.Context()), watchkv.Call{Op: "txn", Size: 3, Took: 12 * time.Millisecond, Err: errors.Join(kv.ErrFull)})
	if got := l.String(); got != "txn of 3 in 12ms (full)" {
		t.Errorf("%q", got)
	}
}
