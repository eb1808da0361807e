package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"linnet/internal/config"
	"linnet/internal/kv/diskkv"
	"linnet/internal/kv/rediskv"
	"linnet/internal/record"
	"linnet/internal/version"
)

const (
	// openGrace is how long connections wait while the store opens. Later requests are answered
	// with 503.
	openGrace = 2 * time.Second
	// openRetry is the pause between attempts to open the store.
	openRetry = time.Second
	// openLogInterval is the pause between log lines about a store that cannot be opened.
	openLogInterval = time.Minute
)

// opening serves requests while the store opens.
type opening struct {
	cfg    *config.Config
	reason atomic.Pointer[string] // why the store cannot be opened now; nil: unknown
}

// ServeHTTP answers /livez with 200 and all other requests with 503.
func (o *opening) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/livez" {
		new(health).live(w, r)
		return
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Retry-After", "5")
	if r.URL.Path != "/readyz" {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		w.WriteHeader(http.StatusServiceUnavailable)
		io.WriteString(w, "The server is starting. Try again in a few seconds.\n")
		return
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusServiceUnavailable)
	json.NewEncoder(w).Encode(readiness{Reason: o.message(), Version: version.Version, Store: o.cfg.StoreName(), Schema: record.Format})
}

// message returns the reason why the server is not ready.
func (o *opening) message() string {
	if reason := o.reason.Load(); reason != nil {
		return *reason
	}
	if o.cfg.Embedded() {
		if free, _, err := diskkv.Free(o.cfg.Data); err == nil && free < diskkv.LeastFree {
			return diskIsFull
		}
	}
	return "the store is opening"
}

const (
	diskIsFull   = "the disk is full: free some space to open the store"
	redisLoading = "Redis is loading its data: the server starts afterwards"
)

// waitReason returns the reason if the server should wait after err and retry. Otherwise it returns
// "".
func waitReason(err error) string {
	switch {
	case errors.Is(err, diskkv.ErrNoRoom):
		return diskIsFull
	case errors.Is(err, rediskv.ErrLoading):
		return redisLoading
	}
	return ""
}

// openBackend opens the store. It retries while the error can disappear without a change of the
// configuration. It returns nil without an error if ctx ends.
func (s *server) openBackend(ctx context.Context) (*Backend, error) {
	slow := time.AfterFunc(openGrace, s.serveSites)
	defer slow.Stop()
	for told := (time.Time{}); ; {
		b, err := s.opt.Open(ctx, s.public, s.metrics)
		reason := waitReason(err)
		if reason == "" {
			return b, err
		}
		s.opening.reason.Store(&reason)
		s.serveSites()
		if time.Since(told) >= openLogInterval {
			told = time.Now()
			s.log.Warn("the server cannot start yet; retrying every second", "reason", reason, "err", err.Error())
			s.notify("EXTEND_TIMEOUT_USEC=180000000") // three minutes, longer than the pause between log lines
		}
		select {
		case <-ctx.Done():
			return nil, nil
		case <-time.After(openRetry):
		}
	}
}
