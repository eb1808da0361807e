package rediskv

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/redistest"
)

// TestToldUnasked checks that the loss of the store is noticed without a call. A flushed server
// reports the flush and is checked at once, without a heartbeat. A server that returns empty or
// with another mark is noticed by the next heartbeat.
func TestToldUnasked(t *testing.T) {
	for name, tc := range map[string]struct {
		lose func(*redistest.Server)
		beat time.Duration
	}{
		"FLUSHALL":         {func(s *redistest.Server) { s.Do("FLUSHALL") }, time.Hour},
		"empty restart":    {func(s *redistest.Server) { s.Restart() }, trackBeat},
		"replaced by hand": {func(s *redistest.Server) { s.Do("SET", "mark:{0}", "another") }, trackBeat},
	} {
		t.Run(name, func(t *testing.T) {
			s := redistest.Start(t)
			told := make(chan struct{})
			log := slog.New(slog.NewTextHandler(teller{told}, nil))
			e, err := Open(context.Background(), s.URL(), Options{Guard: true, Logger: log, Timeout: time.Minute, DialTimeout: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			defer e.Close()
			e.beat = tc.beat
			if err := e.Track(t.Context(), []string{"v"}, func([]kv.Key, bool) {}); err != nil {
				t.Fatal(err)
			}
			tc.lose(s)
			select {
			case <-told:
			case <-time.After(time.Minute):
				t.Fatal("nobody is told")
			}
			if err := e.guard.refuse(); !errors.Is(err, ErrStrange) {
				t.Errorf("told, and yet served: %v", err)
			}
		})
	}
}

// teller is a log that closes told at the line that says that nothing is served.
type teller struct{ told chan struct{} }

// Write implements io.Writer.
func (w teller) Write(b []byte) (int, error) {
	if strings.Contains(string(b), "stopped using the store") {
		close(w.told)
	}
	return len(b), nil
}
