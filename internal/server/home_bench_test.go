package server

import (
	"net/http"
	"testing"
	"time"
)

// nowhere discards a response.
type nowhere struct {
	header http.Header
	code   int
	bytes  int
}

func (n *nowhere) Header() http.Header              { return n.header }
func (n *nowhere) WriteHeader(code int)             { n.code = code }
func (n *nowhere) Write(b []byte) (int, error)      { n.bytes += len(b); return len(b), nil }
func (n *nowhere) SetReadDeadline(time.Time) error  { return nil }
func (n *nowhere) SetWriteDeadline(time.Time) error { return nil }

func (n *nowhere) reset() {
	clear(n.header)
	n.code, n.bytes = 0, 0
}

// BenchmarkHomeHandler measures home timelines of 20 posts without a connection: middleware, token,
// limits, feed, views and JSON.
func BenchmarkHomeHandler(b *testing.B) {
	rig := newHomeRig(b, "embedded")
	requests := make([]*http.Request, len(rig.tokens))
	w := &nowhere{header: http.Header{}}
	for i := range requests {
		requests[i] = rig.request(i)
		rig.handler.ServeHTTP(w, requests[i])
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		w.reset()
		if rig.handler.ServeHTTP(w, requests[i%len(requests)]); w.code != http.StatusOK || w.bytes < 10_000 {
			b.Fatal(w.code, w.bytes)
		}
	}
}
