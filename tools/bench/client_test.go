package bench

import (
	"bytes"
	"compress/gzip"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestReadAccounts(t *testing.T) {
	got, err := ReadAccounts(strings.NewReader("# people\nann:abc-_1\n\n bob : x:y \r\n"))
	if err != nil || len(got) != 2 || got[0] != (Account{"ann", "abc-_1"}) || got[1] != (Account{"bob", "x:y"}) {
		t.Errorf("%v %v", got, err)
	}
	for text, want := range map[string]string{
		"":                   "no account",
		"ann:a\nbob":         "line 2",
		":secret":            "line 1",
		"ann:":               "line 1",
		"ann:secret secret":  "line 1",
		"ann:a\n\nAnn:other": "line 3 contains Ann, as line 1",
	} {
		_, err := ReadAccounts(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, c := range []struct{ link, newest, oldest, next string }{
		{"", "", "", ""},
		{`<https://x.test/api/v1/timelines/home?limit=2&max_id=5>; rel="next", <https://x.test/api/v1/timelines/home?limit=2&min_id=9>; rel="prev"`, "9", "5", "limit=2&max_id=5"},
		{`<https://x.test/h?since_id=9>; rel="prev"`, "9", "", ""},
		{`<https://x.test/h?max_id=%zz>; rel="next"`, "", "", ""},
		{`nonsense, <x>`, "", "", ""},
	} {
		h := http.Header{"Link": {c.link}}
		newest, oldest := ends(h)
		if newest != c.newest || oldest != c.oldest || nextQuery(h) != c.next {
			t.Errorf("%s: %q %q %q", c.link, newest, oldest, nextQuery(h))
		}
	}
}

// odd answers like overloaded servers.
func odd(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/limited":
		w.Header().Set("Content-Encoding", "gzip")
		w.WriteHeader(http.StatusTooManyRequests)
		z := gzip.NewWriter(w)
		z.Write([]byte("{\"error\":\n \"Too many requests\"}" + strings.Repeat(" x", 300)))
		z.Close()
	case "/empty":
		w.WriteHeader(http.StatusBadGateway)
	case "/moved":
		http.Redirect(w, r, "/ok", http.StatusFound)
	case "/cut":
		w.Header().Set("Content-Length", "100")
		w.Write([]byte("half"))
		http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	case "/slow":
		<-r.Context().Done()
	case "/zip":
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		z.Write(bytes.Repeat([]byte("a"), 10_000))
		z.Close()
	}
}

func TestFailuresTellWhatHappened(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(odd))
	defer s.Close()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	who := &member{Account: Account{Login: "ann", Token: "geheim"}}
	for _, c := range []struct{ base, path, kind, text string }{
		{s.URL, "/limited", "429", `GET /limited as ann: 429 Too Many Requests: {"error": "Too many requests"} x`},
		{s.URL, "/empty", "502", "502 Bad Gateway: (empty body)"},
		{s.URL, "/moved", "302", "302 Found"},
		{s.URL, "/cut", kindBroken, "unexpected EOF"},
		{s.URL, "/slow", kindTimeout, "deadline exceeded"},
		{"http://" + closed.Addr().String(), "/", kindRefused, "refused"},
	} {
		client := newClient(c.base, 1, 200*time.Millisecond, true)
		_, err := client.do(t.Context(), get(who, c.path), nil)
		if err == nil || KindOf(err) != c.kind || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%s: kind %q, %v; want %q, %q", c.path, KindOf(err), err, c.kind, c.text)
		}
		if err != nil && (len(err.Error()) > 400 || strings.Contains(err.Error(), "geheim")) {
			t.Errorf("%s: %v", c.path, err)
		}
		client.close()
	}
}

func TestCompressedBodies(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(odd))
	defer s.Close()
	client := newClient(s.URL, 1, time.Second, true)
	defer client.close()
	var body bytes.Buffer
	a, err := client.do(t.Context(), get(nil, "/zip"), &body)
	if err != nil || body.Len() != 10_000 {
		t.Fatalf("%d bytes, %v", body.Len(), err)
	}
	if a.bytes == 0 || a.bytes > 200 {
		t.Errorf("%d bytes counted, want those that travelled", a.bytes)
	}
}

// TestConnectionsAreKept checks that connections are reused, also after failures.
func TestConnectionsAreKept(t *testing.T) {
	made := map[string]bool{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		made[r.RemoteAddr] = true
		if r.URL.Path == "/bad" {
			w.WriteHeader(500)
		}
		w.Write(bytes.Repeat([]byte("x"), 100_000))
	}))
	defer s.Close()
	client := newClient(s.URL, 1, time.Second, false)
	defer client.close()
	for i := range 10 {
		client.do(context.Background(), get(nil, []string{"/", "/bad"}[i%2]), nil)
	}
	if len(made) != 1 {
		t.Errorf("%d connections were made for requests one after another", len(made))
	}
}
