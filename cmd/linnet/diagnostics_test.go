package main

import (
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

// Who lets others than this machine read metrics and profiles is warned at the start,
// with the address; who does not is not.
func TestPublicMetricsAreWarnedOf(t *testing.T) {
	type row struct {
		listens, warned bool
	}
	here, open := row{true, false}, row{true, true}
	rows := map[string]row{
		"off": {}, "127.0.0.1:0": here, "127.9.9.9:0": here, "localhost:0": here, "[::1]:0": here,
		":0": open, "0.0.0.0:0": open, "[::]:0": open,
	}
	for _, ip := range interfaceAddrs() {
		if !ip.IsLoopback() && !ip.IsLinkLocalUnicast() { // private networks too: others are in them
			rows[net.JoinHostPort(ip.String(), "0")] = open
		}
	}
	for addr, want := range rows {
		t.Run(addr, func(t *testing.T) {
			if probe, err := net.Listen("tcp", strings.TrimSuffix(addr, "off")); err != nil {
				t.Skip(err) // a machine without IPv6
			} else {
				probe.Close()
			}
			cfg, err := resolve(map[string]string{"metrics-addr": addr, "data": t.TempDir()}, environment{})
			if err != nil {
				t.Fatal(err)
			}
			var said bytes.Buffer
			s := &server{call: &call{cfg: cfg}, cfg: cfg, log: slog.New(slog.NewTextHandler(&said, nil))}
			d, err := s.openDiagnostics(t.Context(), newMetrics("embedded"))
			if err != nil {
				t.Fatal(err)
			}
			if d != nil {
				defer d.listener.Close()
			}
			warned := strings.Contains(said.String(), "level=WARN") && strings.Contains(said.String(), "can read metrics and profiles")
			if (d != nil) != want.listens || warned != want.warned {
				t.Errorf("listens: %v, said: %q", d != nil, said.String())
			}
			if want.warned && !strings.Contains(said.String(), d.listener.Addr().String()) {
				t.Errorf("the address is not named: %s", said.String())
			}
		})
	}
}

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

// Networks of public addresses that are too wide for proxies are found.
func TestTooWideProxies(t *testing.T) {
	for network, want := range map[string]bool{
		"0.0.0.0/0": true, "::/0": true, "128.0.0.0/1": true, "2000::/3": true, "8.0.0.0/8": true, "0.0.0.0/8": true, "172.0.0.0/8": true, "2600::/12": true,
		"10.0.0.0/8": false, "10.0.0.0/9": false, "fc00::/7": false, "192.0.2.1/32": false, "fe80::/10": false, "172.16.0.0/12": false, "100.64.0.0/10": false,
		"104.16.0.0/13": false, "2a06:98c0::/29": false,
	} {
		c := &config{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix(network)}}
		if got := c.tooWideProxies(); got.IsValid() != want {
			t.Errorf("%s: %v", network, got)
		}
	}
}

// config check warns of the settings that serve warns about.
func TestUnsafeSettings(t *testing.T) {
	for addr, want := range map[string]bool{
		"off": false, "127.0.0.1:8421": false, "[::1]:8421": false, "localhost:8421": false, "127.0.0.2:1": false,
		":8421": true, "0.0.0.0:8421": true, "[::]:8421": true, "192.0.2.1:8421": true, "metrics.example.org:8421": true,
	} {
		c := &config{MetricsAddr: addr}
		if got := len(c.unsafe()) == 1; got != want {
			t.Errorf("metrics at %s: warned %v", addr, got)
		}
	}
	c := &config{MetricsAddr: ":1", TrustedProxies: []netip.Prefix{netip.MustParsePrefix("::/0")}}
	if got := c.unsafe(); len(got) != 2 {
		t.Errorf("warnings: %q", got)
	}
}
