package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/app"
	"linnet/internal/config"
	"linnet/internal/kv"
	"linnet/internal/mastodon"
	"linnet/internal/record"
	"linnet/internal/version"
	"linnet/internal/web"
	"linnet/internal/web/paths"
)

// Options configure a server.
type Options struct {
	Config       *config.Config
	Domain       string // obtain a certificate for it and serve HTTPS; "": serve HTTP
	NotifySocket string // socket of the service manager; "": none
	Out          io.Writer
	Log          *slog.Logger
	// Open opens the store. The server calls it again while the error is temporary.
	Open func(ctx context.Context, publicURL string, m *Metrics) (*Backend, error)
}

// Backend is the open store with its services, as a server uses it.
type Backend struct {
	App  *app.App
	Info kv.Info
	// SetupToken creates a token for the set-up page. It returns "" if none is needed or possible.
	SetupToken func(ctx context.Context) (token string, expires time.Time, err error)
	// WatchMove returns an error when the store was moved to another. It returns when ctx ends.
	WatchMove func(ctx context.Context) error
	// Run executes a command of the operator on the store.
	Run   func(ctx context.Context, cmd Command, stdout, stderr io.Writer) error
	Close func() error
}

// server is a running server.
type server struct {
	opt     Options
	cfg     *config.Config
	log     *slog.Logger
	public  string // public URL
	tls     *certificates
	backend *Backend
	api     *mastodon.API
	health  *health
	control *control
	sites   []*site
	metrics *Metrics
	diag    *diagnostics // nil if the metrics listener is off

	opening opening
	serving sync.Once  // guards the start of serving
	failed  chan error // errors of listeners and background work
}

// site is a listener with its HTTP server.
type site struct {
	listener *drainListener
	http     *http.Server
	handler  atomic.Pointer[http.Handler] // nil while the store is opening
	tls      bool
}

// handle sets the handler of later requests.
func (s *site) handle(h http.Handler) { s.handler.Store(&h) }

// Run runs a server until ctx ends, and then stops it without breaking requests.
func Run(ctx context.Context, opt Options) (err error) {
	c := opt.Config
	s := &server{opt: opt, cfg: c, log: opt.Log, opening: opening{cfg: c}}
	if opt.Domain != "" {
		if s.tls, err = newCertificates(c, opt.Domain); err != nil {
			return err
		}
	}
	if err = c.MakeDataDir(); err != nil {
		return err
	}
	if err := s.listen(ctx); err != nil {
		return err
	}
	defer s.closeListeners()
	s.metrics = newMetrics(c.StoreName())
	s.metrics.spans = newSpans(c, s.log)
	defer s.metrics.spans.close()
	if debug.SetMemoryLimit(-1) == math.MaxInt64 { // the operator did not set GOMEMLIMIT
		debug.SetMemoryLimit(c.MemoryLimit)
	}
	if s.backend, err = s.openBackend(ctx); err != nil || s.backend == nil {
		return err
	}
	s.metrics.watch(s.backend.App)
	if s.diag, err = s.openDiagnostics(ctx, s.metrics); err == nil {
		err = s.assemble()
	}
	if err != nil {
		return errors.Join(err, s.backend.Close())
	}
	s.control.start(c.Data)
	err = s.announce(ctx)
	if err == nil {
		s.notify("READY=1")
		err = s.run(ctx)
	}
	grace := time.Duration(0)
	if s.health.moved.Load() != nil {
		grace = moveGrace // the command that moved the store still prints its result
	}
	s.control.stop(grace)
	return errors.Join(err, s.backend.Close())
}

// moveGrace limits how long a command that moved the store may take to print its result.
const moveGrace = 10 * time.Second

// listen opens the listeners and determines the public URL, which the services need.
func (s *server) listen(ctx context.Context) error {
	c := s.cfg
	addr, from := c.Addr, c.Source("addr")
	if s.tls != nil && from == "default" {
		addr, from = ":443", "default with a domain"
	}
	l, err := listen(ctx, c, "addr", addr, from)
	if err != nil {
		return err
	}
	s.sites = append(s.sites, &site{listener: newDrainListener(l), tls: s.tls != nil})
	s.public = s.cfg.PublicURL
	if s.public == "" {
		s.public = urlOf(l)
	}
	s.sites[0].http = s.newHTTP(s.sites[0])
	if s.tls == nil {
		return nil
	}
	s.sites[0].http.TLSConfig = s.tls.config()
	if s.cfg.PublicURL == "" {
		s.public = s.tls.publicURL(l)
	}
	redirect, err := listen(ctx, c, "http-addr", c.HTTPAddr, c.Source("http-addr"))
	if err != nil {
		s.closeListeners()
		return err
	}
	s.sites = append(s.sites, &site{listener: newDrainListener(redirect)})
	s.sites[1].http = s.newHTTP(s.sites[1])
	s.sites[1].handle(s.tls.redirect(s.public))
	return nil
}

// closeListeners closes the listeners after a failed start. After a normal stop it does nothing.
func (s *server) closeListeners() {
	for _, site := range s.sites {
		site.listener.Close()
	}
	if s.diag != nil {
		s.diag.listener.Close()
	}
}

// assemble connects the API and the pages to the listeners.
func (s *server) assemble() error {
	b := s.backend
	info := b.Info
	s.health = &health{check: b.App.Core.Ready, state: readiness{
		Version: version.Version, Store: info.Engine, Durability: info.Durability.String(), Schema: record.Format}}
	s.control = &control{backend: b, log: s.log, status: Status{
		PID: os.Getpid(), Version: version.Version, Web: s.public, Store: info.Engine, Data: s.cfg.Data, Started: time.Now()}}
	if !s.serves() {
		mux := http.NewServeMux() // /metrics has its own listener
		mux.HandleFunc("GET /livez", s.health.live)
		mux.HandleFunc("GET /readyz", s.health.ready)
		s.sites[0].handle(mux)
		return nil
	}
	s.api = mastodon.New(b.App, mastodon.Options{Version: version.Version, Plain: s.cfg.PlainVersion, Log: s.log, Now: time.Now})
	if wide := s.cfg.TooWideProxies(); wide.IsValid() {
		s.log.Warn(config.WideProxiesWarning, "network", wide.String())
	}
	stopping := make(chan struct{})
	pages := web.New(b.App, web.Options{Version: version.Version, Log: s.log, Now: time.Now, Stopping: stopping})
	f := &front{log: s.log, proxies: &proxies{trusted: s.cfg.TrustedProxies, log: s.log},
		hsts: s.tls != nil, leaving: &s.health.leaving, streams: isStream, uploads: isUpload, slow: s.cfg.SlowRequest}
	handler, err := f.wrap(s.metrics.spans.request(s.metrics.measure(s.route(pages))))
	if err != nil {
		return err
	}
	s.sites[0].http.RegisterOnShutdown(func() { close(stopping) })
	s.sites[0].handle(s.metrics.spans.extract(handler))
	return nil
}

// route returns a handler that sends each request to the state of the process, the API or the
// pages.
func (s *server) route(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch p := r.URL.Path; {
		case p == "/livez":
			s.health.live(w, r)
		case p == "/readyz":
			s.health.ready(w, r)
		case paths.WellKnown(p):
			pages.ServeHTTP(w, r)
		case mastodon.Serves(p) || mastodon.AsksForInvite(r):
			s.api.ServeHTTP(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// isStream reports whether the response of a path stays open.
func isStream(path string) bool {
	return strings.HasPrefix(path, "/api/v1/streaming") || paths.Streams(path)
}

// isUpload reports whether a request may transfer files over a slow connection.
func isUpload(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/media/") || paths.SendsFiles(r.URL.Path) || strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") &&
		(paths.TakesFiles(r.URL.Path) || mastodon.TakesFiles(r.URL.Path))
}

// newHTTP returns the HTTP server of a site.
func (s *server) newHTTP(of *site) *http.Server {
	entry := func(w http.ResponseWriter, r *http.Request) {
		if h := of.handler.Load(); h != nil {
			(*h).ServeHTTP(w, r)
			return
		}
		s.opening.ServeHTTP(w, r)
	}
	return &http.Server{
		Handler:           http.HandlerFunc(entry),
		ReadHeaderTimeout: readHeaderTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		// Errors of clients on a connection are not worth a warning.
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}

// announce prints the addresses of the server and logs its start.
func (s *server) announce(ctx context.Context) error {
	info := s.backend.Info
	where := info.Location
	if s.cfg.Embedded() {
		where = s.cfg.Data
	}
	fmt.Fprintf(s.opt.Out, "%s  store: %s  data: %s\n", version.Get(), info.Engine, where)
	if s.serves() {
		w := s.opt.Out
		fmt.Fprintf(w, "Web      %s\n", s.public)
		s.announceOpen()
		token, expires, err := s.backend.SetupToken(ctx)
		if err != nil {
			return err
		}
		if token != "" {
			fmt.Fprintf(w, "Set up   %s/setup/%s   (works once, until %s; or run: linnet user create NAME --admin)\n",
				s.public, token, expires.Local().Format("15:04"))
		}
		host := strings.TrimPrefix(strings.TrimPrefix(s.public, "https://"), "http://")
		if strings.HasPrefix(s.public, "https://") {
			fmt.Fprintf(w, "Apps     any Mastodon app: enter %s\n", host)
		} else {
			fmt.Fprintf(w, "Apps     need HTTPS; to test without it: toot login --disable-https --instance %s\n", host)
		}
	} else {
		fmt.Fprintf(s.opt.Out, "Worker   %s\n", urlOf(s.sites[0].listener))
	}
	if s.diag != nil {
		fmt.Fprintf(s.opt.Out, "Metrics  http://%s/metrics\n", s.diag.listener.Addr())
	}
	fmt.Fprintf(s.opt.Out, "Stop     Ctrl-C\n")
	s.log.Info("serving", "role", s.cfg.Role, "url", s.public, "listen", s.sites[0].listener.Addr().String(),
		"store", info.Engine, "location", info.Location, "durability", info.Durability, "format", record.Format)
	return nil
}

// announceOpen warns if the server listens on all addresses without a public URL, because its links
// then work on this machine only. It prints the addresses of the machine.
func (s *server) announceOpen() {
	if s.cfg.PublicURL != "" || len(s.sites) == 0 || !strings.HasPrefix(s.public, "http://") {
		return
	}
	l := s.sites[0].listener
	if !listensEverywhere(l) {
		return
	}
	all := interfaceURLs(l, interfaceAddrs())
	for _, u := range all {
		fmt.Fprintf(s.opt.Out, "Network  %s\n", u)
	}
	example := "http://HOST:8420"
	if len(all) > 0 {
		example = all[0]
	}
	s.log.Warn("the server listens on every address of this machine over unencrypted HTTP, but its links use "+s.public+
		", which works on this machine only; set the public address", "listen", l.Addr().String(), "remedy", "--public-url "+example+", or serve DOMAIN for https")
}

// serves reports whether the server serves the API and the pages.
func (s *server) serves() bool { return s.cfg.Role != config.RoleWorker }
