package streaming

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/live"
	"linnet/internal/mastodon/request"
	"linnet/internal/mastodon/wire"
)

// Limits bound the cost of open streams. A zero field means its default.
type Limits struct {
	// Heartbeat is the interval of heartbeats on an idle event stream, 15 s by default. A
	// WebSocket is pinged at twice this interval.
	Heartbeat time.Duration
	// PerUser is the number of connections that one user may hold open, 32 by default: a few
	// devices with a few windows each.
	PerUser int
	// PerAddress is the same for clients without a token, by network address.
	PerAddress int
	// Write is the time a client may take to accept one event before it is disconnected, 10 s by
	// default.
	Write time.Duration
}

func (o Limits) withDefaults() Limits {
	if o.Heartbeat <= 0 {
		o.Heartbeat = 15 * time.Second
	}
	if o.PerUser <= 0 {
		o.PerUser = 32
	}
	if o.PerAddress <= 0 {
		o.PerAddress = 32
	}
	if o.Write <= 0 {
		o.Write = 10 * time.Second
	}
	return o
}

// Options are the services of streams. All fields are required.
type Options struct {
	Requests  *request.Server
	Encoder   *wire.Encoder
	Live      *live.Service
	Core      *core.Service
	Log       *slog.Logger
	NoteFault func() // counts an internal error
	Limits
}

// Server serves the streaming API: server-sent events and the WebSocket.
// https://docs.joinmastodon.org/methods/streaming/
type Server struct {
	opt  Options
	gate *gate
	// closing ends when the server does; no stream outlives it.
	closing context.Context
	close   context.CancelFunc
}

// New returns a server of streams.
func New(o Options) *Server {
	o.Limits = o.withDefaults()
	s := &Server{opt: o, gate: newGate(o.PerUser, o.PerAddress)}
	s.closing, s.close = context.WithCancel(context.Background())
	return s
}

// Route is a method and path with its handler.
type Route struct {
	Pattern string
	Handler http.HandlerFunc
}

// Routes returns the routes of the streaming API.
func (s *Server) Routes() []Route {
	return []Route{
		{"GET /api/v1/streaming/health", s.health},
		{"GET /api/v1/streaming", s.socket},
		{"GET /api/v1/streaming/user", s.events(linnet.StreamUser)},
		{"GET /api/v1/streaming/user/notification", s.events(linnet.StreamUserNotification)},
		{"GET /api/v1/streaming/public", s.events(linnet.StreamPublic)},
		{"GET /api/v1/streaming/public/local", s.events(linnet.StreamLocal)},
		{"GET /api/v1/streaming/public/remote", s.events(linnet.StreamRemote)},
		{"GET /api/v1/streaming/hashtag", s.events(linnet.StreamTag)},
		{"GET /api/v1/streaming/hashtag/local", s.events(linnet.StreamTagLocal)},
		{"GET /api/v1/streaming/list", s.events(linnet.StreamList)},
		{"GET /api/v1/streaming/direct", s.events(linnet.StreamDirect)},
	}
}

// Shutdown closes all open streams and refuses new ones. The HTTP server must call it before it
// shuts down, because it waits for event streams and does not know WebSockets. It returns when all
// streams are closed, or the error of ctx.
func (s *Server) Shutdown(ctx context.Context) error {
	s.close()
	return s.gate.wait(ctx)
}

func (*Server) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("OK"))
}

// listening is a client with an open connection.
type listening struct {
	*live.Listener
	who     linnet.Session
	ctx     context.Context // ends with the client and with the server
	release func()
}

// open creates a listener for the session of a token, or without a user if token is "". It counts
// the request and the connection. wake is called for new events. The caller calls end.
func (s *Server) open(ctx context.Context, w http.ResponseWriter, r *http.Request, token string, wake func()) (*listening, error) {
	l := &listening{}
	if token != "" {
		who, err := s.opt.Requests.Session(r.Context(), token)
		if err != nil { // failed tokens count against rate limits
			if terr := s.opt.Requests.Throttle(w, r, linnet.Session{}); terr != nil {
				return nil, terr
			}
			return nil, err
		}
		l.who = who
	}
	if err := s.opt.Requests.Throttle(w, r, l.who); err != nil {
		return nil, err
	}
	leave, err := s.gate.enter(l.who.User, core.AddressKey(s.opt.Requests.ClientAddr(r)))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	unlink := context.AfterFunc(s.closing, cancel)
	l.ctx, l.release = ctx, func() { unlink(); cancel(); leave() }
	if s.closing.Err() != nil {
		l.release()
		return nil, linnet.Errorf(linnet.Unavailable, "The server is restarting. Reconnect in a moment.")
	}
	if l.Listener, err = s.opt.Live.Listen(ctx, l.who, wake); err != nil {
		l.release()
		return nil, err
	}
	// The server may have become private since the first check.
	if l.who.User == 0 {
		private, err := s.opt.Core.Private(ctx)
		if err == nil && private {
			err = request.ErrNoUser()
		}
		if err != nil {
			l.end()
			return nil, err
		}
	}
	return l, nil
}

// subscribe adds a stream if the session has its scope.
func (l *listening) subscribe(st linnet.Stream) error {
	if err := mayListen(l.who, st.Kind); err != nil {
		return err
	}
	return l.Subscribe(l.ctx, st)
}

// end closes the listener. It must be called once.
func (l *listening) end() {
	l.Close()
	l.release()
}
