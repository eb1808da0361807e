package mastodon

import (
	"cmp"
	"context"
	"net/http"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/live"
	"linnet/internal/mastodon/request"
)

// StreamOptions bound what open streams may cost. A zero field means its default.
type StreamOptions struct {
	// Thump is the pause between signs of life on an idle event stream, 15 s by
	// default; a WebSocket is pinged every second time.
	Thump time.Duration
	// PerUser is the number of connections that one user may hold open, 32 by
	// default: some devices with some windows each.
	PerUser int
	// PerAddress is the same for those who are not logged in, by network address.
	PerAddress int
	// Write is how long a client may take to accept one event before it is cut
	// off, 10 s by default.
	Write time.Duration
}

func (o StreamOptions) withDefaults() StreamOptions {
	if o.Thump <= 0 {
		o.Thump = 15 * time.Second
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

// streams serves the streaming API: server-sent events and the WebSocket.
// https://docs.joinmastodon.org/methods/streaming/
type streams struct {
	api  *API
	opt  StreamOptions
	gate *gate
	// closing ends when the server does; no stream outlives it.
	closing context.Context
	close   context.CancelFunc
}

func newStreams(a *API, o StreamOptions) *streams {
	o = o.withDefaults()
	s := &streams{api: a, opt: o, gate: newGate(o.PerUser, o.PerAddress)}
	s.closing, s.close = context.WithCancel(context.Background())
	return s
}

// routesStream enters the streaming API into the route table.
func (a *API) routesStream() {
	s := a.streams
	a.handle("GET /api/v1/streaming/health", tokenOfStream, s.health)
	a.handle("GET /api/v1/streaming", tokenOfStream, s.socket)
	for path, kind := range map[string]linnet.StreamKind{
		"user":              linnet.StreamUser,
		"user/notification": linnet.StreamUserNotification,
		"public":            linnet.StreamPublic,
		"public/local":      linnet.StreamLocal,
		"public/remote":     linnet.StreamRemote,
		"hashtag":           linnet.StreamTag,
		"hashtag/local":     linnet.StreamTagLocal,
		"list":              linnet.StreamList,
		"direct":            linnet.StreamDirect,
	} {
		a.handle("GET /api/v1/streaming/"+path, tokenOfStream, s.events(kind))
	}
}

// CloseStreams ends all open streams and refuses new ones, so that the HTTP
// server can shut down: it waits for event streams, and knows nothing of
// WebSockets. It returns when all have ended, or with ctx's error.
func (a *API) CloseStreams(ctx context.Context) error {
	a.streams.close()
	return a.streams.gate.wait(ctx)
}

func (*streams) health(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte("OK"))
}

// listening is one client with an open connection.
type listening struct {
	*live.Listener
	who     linnet.Session
	ctx     context.Context // ends with the client and with the server
	release func()
}

// open lets one client in: it looks up the session of token ("" is nobody),
// counts the request like any other, and takes a place at the gate. wake is told of
// events. The caller ends it with end; what it hears ends with ctx too.
func (s *streams) open(ctx context.Context, w http.ResponseWriter, r *http.Request, token string, wake func()) (*listening, error) {
	l := &listening{}
	if token != "" {
		who, err := s.api.srv.Session(r.Context(), token)
		if err != nil { // who tries tokens is counted as everywhere else
			if terr := s.api.srv.Throttle(w, r, linnet.Session{}); terr != nil {
				return nil, terr
			}
			return nil, err
		}
		l.who = who
	}
	if err := s.api.srv.Throttle(w, r, l.who); err != nil {
		return nil, err
	}
	leave, err := s.gate.enter(l.who.User, core.AddressKey(s.api.srv.ClientAddr(r)))
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	unlink := context.AfterFunc(s.closing, cancel)
	l.ctx, l.release = ctx, func() { unlink(); cancel(); leave() }
	if s.closing.Err() != nil {
		l.release()
		return nil, linnet.Errorf(linnet.Unavailable, "The server is restarting. Connect again in a moment.")
	}
	if l.Listener, err = s.api.svc.Live.Listen(ctx, l.who, wake); err != nil {
		l.release()
		return nil, err
	}
	// The streams of strangers may have been ended just before this one came.
	if private, err := s.api.svc.Core.Private(ctx); l.who.User == 0 && (private || err != nil) {
		l.end()
		return nil, cmp.Or(err, request.ErrNoUser())
	}
	return l, nil
}

// subscribe adds a stream, if the session's scopes allow it.
func (l *listening) subscribe(st linnet.Stream) error {
	if err := mayListen(l.who, st.Kind); err != nil {
		return err
	}
	return l.Subscribe(l.ctx, st)
}

// end leaves the gate. It may be called once.
func (l *listening) end() {
	l.Close()
	l.release()
}
