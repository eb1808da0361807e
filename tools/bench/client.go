package bench

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

const (
	// maxBody limits a response. A page of 40 statuses is much shorter.
	maxBody = 16 << 20
	// headLength limits the part of a failed response in messages.
	headLength = 200
)

// client sends HTTP/1.1 requests to a server over a limited number of persistent connections. It
// does not follow redirects. It is safe for concurrent use.
type client struct {
	base      string // scheme and host without a trailing slash
	timeout   time.Duration
	gzip      bool
	transport *http.Transport
}

func newClient(base string, connections int, timeout time.Duration, gzip bool) *client {
	dialer := &net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second}
	return &client{base: base, timeout: timeout, gzip: gzip, transport: &http.Transport{
		DialContext:         dialer.DialContext,
		TLSHandshakeTimeout: timeout,
		MaxIdleConns:        connections,
		MaxIdleConnsPerHost: connections,
		IdleConnTimeout:     time.Minute,
		DisableCompression:  true, // requested explicitly, so that the transferred bytes are counted
		ReadBufferSize:      32 << 10,
		// Allows only one request at a time per connection, whatever the server supports.
		TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{},
	}}
}

func (c *client) close() { c.transport.CloseIdleConnections() }

// request is a call of the API.
type request struct {
	method string
	path   string // including the query
	who    *member
	token  string // replaces the token of who
	form   string // URL-encoded
	key    string // Idempotency-Key
	cookie string // Cookie
}

// String returns the request for messages, without its token.
func (r *request) String() string {
	s := r.method + " " + r.path
	if r.who != nil {
		s += " as " + r.who.Login
	}
	return s
}

func get(who *member, path string) *request {
	return &request{method: http.MethodGet, path: path, who: who}
}

func post(who *member, path, form string) *request {
	return &request{method: http.MethodPost, path: path, who: who, form: form}
}

// answer is a response with its times.
type answer struct {
	header http.Header
	bytes  int64 // transferred bytes of the body
	sent   time.Time
	done   time.Time // when the last byte was read
}

// do makes a request and reads the whole body, decompressed into keep unless that is nil. A status
// other than 2xx is an error with the beginning of the body. The times are always set.
func (c *client) do(ctx context.Context, r *request, keep *bytes.Buffer) (a answer, err error) {
	a.sent = time.Now()
	defer func() { a.done = time.Now() }()
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	req, err := c.build(ctx, r)
	if err != nil {
		return a, fmt.Errorf("build %s: %w", r, err)
	}
	resp, err := c.transport.RoundTrip(req)
	if err != nil {
		return a, transportFailure(r, err)
	}
	defer resp.Body.Close()
	a.header = resp.Header
	body := &counted{r: io.LimitReader(resp.Body, maxBody)}
	defer func() { a.bytes = body.n }()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return a, statusFailure(r, resp.StatusCode, readHead(resp, body))
	}
	if keep != nil {
		keep.Reset()
		err = readInto(keep, resp, body)
	}
	if err == nil {
		_, err = io.Copy(io.Discard, body)
	}
	if err != nil {
		return a, transportFailure(r, err)
	}
	if body.n == maxBody {
		return a, complaint(kindNotJSON, r, "the response is longer than %d bytes", maxBody)
	}
	return a, nil
}

func (c *client) build(ctx context.Context, r *request) (*http.Request, error) {
	var body io.Reader
	if r.form != "" {
		body = strings.NewReader(r.form)
	}
	req, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, body)
	if err != nil {
		return nil, err
	}
	h := req.Header
	h.Set("User-Agent", "linnet-bench")
	token := r.token
	if token == "" && r.who != nil {
		token = r.who.Token
	}
	if token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	if r.form != "" {
		h.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	if r.key != "" {
		h.Set("Idempotency-Key", r.key)
	}
	if r.cookie != "" {
		h.Set("Cookie", r.cookie)
	}
	if c.gzip {
		h.Set("Accept-Encoding", "gzip")
	}
	return req, nil
}

// readInto reads a body and decompresses it if needed.
func readInto(keep *bytes.Buffer, resp *http.Response, body io.Reader) error {
	if resp.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(body)
		if err != nil {
			return fmt.Errorf("decompress: %w", err)
		}
		body = io.LimitReader(z, maxBody)
	}
	_, err := keep.ReadFrom(body)
	return err
}

// readHead returns the beginning of a body and reads the rest, so that the connection can be
// reused. It ignores errors, because the request has already failed.
func readHead(resp *http.Response, body io.Reader) []byte {
	var all bytes.Buffer
	_ = readInto(&all, resp, io.LimitReader(body, 64<<10))
	_, _ = io.Copy(io.Discard, body)
	return all.Bytes()[:min(all.Len(), headLength)]
}

// counted counts the bytes read.
type counted struct {
	r io.Reader
	n int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}
