package server

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// deadlined records its read deadlines.
type deadlined struct {
	*httptest.ResponseRecorder
	read []time.Time
}

func (d *deadlined) SetReadDeadline(t time.Time) error { d.read = append(d.read, t); return nil }

func (*deadlined) SetWriteDeadline(time.Time) error { return nil }

// TestRefusedStreamsHaveDeadlines expects a read deadline before and after a request for a stream
// that is refused. Otherwise the server would wait for its body forever.
func TestRefusedStreamsHaveDeadlines(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	f := &front{log: log, proxies: &proxies{log: log}, leaving: new(atomic.Bool), streams: isStream}
	for _, path := range []string{"/api/v1/streaming/user", "/api/v1/streaming-no-more", "/login"} {
		w := &deadlined{ResponseRecorder: httptest.NewRecorder()}
		h, err := f.wrap(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
			if len(w.read) != 1 || w.read[0].After(time.Now().Add(time.Minute)) || w.read[0].IsZero() {
				t.Errorf("%s is handled with the read deadlines %v", path, w.read)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		h.ServeHTTP(w, httptest.NewRequest("POST", path, strings.NewReader("x")))
		if last := w.read[len(w.read)-1]; last.IsZero() || last.After(time.Now().Add(time.Minute)) {
			t.Errorf("%s leaves the read deadline %v", path, last)
		}
	}
}
