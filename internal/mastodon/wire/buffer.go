package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sync"
)

// writeList appends a list. write appends an element.
func writeList[T any](w *buffer, views []T, write func(*T)) {
	w.text("[")
	for i := range views {
		if i > 0 {
			w.text(",")
		}
		write(&views[i])
	}
	w.text("]")
}

// maxPooledBuffer is the limit in bytes of a buffer that is reused. A page of 40 statuses has
// about 100 KB.
const maxPooledBuffer = 512 << 10

// buffer is the target of a JSON encoder. err is the first error.
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

// value appends v as JSON without a line break.
func (w *buffer) value(v any) {
	if err := w.enc.Encode(v); err != nil {
		w.err = cmp.Or(w.err, fmt.Errorf("encode %T: %w", v, err))
		return
	}
	w.b = w.b[:len(w.b)-1]
}

// contents appends v as JSON without its delimiters: the braces of a non-empty object, or the
// quotes of a string.
func (w *buffer) contents(v any) {
	start := len(w.b)
	if w.value(v); w.err == nil {
		w.b = append(w.b[:start], w.b[start+1:len(w.b)-1]...)
	}
}

func (w *buffer) text(s string) { w.b = append(w.b, s...) }

func (w *buffer) bytes(p []byte) { w.b = append(w.b, p...) }

// buffers contains buffers for reuse.
var buffers = sync.Pool{New: func() any {
	w := &buffer{}
	w.enc = json.NewEncoder(w)
	// Responses have nosniff, so < and > need no escapes, which would make statuses 10 % longer.
	w.enc.SetEscapeHTML(false)
	return w
}}

// borrow returns an empty buffer. The caller calls release.
func borrow() *buffer {
	w := buffers.Get().(*buffer)
	w.b, w.err = w.b[:0], nil
	return w
}

func (w *buffer) release() {
	if cap(w.b) <= maxPooledBuffer {
		buffers.Put(w)
	}
}

// document is a response that writes itself, with the same bytes as encoding/json. Long and
// frequent responses consist mostly of cached JSON.
type document interface {
	write(e *Encoder, w *buffer)
}
