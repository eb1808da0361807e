package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"sync"
)

// writeList appends a list of what write appends for each; an empty one is [].
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

func (w *buffer) text(s string) { w.b = append(w.b, s...) }

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
	write(e *Encoder, w *buffer)
}
