package cli

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"linnet/internal/config"
	"linnet/internal/kv"
)

// newLogger returns the logger of the process.
func newLogger(c *config.Config, w io.Writer) *slog.Logger {
	opts := &slog.HandlerOptions{Level: c.LogLevel}
	if c.LogJSON {
		return slog.New(newOutageHandler(slog.NewJSONHandler(w, opts), time.Now))
	}
	return slog.New(newOutageHandler(slog.NewTextHandler(w, opts), time.Now))
}

const (
	// outageLines limits the log lines with the same message in each outageSpan during an outage of
	// the store.
	outageLines = 5
	outageSpan  = time.Minute
)

// outageHandler limits log lines about a store that does not respond or is full, because every
// request and task fails during an outage. It passes other lines on.
type outageHandler struct {
	slog.Handler
	state *outageState
}

// outageState is shared by a handler and its derived handlers.
type outageState struct {
	now func() time.Time

	mu   sync.Mutex
	seen map[string]*outageCount // by message
}

// outageCount counts lines in a span.
type outageCount struct {
	since   time.Time
	lines   int
	skipped int
}

func newOutageHandler(h slog.Handler, now func() time.Time) *outageHandler {
	return &outageHandler{h, &outageState{now: now, seen: map[string]*outageCount{}}}
}

// Handle implements slog.Handler.
func (h *outageHandler) Handle(ctx context.Context, r slog.Record) error {
	if r.Level < slog.LevelWarn || !isOutage(r) {
		return h.Handler.Handle(ctx, r)
	}
	skipped, ok := h.state.take(r.Message)
	if !ok {
		return nil
	}
	if skipped > 0 {
		r = r.Clone()
		r.AddAttrs(slog.Int("suppressed", skipped))
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (h *outageHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &outageHandler{h.Handler.WithAttrs(attrs), h.state}
}

// WithGroup implements slog.Handler.
func (h *outageHandler) WithGroup(name string) slog.Handler {
	return &outageHandler{h.Handler.WithGroup(name), h.state}
}

// take reports whether to log a line, and how many lines were suppressed before it.
func (s *outageState) take(message string) (skipped int, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, c := s.now(), s.seen[message]
	if c == nil || now.Sub(c.since) >= outageSpan {
		if c != nil {
			skipped = c.skipped
		}
		s.seen[message] = &outageCount{since: now, lines: 1}
		return skipped, true
	}
	if c.lines++; c.lines <= outageLines {
		return 0, true
	}
	c.skipped++
	return 0, false
}

// isOutage reports whether a line contains an error that an outage explains.
func isOutage(r slog.Record) (found bool) {
	r.Attrs(func(a slog.Attr) bool {
		err, ok := a.Value.Any().(error)
		found = ok && (errors.Is(err, kv.ErrUnavailable) || errors.Is(err, kv.ErrUnknown) || errors.Is(err, kv.ErrFull))
		return !found
	})
	return found
}

// warnings returns a logger that drops lines below the level warn.
func warnings(log *slog.Logger) *slog.Logger {
	return slog.New(levelHandler{log.Handler(), slog.LevelWarn})
}

// levelHandler raises the level of a handler.
type levelHandler struct {
	slog.Handler
	min slog.Level
}

func (l levelHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= l.min && l.Handler.Enabled(ctx, level)
}

func (l levelHandler) WithAttrs(as []slog.Attr) slog.Handler {
	return levelHandler{l.Handler.WithAttrs(as), l.min}
}

func (l levelHandler) WithGroup(name string) slog.Handler {
	return levelHandler{l.Handler.WithGroup(name), l.min}
}
