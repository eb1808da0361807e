package server

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"linnet/internal/kv/watchkv"
	"linnet/internal/web/paths"
)

// maxNotedCalls is the number of store calls that a request records in detail. The other calls are
// counted.
const maxNotedCalls = 32

// callLog records the store calls of a request, so that the log of a slow request explains its
// duration. Calls can be concurrent.
type callLog struct {
	mu     sync.Mutex
	n      int
	total  time.Duration // total of all calls
	buffer [2]watchkv.Call
	noted  []watchkv.Call // starts in buffer, which is enough for most requests
}

type callLogKey struct{}

// with returns a context that contains the log.
func (l *callLog) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, callLogKey{}, l)
}

// recordCall records a call of the engine in the log of its request, if there is one.
func recordCall(ctx context.Context, c watchkv.Call) {
	l, _ := ctx.Value(callLogKey{}).(*callLog)
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	l.total += c.Took
	if l.noted == nil {
		l.noted = l.buffer[:0]
	}
	if len(l.noted) < maxNotedCalls {
		l.noted = append(l.noted, c)
	}
}

// String returns the calls in the order of their ends, with operation, number of queries or
// changes, and duration.
func (l *callLog) String() string {
	var out strings.Builder
	for i, c := range l.noted {
		if i > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(&out, "%s of %d in %s", c.Op, c.Size, c.Took.Round(10*time.Microsecond))
		if c.Err != nil {
			out.WriteString(" (" + errorKind(c.Err) + ")")
		}
	}
	if left := l.n - len(l.noted); left > 0 {
		fmt.Fprintf(&out, ", and %d more", left)
	}
	return out.String()
}

// logSlow logs a request that took longer than slow-request.
func (f *front) logSlow(x *exchange, r *http.Request) {
	took := time.Since(x.start)
	if f.slow == 0 || took < f.slow {
		return
	}
	x.calls.mu.Lock() // work that the request left behind may still call the store
	defer x.calls.mu.Unlock()
	f.log.LogAttrs(r.Context(), slog.LevelWarn, "slow request", slog.String("method", r.Method), slog.String("path", paths.ForLog(r)),
		slog.Int("code", x.code), slog.Int64("ms", took.Milliseconds()), slog.Int64("store_ms", x.calls.total.Milliseconds()),
		slog.String("calls", x.calls.String()), slog.String("request_id", x.id))
}
