package main

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
)

// The listener of metrics answers for itself, and not for names that a page on the
// web has pointed at it.
func TestMetricsHosts(t *testing.T) {
	h := ownHosts("metrics.example.org", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for host, want := range map[string]int{
		"127.0.0.1:9100": 200, "127.0.0.1": 200, "[::1]:9100": 200, "[::1]": 200, "localhost:9100": 200, "linnet:9100": 200, "192.0.2.7:9100": 200,
		"metrics.example.org:9100": 200, "evil.example:9100": 421, "evil.example": 421, "127.0.0.1.evil.example:9100": 421, "localhost.evil.example": 421,
	} {
		r, w := httptest.NewRequest("GET", "/metrics", nil), httptest.NewRecorder()
		r.Host = host
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%s: %d, want %d", host, w.Code, want)
		}
	}
}

// Who trusts everybody as a proxy is told so.
func TestTrustsEverybody(t *testing.T) {
	for network, want := range map[string]bool{
		"0.0.0.0/0": true, "::/0": true, "128.0.0.0/1": true, "2000::/3": true, "10.0.0.0/8": false, "fc00::/7": false, "192.0.2.1/32": false, "fe80::/10": false,
	} {
		c := &config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix(network)}}
		if got := c.trustsEverybody(); got.IsValid() != want {
			t.Errorf("%s: %v", network, got)
		}
	}
}
