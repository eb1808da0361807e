package request

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"time"

	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/mastodon/wire"
	"linnet/internal/uploads"
)

// Options configure a Server. All fields are required.
type Options struct {
	Core     *core.Service
	Identity *identity.Service
	Uploads  *uploads.Service
	Encoder  *wire.Encoder
	Log      *slog.Logger
	Now      func() time.Time
	// ClientAddr returns the address of the client of a request.
	ClientAddr func(*http.Request) netip.Addr
	// NoteFault counts an internal error for the statistics of operators.
	NoteFault func()
	// Public maps the patterns that a private server serves without a login to the reasons.
	Public map[string]string
}

// Server runs handlers for HTTP requests: it authenticates, counts, decodes and encodes. It is
// safe for concurrent use.
type Server struct {
	core       *core.Service
	identity   *identity.Service
	uploads    *uploads.Service
	enc        *wire.Encoder
	log        *slog.Logger
	now        func() time.Time
	clientAddr func(*http.Request) netip.Addr
	noteFault  func()
	public     map[string]string
	base       string // public URL, no trailing slash
	resets     resets
}

// NewServer returns a Server.
func NewServer(o Options) *Server {
	return &Server{core: o.Core, identity: o.Identity, uploads: o.Uploads, enc: o.Encoder, log: o.Log, now: o.Now,
		clientAddr: o.ClientAddr, noteFault: o.NoteFault, public: o.Public, base: o.Core.PublicURL()}
}

// ClientAddr returns the address of the client of a request.
func (s *Server) ClientAddr(r *http.Request) netip.Addr { return s.clientAddr(r) }

// WithVisitor returns the context of a request together with the address and the program of its
// client, which sessions record.
func (s *Server) WithVisitor(r *Request) context.Context {
	return identity.WithVisitor(r.Context(), identity.Visitor{From: s.clientAddr(r.Request), Agent: r.UserAgent()})
}
