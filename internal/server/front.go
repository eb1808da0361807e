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

	"linnet/internal/web/paths"
)

const (
	// requestTimeout is the time limit of a request with its body. Streams have their own limits.
	requestTimeout = 30 * time.Second
	// uploadTimeout is the time limit of requests that upload files.
	uploadTimeout = 5 * time.Minute
	// archiveTimeout is the time limit of requests that upload an archive: 2 GB at 3 Mbit/s.
	archiveTimeout = 2 * time.Hour
	// responseGrace is how much longer the connection stays open, so that the response to a timed-out
	// request arrives.
	responseGrace = 5 * time.Second

	readHeaderTimeout = 10 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10

	// gzipLevel makes the home page 12 % longer than level 6. Still, compression takes four times
	// as long as the page. Level 3 takes 50 % longer and saves 2 %.
	gzipLevel = 1
	// zstdLevel makes the home page 5 % shorter than level 1 in the same time. Level 3 takes twice as
	// long and saves 4 %.
	zstdLevel = 2
	// minCompressed is the smallest response that is compressed. Drawn avatars have 700 bytes.
	minCompressed = 512
)

// front handles all requests before the API and the pages.
type front struct {
	log     *slog.Logger
	proxies *proxies
	hsts    bool
	leaving *atomic.Bool               // the server is stopping
	streams func(path string) bool     // reports whether a path is a stream
	uploads func(r *http.Request) bool // reports whether a request uploads files
	slow    time.Duration              // minimum duration of requests that are logged as slow; 0: none
}

// wrap returns a handler that calls next within the limits, with compression.
func (f *front) wrap(next http.Handler) (http.Handler, error) {
	zip, err := gzhttp.NewWrapper(
		gzhttp.MinSize(minCompressed),
		gzhttp.CompressionLevel(gzipLevel),
		gzhttp.ZstdCompressionLevel(zstdLevel),
		gzhttp.ContentTypes([]string{"text/html", "text/css", "text/javascript", "text/plain", "image/svg+xml",
			"application/json", "application/javascript", "application/rss+xml", "application/atom+xml", "application/feed+json"}),
		// Pages contain form tokens next to text that other users wrote. A random length prevents
		// guessing the tokens from the compressed size (BREACH).
		gzhttp.RandomJitter(64, 0, false))
	if err != nil {
		return nil, fmt.Errorf("set up compression: %w", err)
	}
	zipped := zip(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		x := f.begin(w, r)
		defer f.end(x, r)
		switch {
		case f.streams(r.URL.Path):
			serveStream(next, &x.responseRecorder, r)
		case len(r.Header["Accept-Encoding"]) == 0:
			w.Header().Set("Vary", "Accept-Encoding")
			x.serve(next, r, f.timeout(r))
		default:
			x.serve(zipped, r, f.timeout(r))
		}
	}), nil
}

// timeout returns the time limit of a request.
func (f *front) timeout(r *http.Request) time.Duration {
	if f.uploads != nil && f.uploads(r) {
		if paths.TakesArchive(r.URL.Path) {
			return archiveTimeout
		}
		return uploadTimeout
	}
	return requestTimeout
}

// exchange is a request in progress.
type exchange struct {
	responseRecorder
	start time.Time
	id    string
	calls callLog
}

// begin gives a request an id and sets the headers of every response.
func (f *front) begin(w http.ResponseWriter, r *http.Request) *exchange {
	x := &exchange{responseRecorder: responseRecorder{ResponseWriter: w}, start: time.Now()}
	x.id = strconv.FormatUint(rand.Uint64()|1<<63, 16) // need not be secret
	h := w.Header()
	h.Set("X-Request-Id", x.id)
	if f.leaving.Load() {
		h.Set("Connection", "close")
	}
	if f.hsts {
		h.Set("Strict-Transport-Security", "max-age=31536000")
	}
	f.proxies.setClient(r)
	return x
}

// end logs the request, and answers if the handler panicked. The log omits the query, because it
// can contain a token.
func (f *front) end(x *exchange, r *http.Request) {
	if v := recover(); v != nil {
		f.answerPanic(&x.responseRecorder, r, v)
	}
	if !f.streams(r.URL.Path) {
		f.logSlow(x, r)
	}
	if !f.log.Enabled(r.Context(), slog.LevelDebug) {
		return
	}
	f.log.DebugContext(r.Context(), "handled request", "method", r.Method, "path", paths.ForLog(r), "code", x.code,
		"bytes", x.bytes, "ms", time.Since(x.start).Milliseconds(), "client", r.RemoteAddr, "request_id", x.id)
}

// serve calls next with a time limit. The server has no write timeout, because it would end
// streams. The write deadline stays set after the request, until the next request on the connection
// replaces it.
func (x *exchange) serve(next http.Handler, r *http.Request, most time.Duration) {
	ctx, cancel := context.WithDeadline(r.Context(), x.start.Add(most))
	defer cancel()
	rc := http.NewResponseController(x.ResponseWriter)
	end := x.start.Add(most + responseGrace)
	// It fails if the connection does not support deadlines, as in tests. The context still limits
	// the request.
	_ = rc.SetWriteDeadline(end)
	if r.ContentLength != 0 { // otherwise nothing is read
		_ = rc.SetReadDeadline(end)
	}
	next.ServeHTTP(&x.responseRecorder, r.WithContext(x.calls.with(ctx)))
}

// serveStream serves a stream. A stream that starts removes the read deadline. Without the deadline a
// request that is refused, or whose body never arrives, could keep its connection forever.
func serveStream(next http.Handler, w *responseRecorder, r *http.Request) {
	rc := http.NewResponseController(w)
	_ = rc.SetReadDeadline(time.Now().Add(requestTimeout + responseGrace))
	_ = rc.SetWriteDeadline(time.Time{}) // the deadline of the previous request
	next.ServeHTTP(w, r)
	if w.hijacked { // a handler took over the connection
		return
	}
	_ = rc.SetReadDeadline(time.Now().Add(responseGrace))
	// The deadline of the last event may have passed. The end of the stream must still be written,
	// or clients see an error.
	_ = rc.SetWriteDeadline(time.Now().Add(responseGrace))
}

// answerPanic logs a panic and sends a response, if none has begun.
func (f *front) answerPanic(w *responseRecorder, r *http.Request, v any) {
	if v == http.ErrAbortHandler {
		panic(v)
	}
	id := w.Header().Get("X-Request-Id")
	f.log.ErrorContext(r.Context(), "request handler panicked", "method", r.Method, "path", paths.ForLog(r), "value", v,
		"request_id", id, "stack", string(debug.Stack()))
	if w.code != 0 {
		panic(http.ErrAbortHandler) // the client must not mistake a partial response for a complete one
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", "default-src 'none'")
	w.WriteHeader(http.StatusInternalServerError)
	fmt.Fprintf(w, `<!DOCTYPE html><html lang="en"><title>Something went wrong</title><h1>Something went wrong</h1>
<p>The server had an error. Its operator can find it in the log with the request ID %s.</p><p><a href="/">Go to the home page</a></p></html>
`, html.EscapeString(id))
}

// responseRecorder records the status code and the length of a response.
type responseRecorder struct {
	http.ResponseWriter
	code     int
	bytes    int64
	hijacked bool // the handler took over the connection
}

func (w *responseRecorder) WriteHeader(code int) {
	if w.code == 0 && (code >= 200 || code == http.StatusSwitchingProtocols) {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *responseRecorder) Write(b []byte) (int, error) {
	if w.code == 0 {
		w.code = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(b)
	w.bytes += int64(n)
	return n, err
}

// ReadFrom implements io.ReaderFrom. It keeps the fast path for files.
func (w *responseRecorder) ReadFrom(r io.Reader) (int64, error) {
	if w.code == 0 {
		w.code = http.StatusOK
	}
	n, err := io.Copy(w.ResponseWriter, r)
	w.bytes += n
	return n, err
}

// Hijack implements http.Hijacker.
func (w *responseRecorder) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	w.hijacked = err == nil
	return conn, buffers, err
}

// Unwrap lets http.ResponseController find the connection.
func (w *responseRecorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
