package server

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"linnet/internal/config"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// diagnostics is the listener of /metrics and /debug/pprof. It is apart from the
// public one and on loopback unless the operator says otherwise: a profile shows
// what is in memory.
type diagnostics struct {
	listener net.Listener
	http     *http.Server
}

// openDiagnostics listens where the configuration says. When the default
// address is taken (by another Linnet, most likely) the server runs without; an
// address that was asked for must be free. It returns nil when there is none.
func (s *server) openDiagnostics(ctx context.Context, m *Metrics) (*diagnostics, error) {
	if s.cfg.MetricsAddr == "off" {
		return nil, nil
	}
	l, err := listen(ctx, s.cfg, s.cfg.MetricsAddr, s.cfg.Source("metrics-addr"))
	if err != nil {
		if s.cfg.Source("metrics-addr") == "default" {
			s.log.Warn("no metrics: the address is in use; choose another one with --metrics-addr", "addr", s.cfg.MetricsAddr)
			return nil, nil
		}
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	if a, ok := l.Addr().(*net.TCPAddr); ok && !a.IP.IsLoopback() {
		s.log.Warn(config.PublicMetricsWarning, "addr", a.String())
	}
	named, _, _ := net.SplitHostPort(s.cfg.MetricsAddr)
	return &diagnostics{listener: l, http: &http.Server{Handler: ownHosts(named, mux), ReadHeaderTimeout: 5 * time.Second}}, nil
}

// ownHosts answers requests that name an address, a machine of the local network or
// the host of the configuration. A page on the web can point a name of its own at
// this machine, and a browser here would let it read the answer.
func ownHosts(named string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if h, _, err := net.SplitHostPort(host); err == nil {
			host = h
		}
		host = strings.Trim(host, "[]")
		if _, err := netip.ParseAddr(host); err != nil && strings.Contains(host, ".") && !strings.EqualFold(host, named) {
			http.Error(w, "This listener does not serve that host. Use its IP address, or name the host in --metrics-addr.", http.StatusMisdirectedRequest)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serve answers until close.
func (d *diagnostics) serve() error {
	if err := d.http.Serve(framed{d.listener}); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}

func (d *diagnostics) url() string { return "http://" + d.listener.Addr().String() + "/metrics" }

// codeText avoids an allocation for the codes that are answered all the time.
func codeText(code int) string {
	switch code {
	case 0, http.StatusOK:
		return "200"
	case http.StatusNotFound:
		return "404"
	case http.StatusUnauthorized:
		return "401"
	}
	return strconv.Itoa(code)
}
