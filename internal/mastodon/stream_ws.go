package mastodon

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"github.com/coder/websocket"

	"linnet/internal/linnet"
)

const (
	maxFrame     = 8 << 10 // bytes of a frame from a client
	maxOnSocket  = 64      // streams on one socket
	framePause   = 10 * time.Millisecond
	pongPatience = 10 * time.Second
	goodbyeTime  = time.Second
)

// errCutOff: the listener was closed because its client did not keep up, events
// were lost on their way, or the session ended.
var errCutOff = errors.New("cut off: events were lost or the session ended")

// socket is one WebSocket with its subscriptions.
type socket struct {
	*listening
	s    *streams
	conn *websocket.Conn
	stop context.CancelFunc     // breaks the connection off
	subs map[linnet.Stream]bool // of the reader only
}

// socket serves all streams over one WebSocket. Whoever may not listen is
// refused before the upgrade, so that clients see the HTTP code.
func (s *streams) socket(w http.ResponseWriter, r *http.Request) {
	if !strings.EqualFold(r.Header.Get("Upgrade"), "websocket") {
		s.api.fail(w, r, &problem{code: http.StatusNotFound,
			body: problemBody{Error: "This path takes WebSocket connections only; event streams lie below it"}})
		return
	}
	first := firstFrame(r)
	token := streamToken(r)
	if token == "" && !openToAll(linnet.StreamKind(first.Stream)) {
		s.api.fail(w, r, errBadToken())
		return
	}
	// It outlives the request.
	l, err := s.open(context.WithoutCancel(r.Context()), w, r, token)
	if err != nil {
		s.api.fail(w, r, err)
		return
	}
	l.Over("websocket")
	if err := mayListen(l.who, linnet.StreamKind(first.Stream)); err != nil && first.Stream != "" {
		l.end()
		s.api.fail(w, r, err)
		return
	}
	// Browser clients come from other origins, and no cookie is accepted here, so
	// that the origin check would protect nothing.
	conn, err := websocket.Accept(slim{w}, r, &websocket.AcceptOptions{InsecureSkipVerify: true, Subprotocols: offeredProtocols(r)})
	if err != nil {
		l.end()
		return // Accept has answered
	}
	conn.SetReadLimit(maxFrame)
	c := &socket{listening: l, s: s, conn: conn, subs: map[linnet.Stream]bool{}}
	// A socket is open for hours. The request with all that it holds, and the deep stack
	// of who answers it, are let go meanwhile.
	go c.serve(first)
}

// slim gives a connection away with buffers for what clients send here, and for most
// events, in place of the server's own, which are several times as large.
type slim struct{ http.ResponseWriter }

const (
	slimReads  = 256
	slimWrites = 1 << 10
)

// Hijack implements http.Hijacker.
func (w slim) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffers, err := http.NewResponseController(w.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("take a connection over: %w", err)
	}
	early, _ := buffers.Reader.Peek(buffers.Reader.Buffered()) // what is there is there
	reads := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(bytes.Clone(early)), conn), max(slimReads, len(early)))
	_, _ = reads.Peek(len(early)) // they are taken for what is buffered
	return conn, bufio.NewReadWriter(reads, bufio.NewWriterSize(conn, slimWrites)), nil
}

// serve runs the socket until either side ends it.
func (c *socket) serve(first frame) {
	defer c.end()
	defer c.recoverPanic()
	done := make(chan struct{})
	ctx, stop := context.WithCancel(context.WithoutCancel(c.ctx))
	c.stop = stop
	go func() {
		defer close(done)
		defer c.recoverPanic()
		c.sendEvents(ctx)
	}()
	defer func() {
		c.stop()
		<-done
		_ = c.conn.CloseNow()
	}()
	c.receive(ctx, first)
}

// recoverPanic lets a socket that fails end itself alone, as recoverPanic of the API does
// for requests. Both its goroutines defer it.
func (c *socket) recoverPanic() {
	if v := recover(); v != nil {
		c.s.api.svc.Moderation.NoteFault()
		c.s.api.log.Error("panic", "path", "/api/v1/streaming", "value", v, "stack", string(debug.Stack()))
		_ = c.conn.CloseNow() // which ends the other
	}
}

// sendEvents writes events and pings until the reader stops, a write fails, the
// server stops, or the listener is cut off. It closes the connection, which ends the reader.
func (c *socket) sendEvents(ctx context.Context) {
	tick := time.NewTicker(2 * c.s.opt.Thump)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-c.ctx.Done():
			c.hangUp(websocket.StatusGoingAway, "the server is stopping; connect again")
			return
		case <-tick.C:
			go c.ping(ctx)
		case ev, open := <-c.Events():
			if !open {
				c.hangUp(websocket.StatusTryAgainLater, "events were lost or the session ended; connect again")
				return
			}
			if err := c.send(ctx, *ev); err != nil {
				_ = c.conn.CloseNow()
				return
			}
		}
	}
}

// hangUp says why the connection ends. A client that does not answer is given a
// second: the server's own end must not wait for the dead. The code is never the
// normal one, after which some clients do not come back.
func (c *socket) hangUp(code websocket.StatusCode, why string) {
	late := time.AfterFunc(goodbyeTime, c.stop)
	defer late.Stop()
	_ = c.conn.Close(code, why)
}

// ping ends the connection if the client does not answer.
func (c *socket) ping(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pongPatience)
	defer cancel()
	if err := c.conn.Ping(ctx); err != nil {
		_ = c.conn.CloseNow()
	}
}

// eventFrame is a frame to the client. The payload is JSON inside a string.
type eventFrame struct {
	Stream  []string         `json:"stream"`
	Event   linnet.EventType `json:"event"`
	Payload *string          `json:"payload,omitempty"` // nil: the event says nothing more
}

func (c *socket) send(ctx context.Context, ev linnet.StreamEvent) error {
	text, ok, err := c.s.payload(c.who, ev)
	if err != nil {
		c.s.api.log.Error("stream event left out", "error", err)
	}
	if err != nil || !ok {
		return nil
	}
	f := eventFrame{Stream: streamWords(ev.Stream), Event: ev.Type}
	if text != nil {
		payload := string(text)
		f.Payload = &payload
	}
	return c.write(ctx, f)
}

// write sends one frame, or fails when the client does not accept it in time.
// Reader and writer may both call it.
func (c *socket) write(ctx context.Context, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write a frame: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, c.s.opt.Write)
	defer cancel()
	if err := c.conn.Write(ctx, websocket.MessageText, text); err != nil {
		return fmt.Errorf("send a frame: %w", err)
	}
	return nil
}
