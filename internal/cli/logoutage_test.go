package cli

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
)

// TestOutageLines expects a limited number of log lines per minute during an outage, and all lines
// about other errors.
func TestOutageLines(t *testing.T) {
	outages := []error{kv.ErrUnavailable, kv.ErrUnknown, kv.ErrFull, core.StoreError(fmt.Errorf("read: %w", kv.ErrUnavailable)), errors.Join(errors.New("x"), kv.ErrFull)}
	for _, c := range []struct {
		errs []error
		want int // lines in three minutes with 1,000 failures each
	}{
		{outages, 3 * outageLines},
		{[]error{errors.New("a bug")}, 3000},
		{[]error{nil}, 3000},
	} {
		var out bytes.Buffer
		now := time.Unix(0, 0)
		log := slog.New(newOutageHandler(slog.NewTextHandler(&out, nil), func() time.Time { return now }))
		for n := range 3000 {
			if n%1000 == 0 {
				now = now.Add(outageSpan)
			}
			with := log
			if n%2 == 0 {
				with = log.With("worker", n).WithGroup("g")
			}
			with.Error("request failed", "route", "GET /x", "err", c.errs[n%len(c.errs)])
		}
		if got := strings.Count(out.String(), "\n"); got != c.want {
			t.Errorf("%v: %d lines, want %d", c.errs, got, c.want)
		}
		if c.want < 3000 && strings.Count(out.String(), "suppressed=995") != 2 {
			t.Errorf("how many lines were left out is not said:\n%s", out.String())
		}
	}
	var out bytes.Buffer
	log := slog.New(newOutageHandler(slog.NewTextHandler(&out, nil), time.Now))
	for i := range 100 {
		log.Info("the store is away", "err", kv.ErrUnavailable)
		log.Warn(fmt.Sprint("message ", i), "err", kv.ErrUnavailable)
	}
	if got := strings.Count(out.String(), "\n"); got != 200 {
		t.Errorf("%d lines, want 200: each message is counted by itself", got)
	}
}
