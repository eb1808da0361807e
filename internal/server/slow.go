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
	"linnet/internal/web"
)

// notedCalls is how many calls of the store a request notes one by one; further ones it
// counts.
const notedCalls = 32

// callLog is what a request has asked of the store, so that a slow one tells where its
// time went. Calls may come side by side.
type callLog struct {
	mu    sync.Mutex
	n     int
	took  time.Duration // of all calls together
	few   [2]watchkv.Call
	noted []watchkv.Call // begins in few, which is enough for most requests
}

type callLogKey struct{}

// with lets a context carry the log.
func (l *callLog) with(ctx context.Context) context.Context {
	return context.WithValue(ctx, callLogKey{}, l)
}

// noteCall takes a call of the engine for the request that made it, if one did.
func noteCall(ctx context.Context, c watchkv.Call) {
	l, _ := ctx.Value(callLogKey{}).(*callLog)
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	l.took += c.Took
	if l.noted == nil {
		l.noted = l.few[:0]
	}
	if len(l.noted) < notedCalls {
		l.noted = append(l.noted, c)
	}
}

// String names the calls in the order in which they ended: what was called, with how many
// queries or changes, and how long it took.
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

// tellSlow logs a request that took longer than the operator wants to hear of.
func (f *front) tellSlow(x *exchange, r *http.Request) {
	took := time.Since(x.start)
	if f.slow == 0 || took < f.slow {
		return
	}
	x.calls.mu.Lock() // what the request has left behind may still be asking
	defer x.calls.mu.Unlock()
	f.log.LogAttrs(r.Context(), slog.LevelWarn, "slow request", slog.String("method", r.Method), slog.String("path", web.PathForLog(r)),
		slog.Int("code", x.code), slog.Int64("ms", took.Milliseconds()), slog.Int64("store_ms", x.calls.took.Milliseconds()),
		slog.String("calls", x.calls.String()), slog.String("request_id", x.id))
}
