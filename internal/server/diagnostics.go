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

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"linnet/internal/config"
)

// diagnostics is the listener of /metrics and /debug/pprof. By default it listens on the loopback
// interface only, because profiles show parts of the memory.
type diagnostics struct {
	listener net.Listener
	http     *http.Server
}

// openDiagnostics opens the listener. If the default address is in use, the server runs without it,
// but a configured address must be free. It returns nil if there is no listener.
func (s *server) openDiagnostics(ctx context.Context, m *Metrics) (*diagnostics, error) {
	if s.cfg.MetricsAddr == "off" {
		return nil, nil
	}
	l, err := listen(ctx, s.cfg, "metrics-addr", s.cfg.MetricsAddr, s.cfg.Source("metrics-addr"))
	if err != nil {
		if s.cfg.Source("metrics-addr") == "default" {
			s.log.Warn("cannot serve metrics on the default address; choose another one with --metrics-addr", "addr", s.cfg.MetricsAddr, "err", err)
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
	return &diagnostics{listener: l, http: &http.Server{Handler: checkHost(named, mux), ReadHeaderTimeout: 5 * time.Second}}, nil
}

// checkHost rejects requests for other hosts than an address, a name without dots, or the configured
// host. Otherwise a web page whose name resolves to this machine could read metrics in a local
// browser.
func checkHost(named string, next http.Handler) http.Handler {
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

// serve serves requests until the listener is closed.
func (d *diagnostics) serve() error {
	if err := d.http.Serve(framingListener{d.listener}); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve metrics: %w", err)
	}
	return nil
}

// codeText returns an HTTP status code as text, without an allocation for the most frequent codes.
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
