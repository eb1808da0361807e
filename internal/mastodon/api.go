package mastodon

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"linnet/internal/app"
	"linnet/internal/core"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/streaming"
	"linnet/internal/mastodon/wire"
	"linnet/internal/outsidefeed"
)

// Options configure the API. The zero value works.
type Options struct {
	Version   string       // of Linnet, as "0.1.0"
	Plain     bool         // announce a plain Mastodon version
	SourceURL string       // URL of the source code
	Log       *slog.Logger // nil: the default logger
	Now       func() time.Time
	// ClientAddr returns the address of a client, also behind a trusted proxy. By default it is
	// the address of the connection.
	ClientAddr func(*http.Request) netip.Addr
	Streams    streaming.Limits
}

// API serves the client API. It is safe for concurrent use.
type API struct {
	srv      *request.Server
	mux      *http.ServeMux
	exact    map[exactRoute]*request.Route // the routes whose pattern is a single path
	routes   []request.Route               // that respond with JSON
	patterns []string                      // of the mux, in the order in which they were added
	streams  *streaming.Server
}

// New returns the API over svc.
func New(svc *app.App, opts Options) *API {
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.ClientAddr == nil {
		opts.ClientAddr = peerAddr
	}
	base := svc.Core.PublicURL()
	enc := wire.NewEncoder(base, svc.Core.KnownRoles)
	srv := request.NewServer(request.Options{Core: svc.Core, Identity: svc.Identity, Uploads: svc.Uploads, Encoder: enc, Log: opts.Log,
		Now: opts.Now, ClientAddr: opts.ClientAddr, NoteFault: svc.Moderation.Statistics.NoteFault, Public: openInPrivate()})
	about := site{base: base, host: svc.Core.Hostname, release: opts.Version, plain: opts.Plain, sourceURL: opts.SourceURL}
	a := &API{srv: srv, mux: http.NewServeMux(), exact: map[exactRoute]*request.Route{}, routes: table(svc, srv, enc, about),
		streams: streaming.New(streaming.Options{Requests: srv, Encoder: enc, Live: svc.Live, Core: svc.Core, Log: opts.Log,
			NoteFault: svc.Moderation.Statistics.NoteFault, Limits: opts.Streams})}
	for _, rt := range a.routes {
		a.add(rt.Pattern, func(w http.ResponseWriter, r *http.Request) { srv.Serve(w, r, &rt) })
		if key, ok := exactly(rt.Pattern); ok {
			a.exact[key] = &rt
		}
	}
	invite := (&registrationHandler{base: base, srv: srv, invites: svc.Invites}).inviteRoute()
	a.add(invite.Pattern, func(w http.ResponseWriter, r *http.Request) { srv.Serve(w, r, &invite) })
	for _, rt := range a.streams.Routes() {
		a.add(rt.Pattern, srv.MembersOnly(rt.Pattern, streaming.Token, rt.Handler))
	}
	pictures := &pictureHandler{srv: srv, uploads: svc.Uploads, core: svc.Core, birds: newDefaultAvatars(), banner: drawBanner()}
	for pattern, h := range map[string]http.HandlerFunc{
		"GET /avatars/{file}":              pictures.serveAvatar,
		"GET /headers/default.png":         pictures.serveBanner,
		"GET " + core.FilesPath + "{file}": pictures.serveFile,
	} {
		a.add(pattern, srv.MembersOnly(pattern, pictureToken, h))
	}
	hubs := &hubHandler{srv: srv, outside: svc.Outside}
	a.add("GET "+outsidefeed.HubPath+"{feed}/{token}", hubs.handler(hubs.confirm))
	a.add("POST "+outsidefeed.HubPath+"{feed}/{token}", hubs.handler(hubs.receive))
	return a
}

// CloseStreams closes all open streams and refuses new ones. The HTTP server must call it before
// it shuts down. It returns when all streams are closed, or the error of ctx.
func (a *API) CloseStreams(ctx context.Context) error { return a.streams.Shutdown(ctx) }

// add adds a route to the mux. All routes are added here, so that tests can check each of them.
func (a *API) add(pattern string, h http.HandlerFunc) {
	a.patterns = append(a.patterns, pattern)
	a.mux.HandleFunc(pattern, h)
}

// Serves reports whether a path belongs to the API. A server can then share its address with the
// pages.
func Serves(path string) bool {
	for _, prefix := range [...]string{"/api/", "/.well-known/", "/nodeinfo/", "/avatars/", "/headers/", core.FilesPath} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	switch strings.TrimRight(path, "/") {
	case "/oauth/token", "/oauth/revoke", "/oauth/userinfo", "/health":
		return true
	}
	return false
}

// ServeHTTP handles a request.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if h.Get("X-Request-Id") == "" { // an outer handler may have set it
		h.Set("X-Request-Id", newRequestID())
	}
	setFixed(h)
	defer a.srv.RecoverPanic(w, r)
	if r.Method == http.MethodOptions {
		preflight(w, r)
		return
	}
	r = withoutTrailingSlash(r)
	if rt := a.exact[exactRoute{r.Method, r.URL.Path}]; rt != nil {
		r.Pattern = rt.Pattern
		a.srv.Serve(w, r, rt)
		return
	}
	if handler, pattern := a.mux.Handler(r); pattern == "" {
		a.srv.Fail(w, r, unmatched(handler, r, h))
		return
	}
	a.mux.ServeHTTP(w, r)
}

// exactRoute is a method and a path without parameters. Such routes are found without the mux,
// which would search twice.
type exactRoute struct{ method, path string }

func exactly(pattern string) (exactRoute, bool) {
	method, path, _ := strings.Cut(pattern, " ")
	return exactRoute{method, path}, !strings.Contains(path, "{") && !strings.HasSuffix(path, "/")
}

// withoutTrailingSlash returns r without a slash at the end of the path. Some clients add it, also
// to POST, where a redirect would discard the body.
func withoutTrailingSlash(r *http.Request) *http.Request {
	if !strings.HasSuffix(r.URL.Path, "/") || r.URL.Path == "/" {
		return r
	}
	u := *r.URL
	u.Path = "/" + strings.Trim(u.Path, "/")
	if u.RawPath != "" {
		u.RawPath = "/" + strings.Trim(u.RawPath, "/")
	}
	r2 := *r
	r2.URL = &u
	return &r2
}

// unmatched returns the error for a request without a route: an unknown path, or a known path with
// another method. The handler of the mux tells by its status code.
func unmatched(handler http.Handler, r *http.Request, h http.Header) error {
	p := probe{header: http.Header{}}
	handler.ServeHTTP(&p, r)
	if p.code == http.StatusMethodNotAllowed {
		h.Set("Allow", p.header.Get("Allow"))
		return &request.Problem{Code: p.code, Body: request.ErrorBody{Error: "Method not allowed"}}
	}
	return &request.Problem{Code: http.StatusNotFound, Body: request.ErrorBody{Error: "Not found"}}
}

// probe records the header and the code of a response, and discards the body.
type probe struct {
	header http.Header
	code   int
}

// Header implements http.ResponseWriter.
func (p *probe) Header() http.Header { return p.header }

// WriteHeader implements http.ResponseWriter.
func (p *probe) WriteHeader(code int) { p.code = code }

// Write implements http.ResponseWriter.
func (p *probe) Write(b []byte) (int, error) { return len(b), nil }

// peerAddr returns the address of the client's connection.
func peerAddr(r *http.Request) netip.Addr {
	ap, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.Addr{}
	}
	return ap.Addr().Unmap()
}
