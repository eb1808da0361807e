package server

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/version"
	"linnet/internal/wording"
)

// newFront serves h behind a front over a real connection.
func newFront(t *testing.T, log io.Writer, leaving *atomic.Bool, h http.HandlerFunc) *httptest.Server {
	t.Helper()
	l := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	f := &front{log: l, proxies: &proxies{log: l}, leaving: leaving, streams: isStream}
	wrapped, err := f.wrap(h)
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(wrapped)
	t.Cleanup(srv.Close)
	return srv
}

func TestPanicIsAnswered(t *testing.T) {
	var log strings.Builder
	srv := newFront(t, &log, new(atomic.Bool), func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/late" {
			io.WriteString(w, strings.Repeat("half an answer ", 1000))
		}
		panic("oh no")
	})
	resp, err := http.Post(srv.URL+"/early?token=secret", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	id := resp.Header.Get("X-Request-Id")
	if resp.StatusCode != 500 || id == "" || !strings.Contains(string(body), id) || strings.Contains(string(body), "oh no") {
		t.Errorf("got %d, id %q: %s", resp.StatusCode, id, body)
	}
	if resp, err := http.Post(srv.URL+"/late", "", nil); err == nil {
		_, err = io.ReadAll(resp.Body)
		resp.Body.Close()
		if err == nil {
			t.Error("half an answer was passed off as a whole one")
		}
	}
	srv.Close() // waits for the handlers and their log lines
	if n := strings.Count(log.String(), "oh no"); n != 2 {
		t.Errorf("two panics were logged %d times:\n%s", n, log.String())
	}
	if strings.Contains(log.String(), "secret") {
		t.Error("the query stands in the log")
	}
}

func TestCompression(t *testing.T) {
	text := strings.Repeat("the same words again ", 500)
	srv := newFront(t, io.Discard, new(atomic.Bool), func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		io.WriteString(w, text)
	})
	for _, c := range []struct {
		path string
		zip  bool
	}{
		{"/?type=text/html; charset=utf-8", true},
		{"/api/v1/instance?type=application/json", true},
		{"/avatar?type=image/png", false},
		{"/api/v1/streaming/user?type=text/event-stream", false},
		{"/api/v1/streaming/health?type=text/plain", false},
	} {
		req, _ := http.NewRequest("GET", srv.URL+strings.ReplaceAll(c.path, " ", "%20"), nil)
		req.Header.Set("Accept-Encoding", "gzip")
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		body, err := readBody(resp)
		if zip := resp.Header.Get("Content-Encoding") == "gzip"; zip != c.zip || err != nil || body != text {
			t.Errorf("%s: compressed %v, want %v; %d bytes, %v", c.path, zip, c.zip, len(body), err)
		}
	}
}

func readBody(resp *http.Response) (string, error) {
	defer resp.Body.Close()
	var r io.Reader = resp.Body
	if resp.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(resp.Body)
		if err != nil {
			return "", err
		}
		r = z
	}
	b, err := io.ReadAll(r)
	return string(b), err
}

// TestDeadlines expects a deadline for requests and none for streams, also on the same connection.
func TestDeadlines(t *testing.T) {
	srv := newFront(t, io.Discard, new(atomic.Bool), func(w http.ResponseWriter, r *http.Request) {
		_, bounded := r.Context().Deadline()
		if bounded == isStream(r.URL.Path) {
			t.Errorf("%s: bounded %v", r.URL.Path, bounded)
		}
		if isStream(r.URL.Path) {
			http.NewResponseController(w).Flush() // must work through all wrappers
		}
		io.WriteString(w, "ok")
	})
	for _, p := range []string{"/", "/api/v1/streaming/user", "/"} {
		resp, err := srv.Client().Get(srv.URL + p)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
	}
}

// TestStreamEnds expects a regular end of a stream whose write deadline has passed.
func TestStreamEnds(t *testing.T) {
	srv := newFront(t, io.Discard, new(atomic.Bool), func(w http.ResponseWriter, _ *http.Request) {
		rc := http.NewResponseController(w)
		io.WriteString(w, ":)\n")
		rc.Flush()
		if err := rc.SetWriteDeadline(time.Now().Add(-time.Second)); err != nil {
			t.Error(err)
		}
	})
	resp, err := srv.Client().Get(srv.URL + "/api/v1/streaming/user")
	if err != nil {
		t.Fatal(err)
	}
	if body, err := readBody(resp); err != nil || body != ":)\n" {
		t.Errorf("got %q, %v", body, err)
	}
}

// notesDeadlines records the deadlines that are set.
type notesDeadlines struct {
	*httptest.ResponseRecorder
	set []string
}

func (d *notesDeadlines) SetReadDeadline(time.Time) error {
	d.set = append(d.set, "read")
	return nil
}

func (d *notesDeadlines) SetWriteDeadline(time.Time) error {
	d.set = append(d.set, "write")
	return nil
}

// Hijack implements http.Hijacker.
func (*notesDeadlines) Hijack() (net.Conn, *bufio.ReadWriter, error) { return nil, nil, nil }

// TestTakenConnections expects no deadlines on a connection that a handler took over.
func TestTakenConnections(t *testing.T) {
	for taken, want := range map[bool]string{false: "read write done read write", true: "read write done"} {
		d := &notesDeadlines{ResponseRecorder: httptest.NewRecorder()}
		serveStream(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusOK)
			if taken {
				if _, _, err := http.NewResponseController(w).Hijack(); err != nil {
					t.Error(err)
				}
			}
			d.set = append(d.set, "done")
		}), &responseRecorder{ResponseWriter: d}, httptest.NewRequest("GET", "/api/v1/streaming", nil))
		if got := strings.Join(d.set, " "); got != want {
			t.Errorf("taken %v: %s, want %s", taken, got, want)
		}
	}
}

func TestLeavingClosesConnections(t *testing.T) {
	leaving := new(atomic.Bool)
	srv := newFront(t, io.Discard, leaving, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "ok") })
	for _, want := range []bool{false, true} {
		leaving.Store(want)
		resp, err := srv.Client().Get(srv.URL)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if resp.Close != want {
			t.Errorf("leaving %v: the connection closes: %v", want, resp.Close)
		}
	}
}

func TestReadiness(t *testing.T) {
	var fail atomic.Pointer[error]
	h := &health{state: readiness{Version: version.Version, Store: "memory", Durability: "none", Schema: 1},
		check: func(ctx context.Context) error {
			if _, ok := ctx.Deadline(); !ok {
				t.Error("the store is asked without a deadline")
			}
			if e := fail.Load(); e != nil {
				return *e
			}
			return nil
		}}
	get := func() (int, string) {
		w := httptest.NewRecorder()
		h.ready(w, httptest.NewRequest("GET", "/readyz", nil))
		return w.Code, strings.TrimSpace(w.Body.String())
	}
	want := func(code int, body string) {
		t.Helper()
		if gotCode, gotBody := get(); gotCode != code || gotBody != body {
			t.Errorf("got %d %s, want %d %s", gotCode, gotBody, code, body)
		}
	}
	rest := `"version":"` + version.Version + `","store":"memory","durability":"none","schema":1}`
	want(200, `{"ready":true,`+rest)
	err := errors.New("10.1.2.3: connection refused")
	fail.Store(&err)
	want(503, `{"ready":false,"reason":"the store does not respond or does not accept writes",`+rest)
	err = fmt.Errorf("ping: %w", &kv.Trouble{Reason: wording.Message("start the replicas"), Err: errors.New("10.1.2.3: none")})
	fail.Store(&err)
	want(503, `{"ready":false,"reason":"start the replicas",`+rest)
	fail.Store(nil)
	h.leaving.Store(true)
	want(503, `{"ready":false,"reason":"the server is stopping",`+rest)
	w := httptest.NewRecorder()
	h.live(w, httptest.NewRequest("GET", "/livez", nil))
	if w.Code != 200 || w.Body.String() != "ok\n" {
		t.Errorf("livez: %d", w.Code)
	}
}
