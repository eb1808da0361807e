package streaming

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/mastodon/request"
)

const (
	maxFrame     = 8 << 10 // bytes of a frame from a client
	maxOnSocket  = 64      // streams on one socket
	framePause   = 10 * time.Millisecond
	pongPatience = 10 * time.Second
	goodbyeTime  = time.Second
)

// errCutOff means that the listener was closed: its client was too slow, events were missed, or
// the session ended.
var errCutOff = errors.New("connection closed: events were missed or the session ended")

// errPanicked means that handling a message panicked. The panic was logged.
var errPanicked = errors.New("frame handler panicked")

// socket is a WebSocket with its subscriptions.
type socket struct {
	held
	lang *locale.Language       // of error messages
	conn *websocket.Conn        // wraps raw. It would write a frame with two system calls, which are most of the cost of an event
	subs map[linnet.Stream]bool // of the reader only
}

// socket serves all streams over one WebSocket. It refuses unauthorised clients before the
// upgrade, so that they get the status code.
func (s *Server) socket(w http.ResponseWriter, r *http.Request) {
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		s.opt.Requests.Fail(w, r, &request.Problem{Code: http.StatusNotFound,
			Body: request.ErrorBody{Error: "This path accepts only WebSocket connections. For server-sent events use a path such as /api/v1/streaming/user"}})
		return
	}
	q := r.URL.Query()
	first := frame{Type: "subscribe", Stream: q.Get("stream"), Tag: q.Get("tag"), List: q.Get("list")}
	token := Token(r)
	if token == "" && !openToAll(linnet.StreamKind(first.Stream)) {
		s.opt.Requests.Fail(w, r, request.ErrBadToken())
		return
	}
	c := &socket{held: held{s: s, over: overSocket}, lang: request.Language(r), subs: map[linnet.Stream]bool{}}
	ready := make(chan struct{}) // closed when events can be written, or never will be
	defer close(ready)
	// The stream outlives the request.
	l, err := s.open(context.WithoutCancel(r.Context()), w, r, token, func() { go c.sendEvents(ready) })
	if err != nil {
		s.opt.Requests.Fail(w, r, err)
		return
	}
	l.Over("websocket")
	if err := mayListen(l.who, linnet.StreamKind(first.Stream)); err != nil && first.Stream != "" {
		l.end()
		s.opt.Requests.Fail(w, r, err)
		return
	}
	c.listening = l
	var refused error
	if first.Stream != "" { // before the handshake, so that a connected client misses no event
		refused = c.apart(func() error { return c.do(first) })
	}
	if errors.Is(refused, errPanicked) {
		l.end()
		s.opt.Requests.Fail(w, r, refused)
		return
	}
	// Browser clients come from other origins, and no cookie is accepted here, so
	// that the origin check would protect nothing.
	thin := &slim{ResponseWriter: w}
	conn, err := websocket.Accept(thin, r, &websocket.AcceptOptions{InsecureSkipVerify: true, Subprotocols: offeredProtocols(r)})
	if err != nil {
		l.end()
		return // Accept has sent the error
	}
	conn.SetReadLimit(maxFrame)
	c.conn, c.raw = conn, thin.conn
	c.cut = func() {
		c.hangUp(websocket.StatusTryAgainLater, "events were missed or the session ended: connect again")
	}
	c.open.Store(true)
	_ = c.reply(refused) // the reader notices a broken connection
	// A new goroutine releases the request and the deep stack of its handler.
	go c.serve(c.receive, c.ping, 2*s.opt.Heartbeat, func() { c.hangUp(websocket.StatusGoingAway, "the server is stopping: connect again later") })
}

// slim takes over a connection with small buffers instead of the server's.
type slim struct {
	http.ResponseWriter
	conn net.Conn // the connection that was taken over
}

const (
	slimReads  = 256
	slimWrites = 256 // enough for a control frame; events bypass the buffer
)

// Hijack implements http.Hijacker.
func (w *slim) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("take over a connection: %w", err)
	}
	w.conn = conn
	early, _ := buffers.Reader.Peek(buffers.Reader.Buffered()) // Peek of the buffered bytes cannot fail
	reads := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(early)), conn), max(slimReads, len(early)))
	_, _ = reads.Peek(len(early)) // so that they count as buffered
	return conn, bufio.NewReadWriter(reads, bufio.NewWriterSize(conn, slimWrites)), nil
}

// apart runs do in a new goroutine and waits for it. The reader's stack would otherwise stay large
// as long as the socket is open.
func (c *socket) apart(do func() error) error {
	done := make(chan error, 1)
	go func() {
		err := errPanicked
		defer func() { done <- err }()
		defer c.recoverPanic()
		err = do()
	}()
	return <-done
}

// hangUp closes the connection with a reason. It waits at most a second for the client. It never
// uses the normal code, after which some clients do not reconnect.
func (c *socket) hangUp(code websocket.StatusCode, why string) {
	if !c.open.Load() {
		return
	}
	late := time.AfterFunc(goodbyeTime, func() { _ = c.raw.Close() })
	defer late.Stop()
	_ = c.conn.Close(code, why)
}

// ping returns an error if the client does not respond.
func (c *socket) ping() error {
	ctx, cancel := context.WithTimeout(context.Background(), pongPatience)
	defer cancel()
	return c.conn.Ping(ctx)
}
