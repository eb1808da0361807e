package server

import (
	"bufio"
	"context"
	"fmt"
	"html"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzhttp"

	"linnet/internal/web"
)

const (
	// requestTime is how long a request may take, its body included. Streams
	// are exempt and bound themselves.
	requestTime = 30 * time.Second
	// uploadTime is how long a request may take that brings pictures.
	uploadTime = 5 * time.Minute
	// archiveTime is how long one may take that brings an archive: 2 GB at 3 Mbit/s.
	archiveTime = 2 * time.Hour
	// answerGrace is how much longer the connection stays open, so that the
	// answer about a request that took too long still arrives.
	answerGrace = 5 * time.Second

	readHeaderTime = 10 * time.Second
	idleTime       = 2 * time.Minute
	maxHeader      = 64 << 10

	// gzipLevel makes a page of home an eighth longer than the usual 6 would. Even so the
	// compressing takes four times as long as the page itself; 3 takes half as long again,
	// for 2 % of the length.
	gzipLevel = 1
)

// front is what stands before the client interface and the pages.
type front struct {
	log     *slog.Logger
	proxies *proxies
	hsts    bool
	leaving *atomic.Bool               // the server is about to stop
	streams func(path string) bool     // paths that stay open
	uploads func(r *http.Request) bool // requests that bring pictures
	slow    time.Duration              // requests that take longer are logged; 0: none
}

// wrap puts the front before a handler.
func (f *front) wrap(next http.Handler) (http.Handler, error) {
	zip, err := gzhttp.NewWrapper(
		gzhttp.MinSize(1024),
		gzhttp.CompressionLevel(gzipLevel),
		gzhttp.ContentTypes([]string{"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml",
			"application/json", "application/javascript", "application/rss+xml", "application/atom+xml", "application/feed+json"}),
		// Pages hold form tokens beside text that others can choose; the length
		// of the compressed page must not tell about them (BREACH).
		gzhttp.RandomJitter(64, 0, false))
	if err != nil {
		return nil, fmt.Errorf("set up compression: %w", err)
	}
	zipped := zip(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := f.enter(w, r)
		defer f.leave(x, r)
		switch {
		case f.streams(r.URL.Path):
			openEnded(next, &x.witness, r)
		case len(r.Header["Accept-Encoding"]) == 0:
			w.Header().Set("Vary", "Accept-Encoding")
			x.within(next, r, f.timeOf(r))
		default:
			x.within(zipped, r, f.timeOf(r))
		}
	}), nil
}

// timeOf is how long a request may take.
func (f *front) timeOf(r *http.Request) time.Duration {
	if f.uploads != nil && f.uploads(r) {
		if web.TakesArchive(r.URL.Path) {
			return archiveTime
		}
		return uploadTime
	}
	return requestTime
}

// exchange is a request and its answer on their way.
type exchange struct {
	witness
	start time.Time
	id    string
	calls callLog
}

// enter gives a request an id and sets what every answer has.
func (f *front) enter(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{witness: witness{ResponseWriter: w}, start: time.Now()}
	x.id = strconv.FormatUint(rand.Uint64()|1<<63, 16) // no secret
	h := w.Header()
	h.Set("X-Request-Id", x.id)
	if f.leaving.Load() {
		h.Set("Connection", "close")
	}
	if f.hsts {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	f.proxies.judge(r)
	return x
}

// leave logs a request at level debug, and answers for handlers that panic. The
// query is not logged: it may hold a token.
func (f *front) leave(x *exchange, r *http.Request) {
	if v := recover(); v != nil {
		f.answerPanic(&x.witness, r, v)
	}
	if !f.streams(r.URL.Path) {
		f.tellSlow(x, r)
	}
	if !f.log.Enabled(r.Context(), slog.LevelDebug) {
		return
	}
	f.log.DebugContext(r.Context(), "request", "method", r.Method, "path", web.PathForLog(r), "code", x.code,
		"bytes", x.bytes, "ms", time.Since(x.start).Milliseconds(), "client", r.RemoteAddr, "request_id", x.id)
}

// within bounds the time of a request. The server itself has no write timeout,
// because that would end streams. The write deadline outlives the request, so
// that it holds for what is flushed last; whoever comes next on the connection
// sets another.
func (x *exchange) within(next http.Handler, r *http.Request, most time.Duration) {
	ctx, cancel := context.WithDeadline(r.Context(), x.start.Add(most))
	defer cancel()
	rc := http.NewResponseController(x.ResponseWriter)
	end := x.start.Add(most + answerGrace)
	// An error says that the connection knows no deadlines (a test's recorder);
	// the context bounds the work all the same.
	_ = rc.SetWriteDeadline(end)
	if r.ContentLength != 0 { // nothing else is read
		_ = rc.SetReadDeadline(end)
	}
	next.ServeHTTP(&x.witness, r.WithContext(x.calls.with(ctx)))
}

// openEnded serves a stream. One that begins lifts the read deadline; a request
// that is refused, or whose announced body never comes, must not keep its
// connection for ever while the server waits for the rest of the body.
func openEnded(next http.Handler, w *witness, r *http.Request) {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(requestTime + answerGrace))
	_ = rc.SetWriteDeadline(time.Time{}) // that of the request before
	next.ServeHTTP(w, r)
	if w.taken { // the connection is no longer ours
		return
	}
	_ = rc.SetReadDeadline(time.Now().Add(answerGrace))
	// The deadline of its last event may be over; the end of the stream must be
	// written all the same, or clients take it for a fault.
	_ = rc.SetWriteDeadline(time.Now().Add(answerGrace))
}

// answerPanic logs a panic once and answers 500, if no answer was begun.
func (f *front) answerPanic(w *witness, r *http.Request, v any) {
	if v == http.ErrAbortHandler {
		panic(v)
	}
	id := w.Header().Get("X-Request-Id")
	f.log.ErrorContext(r.Context(), "panic", "method", r.Method, "path", web.PathForLog(r), "value", v,
		"request_id", id, "stack", string(debug.Stack()))
	if w.code != 0 {
		panic(http.ErrAbortHandler) // the client must not take half an answer for a whole one
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'")
	w.WriteHeader(http.StatusInternalServerError)
	fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><title>Something went wrong</title><h1>Something went wrong</h1>
<p>The fault is the server's. Its operator finds it in the log under the request id %s.</p><p><a href="/">To the start page</a></p></html>
`, html.EscapeString(id))
}

// witness sees what is answered.
type witness struct {
	http.ResponseWriter
	code  int
	bytes int64
	taken bool // the handler has the connection
}

func (w *witness) WriteHeader(code int) {
	if w.code == 0 && (code >= 200 || code == http.StatusSwitchingProtocols) {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *witness) Write(b []byte) (int, error) {
	if w.code == 0 {
		w.code = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// ReadFrom keeps the fast path of files.
func (w *witness) ReadFrom(r io.Reader) (int64, error) {
	if w.code == 0 {
		w.code = http.StatusOK
	}
	n, err := io.Copy(w.ResponseWriter, r)
	w.bytes += n
	return n, err
}

// Hijack implements http.Hijacker.
func (w *witness) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	w.taken = err == nil
	return conn, buffers, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *witness) Unwrap() http.ResponseWriter { return w.ResponseWriter }
