package mastodon

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// maxPooledBuffer is the largest buffer, in bytes, that is kept for reuse: a
// page of 40 statuses is about 100 KB.
const maxPooledBuffer = 512 << 10

// buffer collects an answer, with an encoder that writes to it. The first fault
// of the encoder stays in err.
type buffer struct {
	b   []byte
	enc *json.Encoder
	err error
}

// Write implements io.Writer for the encoder.
func (w *buffer) Write(p []byte) (int, error) {
	w.b = append(w.b, p...)
	return len(p), nil
}

// value appends v as JSON, without the line break that encoding/json puts behind.
func (w *buffer) value(v any) {
	if err := w.enc.Encode(v); err != nil {
		w.err = cmp.Or(w.err, fmt.Errorf("encode %T: %w", v, err))
		return
	}
	w.b = w.b[:len(w.b)-1]
}

// members appends the members of an object that has some, without its braces.
func (w *buffer) members(v any) {
	start := len(w.b)
	if w.value(v); w.err == nil {
		w.b = append(w.b[:start], w.b[start+1:len(w.b)-1]...)
	}
}

func (w *buffer) text(s string)  { w.b = append(w.b, s...) }
func (w *buffer) bytes(p []byte) { w.b = append(w.b, p...) }

// buffers keeps memory for reuse; losing it changes nothing.
var buffers = sync.Pool{New: func() any {
	w := &buffer{}
	w.enc = json.NewEncoder(w)
	// The answers are served as JSON with nosniff, so < and > need no escapes,
	// which would make each status a tenth longer.
	w.enc.SetEscapeHTML(false)
	return w
}}

// borrow returns an empty buffer, giveBack gives it to others.
func borrow() *buffer {
	w := buffers.Get().(*buffer)
	w.b, w.err = w.b[:0], nil
	return w
}

func (w *buffer) giveBack() {
	if cap(w.b) <= maxPooledBuffer {
		buffers.Put(w)
	}
}

// document is an answer that writes itself, byte by byte as encoding/json would:
// for answers that are long and asked for often, most of which is kept as text.
type document interface {
	write(a *API, w *buffer)
}

// encoded calls use with v as JSON. The bytes are valid only during the call.
func (a *API) encoded(v any, use func([]byte)) error {
	w := borrow()
	defer w.giveBack()
	if d, ok := v.(document); ok {
		d.write(a, w)
	} else {
		w.value(v)
	}
	if w.err == nil {
		use(w.b)
	}
	return w.err
}

// writeJSON sends v. Nothing has been written when encoding fails, so that even
// then the answer is whole.
func (a *API) writeJSON(w http.ResponseWriter, r *http.Request, code int, v any) {
	h := w.Header()
	if h.Get("Content-Type") == "" {
		h.Set("Content-Type", "application/json; charset=utf-8")
	}
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "private, no-store")
	}
	err := a.encoded(v, func(body []byte) { writeBody(w, code, body) })
	if err != nil {
		a.log.ErrorContext(r.Context(), "encode answer", "method", r.Method, "route", r.Pattern, "err", err)
		writeBody(w, http.StatusInternalServerError, []byte(`{"error":"Something went wrong on this server"}`))
	}
}

func writeBody(w http.ResponseWriter, code int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(code)
	_, _ = w.Write(body) // the client may have gone; there is nobody to tell
}

// empty is the answer of acts that have nothing to tell: {}.
type empty struct{}

// none is the element of lists that are always empty here, such as emojis.
type none struct{}

// timestamp is a moment as Mastodon writes it: UTC with milliseconds.
func timestamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// nullable is s, or null if there is none.
func nullable(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// newRequestID returns what an answer and its lines in the log share. It is not
// a secret.
func newRequestID() string { return strconv.FormatUint(rand.Uint64()|1<<63, 16) }
