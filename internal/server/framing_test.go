package server

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// piecemeal is a listener whose connections return one byte per read.
type piecemeal struct{ net.Listener }

type piecemealConn struct {
	net.Conn
	one io.Reader
}

func (l piecemeal) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &piecemealConn{c, iotest.OneByteReader(c)}, err
}

func (c *piecemealConn) Read(p []byte) (int, error) { return c.one.Read(p) }

// serveSite runs a site and returns a function that connects to it.
func serveSite(t *testing.T, secure, split bool, h http.Handler) func(protocols ...string) net.Conn {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if split && !secure {
		l = piecemeal{l}
	}
	s := &site{listener: newDrainListener(l), tls: secure, http: &http.Server{Handler: h, ErrorLog: slog.NewLogLogger(slog.DiscardHandler, 0)}}
	s.http.ConnState = stopFraming(s.listener.setState)
	if secure {
		other := httptest.NewTLSServer(http.NotFoundHandler())
		other.Close()
		s.http.TLSConfig = &tls.Config{Certificates: other.TLS.Certificates, NextProtos: []string{"h2", "http/1.1"}}
	}
	served := make(chan error, 1)
	go func() { served <- s.serve(slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		s.http.Close()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return func(protocols ...string) net.Conn {
		var c net.Conn
		if secure {
			c, err = tls.Dial("tcp", addr, &tls.Config{InsecureSkipVerify: true, NextProtos: protocols})
		} else {
			c, err = net.Dial("tcp", addr)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		c.SetDeadline(time.Now().Add(time.Minute))
		return c
	}
}

// echo responds with the request body.
var echo = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	w.Write(body)
})

const (
	both    = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n"
	lengths = "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s"
	chunks  = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
	get     = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
)

func withLength(body string) string { return fmt.Sprintf(lengths, len(body), body) }

// TestTwoLengths expects status 400 and a closed connection for requests with both Content-Length
// and Transfer-Encoding: first or later requests, sent at once or byte by byte, with and without
// TLS. Requests that look similar are accepted.
func TestTwoLengths(t *testing.T) {
	for name, c := range map[string]struct {
		sent string
		want []string // responses: the body of a 200, otherwise the code
		open bool     // the connection accepts another request
	}{
		"length first":             {both + "0\r\n\r\n", []string{"400"}, false},
		"coding first":             {strings.Replace(both, "Content-Length: 4\r\nTransfer-Encoding: chunked", "transfer-ENCODING:chunked\r\ncontent-LENGTH:4", 1) + "0\r\n\r\n", []string{"400"}, false},
		"others between":           {"POST /a HTTP/1.1\r\nContent-Length: 0\r\nHost: x\r\nContent-Type: a/b\r\nTE: x\r\nTransfer-Encoding: chunked\r\n\r\n", []string{"400"}, false},
		"line feeds alone":         {strings.ReplaceAll(both, "\r\n", "\n"), []string{"400"}, false},
		"a coding without a name":  {strings.Replace(both, "chunked", "", 1), []string{"400"}, false},
		"another coding":           {strings.Replace(both, "chunked", "gzip, chunked", 1), []string{"400"}, false},
		"length on the next line":  {"POST /a HTTP/1.1\r\nHost: x\r\nContent-Length:\r\n 4\r\nTransfer-Encoding: chunked\r\n\r\n", []string{"400"}, false},
		"coding on the next line":  {"POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding:\r\n\tchunked\r\n\r\n0\r\n\r\n", []string{"400"}, false},
		"HTTP/1.0":                 {"POST /a HTTP/1.0\r\nConnection: keep-alive\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\nabcd", []string{"400"}, false},
		"HTTP/1.0, coding alone":   {"POST /a HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", []string{"400"}, false},
		"on a kept connection":     {get + both, []string{"", "400"}, false},
		"after a body":             {withLength("abcd") + both, []string{"abcd", "400"}, false},
		"after chunks":             {chunks + "2;a=b\r\nab\r\n2\r\ncd\r\n0\r\nX: y\r\n\r\n" + both, []string{"abcd", "400"}, false},
		"after an empty line":      {withLength("abcd") + "\r\n" + both, []string{"abcd", "400"}, false},
		"what follows is not read": {both + "4\r\nabcd\r\n0\r\n\r\n" + get, []string{"400"}, false},
		"smuggled":                 {both + "0\r\n\r\nGET /admin HTTP/1.1\r\nHost: x\r\n\r\n", []string{"400"}, false},

		"one length":               {withLength("abcd") + get, []string{"abcd", ""}, true},
		"the same length twice":    {strings.Replace(withLength("abcd"), "Host: x", "Content-Length: 4", 1) + get, []string{"400"}, false}, // because Host is missing
		"chunks":                   {chunks + "1a;x\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n" + get, []string{"abcdefghijklmnopqrstuvwxyz", ""}, true},
		"a body that reads so":     {withLength("\r\n"+both) + get, []string{"\r\n" + both, ""}, true},
		"chunks that read so":      {chunks + fmt.Sprintf("%X\r\n%s\r\n0\r\n\r\n", len(both), both) + get, []string{both, ""}, true},
		"a trailer that reads so":  {chunks + "1\r\na\r\n0\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + get, []string{"a", ""}, true},
		"longer names":             {strings.NewReplacer("Content-Length:", "X-Content-Length:", "Transfer-Encoding:", "Transfer-Encodings:").Replace(both) + get, []string{"", ""}, true},
		"values and paths":         {"GET /Content-Length:4 HTTP/1.1\r\nHost: x\r\nA: Content-Length: 4\r\nB: Transfer-Encoding: chunked\r\n\r\n" + get, []string{"", ""}, true},
		"a folded line of another": {"GET /a HTTP/1.1\r\nHost: x\r\nA: b\r\n Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", []string{""}, true},
	} {
		for _, mode := range []struct{ secure, split bool }{{false, false}, {false, true}, {true, false}, {true, true}} {
			t.Run(fmt.Sprintf("%s/tls=%v,split=%v", name, mode.secure, mode.split), func(t *testing.T) {
				conn := serveSite(t, mode.secure, mode.split, echo)("http/1.1")
				go func() {
					if !mode.split {
						io.WriteString(conn, c.sent)
						return
					}
					for i := range len(c.sent) { // over TLS each byte is a record
						if _, err := io.WriteString(conn, c.sent[i:i+1]); err != nil {
							return // the server stopped reading
						}
					}
				}()
				got, open := answers(conn, len(c.want))
				if !slices.Equal(got, c.want) || open != c.open {
					t.Errorf("answers %q, open afterwards: %v; want %q, %v", got, open, c.want, c.open)
				}
			})
		}
	}
}

// responses reads n responses, and reports whether the connection accepts another request.
func answers(conn net.Conn, n int) (all []string, open bool) {
	r := bufio.NewReader(conn)
	next := func() bool {
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			return false
		}
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != http.StatusOK {
			body = fmt.Append(nil, resp.StatusCode)
		}
		all = append(all, string(body))
		return true
	}
	for range n {
		if !next() {
			return all, false
		}
	}
	io.WriteString(conn, withLength("again"))
	if !next() {
		return all, false
	}
	if all[n] != "again" {
		return all, true
	}
	return all[:n], true
}

// TestFramingFollows expects that random requests, split at random positions, stay unchanged,
// except for one byte in the header of a request with two lengths.
func TestFramingFollows(t *testing.T) {
	seed := rand.Uint64()
	rng := rand.New(rand.NewPCG(seed, 0))
	for round := range 20_000 {
		var sent []byte
		for range rng.IntN(4) {
			sent = append(sent, randomRequest(rng)...)
		}
		from, to := len(sent), len(sent)
		if bad := rng.IntN(2) == 0; bad {
			sent = append(sent, both...)
			to = len(sent)
			sent = append(sent, randomRequest(rng)...)
		}
		got := slices.Clone(sent)
		var f framing
		for rest := got; len(rest) > 0; {
			n := 1 + rng.IntN(min(len(rest), 1+rng.IntN(100)))
			f.parse(rest[:n])
			rest = rest[n:]
		}
		var changed []int
		for i := range sent {
			if sent[i] != got[i] {
				changed = append(changed, i)
			}
		}
		switch {
		case from == to && (len(changed) > 0 || f.stopped || f.at != beforeRequest):
			t.Fatalf("seed %d, round %d: changed %v at %d: %q", seed, round, changed, f.at, sent)
		case from != to && (len(changed) != 1 || changed[0] < from || changed[0] >= to || !f.stopped):
			t.Fatalf("seed %d, round %d: changed %v of %d to %d: %q", seed, round, changed, from, to, sent)
		}
	}
}

func randomRequest(rng *rand.Rand) []byte {
	header := []string{"Host: x", "Accept: */*", "Cookie: a=b", "Content-Type: text/plain", "Te: trailers", "X: Content-Length: 3", "A: b\r\n c"}
	rng.Shuffle(len(header), func(i, j int) { header[i], header[j] = header[j], header[i] })
	header = header[:rng.IntN(len(header))]
	bodies := []string{"", both, "\r\n\r\n" + both, strings.Repeat("a\n", 1+rng.IntN(100)), "0\r\n\r\n" + get}
	body := bodies[rng.IntN(len(bodies))]
	var sent string
	switch kind := rng.IntN(3); {
	case kind == 0 || body == "":
		body = ""
	case kind == 1:
		header = slices.Insert(header, rng.IntN(len(header)+1), fmt.Sprintf("content-length:  %d\t", len(body)))
		sent = body
	default:
		header = slices.Insert(header, rng.IntN(len(header)+1), "Transfer-Encoding: Chunked")
		for len(body) > 0 {
			n := 1 + rng.IntN(len(body))
			sent += fmt.Sprintf([]string{"%x", "%X;a=\"b\"", "00%x "}[rng.IntN(3)], n) + "\r\n" + body[:n] + "\r\n"
			body = body[n:]
		}
		sent += "0\r\n" + []string{"", "X: y\r\n", "Content-Length: 9\r\nB: c\r\n"}[rng.IntN(3)] + "\r\n"
	}
	return []byte("POST /a?b HTTP/1.1\r\n" + strings.Join(append(header, ""), "\r\n") + "\r\n" + sent)
}

// TestFramingLeavesTakenConnections expects that framing ignores connections that a handler took
// over.
func TestFramingLeavesTakenConnections(t *testing.T) {
	for _, secure := range []bool{false, true} {
		dial := serveSite(t, secure, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			conn, rw, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
			io.CopyN(conn, rw, int64(len(both)))
		}))
		conn := dial("http/1.1")
		io.WriteString(conn, get)
		r := bufio.NewReader(conn)
		for line := ""; line != "\r\n"; {
			var err error
			if line, err = r.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
		}
		io.WriteString(conn, both)
		if got, err := io.ReadAll(r); err != nil || string(got) != both {
			t.Errorf("tls %v: %q, %v", secure, got, err)
		}
	}
}

// TestHandshakes expects HTTP/2 for clients that request it, TLS state in requests, an error for
// clients without TLS, and that silent clients do not block others.
func TestHandshakes(t *testing.T) {
	dial := serveSite(t, true, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, r.Proto, " ", r.TLS != nil && r.TLS.HandshakeComplete)
	}))
	for protocol, want := range map[string]string{"h2": "HTTP/2.0 true", "http/1.1": "HTTP/1.1 true", "": "HTTP/1.1 true"} {
		conn := dial(strings.Fields(protocol)...)
		addr := conn.RemoteAddr().String()
		silent, err := net.Dial("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer silent.Close()
		client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{ForceAttemptHTTP2: protocol == "h2",
			TLSClientConfig: &tls.Config{InsecureSkipVerify: true, NextProtos: strings.Fields(protocol)}}}
		defer client.CloseIdleConnections()
		resp, err := client.Get("https://" + addr)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if body, _ := io.ReadAll(resp.Body); string(body) != want {
			t.Errorf("%q: %q, want %q", protocol, body, want)
		}
		clear, err := http.Get("http://" + addr)
		if err != nil {
			t.Fatal(err)
		}
		defer clear.Body.Close()
		if body, _ := io.ReadAll(clear.Body); clear.StatusCode != http.StatusBadRequest || !bytes.Contains(body, []byte("HTTPS server")) {
			t.Errorf("in clear: %d %q", clear.StatusCode, body)
		}
	}
}

// BenchmarkFraming measures the cost of framing per request.
func BenchmarkFraming(b *testing.B) {
	for name, request := range map[string]string{
		"app": "GET /api/v1/timelines/home?limit=20 HTTP/1.1\r\nHost: example.org\r\nAuthorization: Bearer " + strings.Repeat("a", 43) +
			"\r\nUser-Agent: Tusky/27.0 Android/15\r\nAccept-Encoding: gzip\r\nConnection: Keep-Alive\r\n\r\n",
		"browser": "GET /home HTTP/1.1\r\nHost: example.org\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0\r\n" +
			"Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\nAccept-Language: en-GB,en;q=0.5\r\nAccept-Encoding: gzip, deflate, br, zstd\r\n" +
			"Cookie: session=" + strings.Repeat("a", 64) + "\r\nConnection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\nSec-Fetch-Dest: document\r\n" +
			"Sec-Fetch-Mode: navigate\r\nSec-Fetch-Site: same-origin\r\nSec-Fetch-User: ?1\r\nPriority: u=0, i\r\n\r\n",
		"post of 64 KiB": withLength(strings.Repeat("a", 64<<10)),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			sent := []byte(request)
			var f framing
			for b.Loop() {
				f.parse(sent)
			}
		})
	}
}
