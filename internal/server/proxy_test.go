package server

import (
	"io"
	"log/slog"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestClientAddress(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, c := range []struct {
		peer      string
		forwarded []string
		want      string
	}{
		{"203.0.113.7:1234", nil, "203.0.113.7:1234"},
		{"203.0.113.7:1234", []string{"198.51.100.1"}, "203.0.113.7:0"}, // an untrusted client
		{"127.0.0.1:1", []string{"198.51.100.1"}, "198.51.100.1:0"},
		{"127.0.0.1:1", []string{"6.6.6.6, 198.51.100.1"}, "198.51.100.1:0"},    // the client sent the first one
		{"127.0.0.1:1", []string{"198.51.100.1, 10.1.2.3"}, "198.51.100.1:0"},   // two proxies
		{"127.0.0.1:1", []string{"198.51.100.1", "10.1.2.3"}, "198.51.100.1:0"}, // two headers
		{"127.0.0.1:1", []string{"junk, 10.1.2.3"}, "10.1.2.3:0"},               // stops at the first invalid address
		{"127.0.0.1:1", []string{"10.1.2.3"}, "10.1.2.3:0"},                     // only proxies
		{"127.0.0.1:1", nil, "127.0.0.1:1"},
		{"127.0.0.1:1", []string{"[2001:db8::1]:80"}, "[2001:db8::1]:0"},
		{"127.0.0.1:1", []string{"2001:db8::1"}, "[2001:db8::1]:0"},
		{"[::ffff:127.0.0.1]:1", []string{"198.51.100.1:4711"}, "198.51.100.1:0"},
		{"@", nil, "@"}, // a unix socket
	} {
		p := &proxies{trusted: trusted, log: slog.New(slog.NewTextHandler(io.Discard, nil))}
		r := httptest.NewRequest("GET", "/", nil)
		r.RemoteAddr = c.peer
		r.Header["X-Forwarded-For"] = c.forwarded
		r.Header.Set("X-Real-Ip", "6.6.6.6")
		r.Header.Set("Forwarded", "for=6.6.6.6")
		p.setClient(r)
		got, left := r.RemoteAddr, r.Header
		if got != c.want {
			t.Errorf("%s forwarded %q: got %s, want %s", c.peer, c.forwarded, got, c.want)
		}
		if len(left) != 0 {
			t.Errorf("%s: headers left: %v", c.peer, left)
		}
	}
}

func TestIgnoredHeaderIsReportedOnce(t *testing.T) {
	var log strings.Builder
	p := &proxies{log: slog.New(slog.NewTextHandler(&log, nil))}
	for range 3 {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("X-Forwarded-For", "198.51.100.1")
		p.setClient(r)
	}
	if n := strings.Count(log.String(), "\n"); n != 1 || !strings.Contains(log.String(), "LINNET_TRUSTED_PROXIES=192.0.2.1") {
		t.Errorf("got %q", log.String())
	}
}
