package cluster_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Headers of test clients for the proxy.
const (
	toHeader   = "X-To"   // name of the server to use, without it all in turn
	fromHeader = "X-From" // IP address of the client
)

// proxy is a simple load balancer. It uses ready servers in turn. A request goes to the next server
// if a connection is refused, but never again once a server may have received it.
type proxy struct {
	servers []*backend
	turn    atomic.Uint64
	retried atomic.Int64
	http    *http.Transport
	server  *httptest.Server
}

type backend struct {
	name, addr string
	ready      atomic.Bool
}

func newProxy(t *testing.T, servers ...*server) *proxy {
	p := &proxy{http: &http.Transport{DisableKeepAlives: true}}
	for _, s := range servers {
		p.servers = append(p.servers, &backend{name: s.name, addr: s.addr})
	}
	p.server = httptest.NewUnstartedServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.Host = r.In.Host
			r.Out.URL.Scheme, r.Out.URL.Host = "http", "linnet"
			r.Out.Header.Set("X-Forwarded-For", r.In.Header.Get(fromHeader))
		},
		Transport: p, FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			http.Error(w, err.Error(), http.StatusBadGateway)
		},
	})
	t.Cleanup(p.server.Close)
	return p
}

// watch polls the readiness of each server until the test ends.
func (p *proxy) watch(t *testing.T) {
	for _, b := range p.servers {
		go func() {
			for t.Context().Err() == nil {
				b.ready.Store(ready(b.addr))
				time.Sleep(100 * time.Millisecond)
			}
		}()
	}
	p.server.Start()
}

// RoundTrip implements http.RoundTripper.
func (p *proxy) RoundTrip(r *http.Request) (*http.Response, error) {
	var body []byte
	if r.Body != nil {
		var err error
		if body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		_ = r.Body.Close()
	}
	var last error = syscall.ECONNREFUSED
	for _, b := range p.order(r.Header.Get(toHeader)) {
		try := r.Clone(r.Context())
		try.URL.Host = b.addr
		try.Body, try.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		if len(body) == 0 {
			try.Body = http.NoBody
		}
		resp, err := p.http.RoundTrip(try)
		if !errors.Is(err, syscall.ECONNREFUSED) {
			return resp, err
		}
		p.retried.Add(1)
		last = err
	}
	return nil, last
}

// order returns the servers to try: only the requested one, or the ready ones followed by the
// others.
func (p *proxy) order(to string) (out []*backend) {
	var rest []*backend
	first := int(p.turn.Add(1))
	for i := range p.servers {
		b := p.servers[(first+i)%len(p.servers)]
		switch {
		case to != "" && b.name != to:
		case to != "" || b.ready.Load():
			out = append(out, b)
		default:
			rest = append(rest, b)
		}
	}
	return append(out, rest...)
}
