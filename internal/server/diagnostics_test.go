package server

import (
	"bytes"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"linnet/internal/config"
)

// TestPublicMetricsAreWarnedOf expects a warning with the address if other machines can connect to
// the metrics listener.
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
		if !ip.IsLoopback() && !ip.IsLinkLocalUnicast() { // private networks too, because other machines use them
			rows[net.JoinHostPort(ip.String(), "0")] = open
		}
	}
	for addr, want := range rows {
		t.Run(addr, func(t *testing.T) {
			if probe, err := net.Listen("tcp", strings.TrimSuffix(addr, "off")); err != nil {
				if !strings.HasPrefix(addr, "[") {
					t.Fatal(err)
				}
				t.Skipf("no IPv6 on this machine: %v", err)
			} else {
				probe.Close()
			}
			cfg, err := config.Resolve(map[string]string{"metrics-addr": addr, "data": t.TempDir()}, config.Environment{})
			if err != nil {
				t.Fatal(err)
			}
			var said bytes.Buffer
			s := &server{cfg: cfg, log: slog.New(slog.NewTextHandler(&said, nil))}
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

// TestMetricsHosts expects that the metrics listener rejects names which a web page could resolve
// to this machine.
func TestMetricsHosts(t *testing.T) {
	h := checkHost("metrics.example.org", http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
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
