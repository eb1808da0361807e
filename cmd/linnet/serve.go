package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
	"linnet/internal/record"
	"linnet/internal/web"
)

// server is a running Linnet with everything that it holds.
type server struct {
	call    *call
	cfg     *config
	log     *slog.Logger
	public  string // URL under which people reach it
	tls     *certificates
	backend *backend
	api     *mastodon.API
	health  *health
	control *control
	sites   []*site
	metrics *metrics
	diag    *diagnostics // nil if there is none

	opening opening
	serving sync.Once  // the sites are served
	failed  chan error // from listeners and background work
}

// site is one listener with its HTTP server.
type site struct {
	listener *drainable
	http     *http.Server
	handler  atomic.Pointer[http.Handler] // nil while the store is opening
	tls      bool
}

// handle sends requests to h from now on.
func (s *site) handle(h http.Handler) { s.handler.Store(&h) }

// serve runs the server until ctx ends, and then stops it in order.
func serve(ctx context.Context, c *call) (err error) {
	s := &server{call: c, cfg: c.cfg, log: newLogger(c.cfg, c.stderr), opening: opening{cfg: c.cfg}}
	if err = c.checkServing(); err != nil {
		return err
	}
	if len(c.args()) > 0 {
		if s.tls, err = newCertificates(c.cfg, c.args()[0]); err != nil {
			return err
		}
	}
	if err = makeDataDir(c.cfg); err != nil {
		return err
	}
	if err := s.listen(ctx); err != nil {
		return err
	}
	defer s.closeListeners()
	s.metrics = newMetrics(storeName(c.cfg))
	s.metrics.spans = newSpans(c.cfg, s.log)
	defer s.metrics.spans.close()
	c.cfg.limitMemory()
	if s.backend, err = s.openBackend(ctx); err != nil || s.backend == nil {
		return err
	}
	if s.diag, err = s.openDiagnostics(ctx, s.metrics); err == nil {
		err = s.assemble()
	}
	if err != nil {
		return errors.Join(err, s.backend.close())
	}
	s.control.start(c.cfg.Data)
	err = s.announce(ctx)
	if err == nil {
		s.notify("READY=1")
		err = s.run(ctx)
	}
	grace := time.Duration(0)
	if s.health.moved.Load() != nil {
		grace = moveReports // who has moved the store is told so
	}
	s.control.stop(grace)
	return errors.Join(err, s.backend.close())
}

// moveReports is how long a command that has moved the store may take to say so.
const moveReports = 10 * time.Second

// makeDataDir makes the data directory, for this user only.
func makeDataDir(c *config) error {
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return &fault{code: exitFailed, what: "cannot create the data directory " + c.Data, cause: errors.Unwrap(err),
			from: c.from("data"), advice: "Choose another one with --data DIR."}
	}
	return nil
}

// listen opens the listeners and finds out the public address, which the
// service needs before anything is served.
func (s *server) listen(ctx context.Context) error {
	addr, from := s.cfg.Addr, s.cfg.from("addr")
	if s.tls != nil && from == "default" {
		addr, from = ":443", "default with a domain"
	}
	l, err := s.call.listen(ctx, addr, from)
	if err != nil {
		return err
	}
	s.sites = append(s.sites, &site{listener: newDrainable(l), tls: s.tls != nil})
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
	redirect, err := s.call.listen(ctx, s.cfg.HTTPAddr, s.cfg.from("http-addr"))
	if err != nil {
		s.closeListeners()
		return err
	}
	s.sites = append(s.sites, &site{listener: newDrainable(redirect)})
	s.sites[1].http = s.newHTTP(s.sites[1])
	s.sites[1].handle(s.tls.redirect(s.public))
	return nil
}

// closeListeners closes what a failed start leaves open; after a normal stop
// it does nothing.
func (s *server) closeListeners() {
	for _, site := range s.sites {
		site.listener.Close()
	}
	if s.diag != nil {
		s.diag.listener.Close()
	}
}

// assemble wires the faces to the listeners.
func (s *server) assemble() error {
	b := s.backend
	info := b.engine.Info()
	s.health = &health{check: b.svc.Core.Ready, state: readiness{
		Version: release, Store: info.Engine, Durability: info.Durability.String(), Schema: record.Format}}
	s.control = &control{backend: b, log: s.log, status: statusInfo{
		PID: os.Getpid(), Version: release, Web: s.public, Store: info.Engine, Data: s.cfg.Data, Started: time.Now()}}
	if !s.serves() {
		s.sites[0].handle(s.workerRoutes())
		return nil
	}
	s.api = mastodon.New(b.svc, mastodon.Options{Version: release, Plain: s.cfg.PlainVersion, Log: s.log, Now: time.Now})
	if wide := s.cfg.tooWideProxies(); wide.IsValid() {
		s.log.Warn(warnWideProxies, "network", wide.String())
	}
	stopping := make(chan struct{})
	pages := web.New(b.svc, web.Options{Version: release, Log: s.log, Now: time.Now, Stopping: stopping})
	f := &front{log: s.log, proxies: &proxies{trusted: s.cfg.TrustedProxies, log: s.log},
		hsts: s.tls != nil, leaving: &s.health.leaving, streams: isStream, uploads: isUpload, slow: s.cfg.SlowRequest}
	handler, err := f.wrap(s.metrics.spans.request(s.metrics.measure(s.route(pages))))
	if err != nil {
		return err
	}
	s.sites[0].http.RegisterOnShutdown(func() { close(stopping) })
	s.sites[0].handle(s.metrics.spans.begin(handler))
	return nil
}

// route sends each path to whom it belongs: the state of the process, the
// client interface, or the pages, which also answer what nobody knows.
func (s *server) route(pages http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch p := r.URL.Path; {
		case p == "/livez":
			s.health.live(w, r)
		case p == "/readyz":
			s.health.ready(w, r)
		case web.WellKnown(p):
			pages.ServeHTTP(w, r)
		case mastodon.Serves(p) || mastodon.AsksForInvite(r):
			s.api.ServeHTTP(w, r)
		default:
			pages.ServeHTTP(w, r)
		}
	})
}

// isStream names the paths whose answers stay open.
func isStream(path string) bool {
	return strings.HasPrefix(path, "/api/v1/streaming") || web.Streams(path)
}

// isUpload names the requests that may bring files, or fetch one, over slow connections
// too.
func isUpload(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/media/") || web.SendsFiles(r.URL.Path) || strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") &&
		(web.TakesFiles(r.URL.Path) || mastodon.TakesFiles(r.URL.Path))
}

// newHTTP makes the server of a site, which sends requests to the site's handler, if there is
// one.
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
		ReadHeaderTimeout: readHeaderTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		// What strangers do wrong on a connection is no news.
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
}

// announce prints where the server is and how to go on, and logs what its
// store promises.
func (s *server) announce(ctx context.Context) error {
	info := s.backend.engine.Info()
	where := info.Place
	if s.cfg.embedded() {
		where = s.cfg.Data
	}
	fmt.Fprintf(s.call.stdout, "%s  store: %s  data: %s\n", thisVersion(), info.Engine, where)
	if s.serves() {
		if err := s.announceWeb(ctx); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(s.call.stdout, "Worker   %s\n", urlOf(s.sites[0].listener))
	}
	if s.diag != nil {
		fmt.Fprintf(s.call.stdout, "Metrics  %s\n", s.diag.url())
	}
	fmt.Fprintf(s.call.stdout, "Stop     Ctrl-C\n")
	s.log.Info("serving", "role", s.cfg.Role, "url", s.public, "listen", s.sites[0].listener.Addr().String(),
		"store", info.Engine, "place", info.Place, "durability", info.Durability, "format", record.Format)
	return nil
}

// announceWeb prints what people need who want to come in.
func (s *server) announceWeb(ctx context.Context) error {
	w := s.call.stdout
	fmt.Fprintf(w, "Web      %s\n", s.public)
	s.announceOpen()
	token, expires, err := s.backend.svc.Moderation.NewSetupToken(ctx)
	switch {
	case err == nil:
		fmt.Fprintf(w, "Set up   %s/setup/%s   (once, until %s; or: linnet user create NAME --admin)\n",
			s.public, token, expires.Local().Format("15:04"))
	case linnet.KindOf(err) == linnet.Full: // what is stored can be read all the same
		s.log.Warn("no set-up link: the store is read-only; free some disk space and start again", "err", err)
	case linnet.KindOf(err) != linnet.Conflict: // which means that there is an administrator
		return s.cfg.storeFault("cannot create the set-up link", err)
	}
	host := strings.TrimPrefix(strings.TrimPrefix(s.public, "https://"), "http://")
	if strings.HasPrefix(s.public, "https://") {
		fmt.Fprintf(w, "Apps     any Mastodon app: enter %s\n", host)
	} else {
		fmt.Fprintf(w, "Apps     need HTTPS; for a test without it: toot login --disable-https --instance %s\n", host)
	}
	return nil
}

// announceOpen says where a server that listens on all addresses is reached, and what
// that takes: links and apps use one address, which it cannot guess.
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
		fmt.Fprintf(s.call.stdout, "Reach    %s\n", u)
	}
	example := "http://HOST:8420"
	if len(all) > 0 {
		example = all[0]
	}
	s.log.Warn("the server listens on every address of this machine over unencrypted HTTP, but its links use "+s.public+
		", which works on this machine only; set the public address", "listen", l.Addr().String(), "try", "--public-url "+example+", or serve DOMAIN for https")
}

// rates are Mastodon's limits, or none at all for measuring.
func (c *config) rates() core.Rates {
	if c.NoRateLimits {
		return core.Unlimited()
	}
	return c.Rates
}
