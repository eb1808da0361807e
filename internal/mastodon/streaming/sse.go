package streaming

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/live"
	"linnet/internal/mastodon/request"
)

// events serves one stream as server-sent events.
// https://html.spec.whatwg.org/multipage/server-sent-events.html
func (s *Server) events(kind linnet.StreamKind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		k := kind
		if only := q.Get("only_media"); only != "" && request.Truth(only) {
			k = withMedia(k)
		}
		st, err := parseStream(string(k), q.Get("tag"), q.Get("list"))
		if err != nil {
			s.opt.Requests.Fail(w, r, err)
			return
		}
		if r.ProtoMajor == 1 && r.Method != http.MethodHead {
			err = s.holdEvents(w, r, st)
		} else {
			err = s.pumpEvents(w, r, st)
		}
		if err != nil {
			s.opt.Requests.Fail(w, r, err)
		}
	}
}

// listenForEvents opens a listener of one stream. The caller ends it.
func (s *Server) listenForEvents(ctx context.Context, w http.ResponseWriter, r *http.Request, st linnet.Stream, wake func()) (*listening, error) {
	l, err := s.open(ctx, w, r, Token(r), wake)
	if err != nil {
		return nil, err
	}
	l.Over("sse")
	if err := l.subscribe(st); err != nil {
		l.end()
		return nil, err
	}
	return l, nil
}

// eventStream is an event stream over HTTP/1.1, which has a connection for itself. Taken over from
// the server, it needs an eighth of the memory.
type eventStream struct{ held }

// holdEvents takes over the connection of a request and serves a stream on it. The caller sends an
// error.
func (s *Server) holdEvents(w http.ResponseWriter, r *http.Request, st linnet.Stream) error {
	e := &eventStream{held: held{s: s, over: overSSE}}
	ready := make(chan struct{}) // closed when events can be written, or never will be
	defer close(ready)
	// The stream outlives the request.
	l, err := s.listenForEvents(context.WithoutCancel(r.Context()), w, r, st, func() { go e.sendEvents(ready) })
	if err != nil {
		return err
	}
	w.Header().Set("Transfer-Encoding", "identity") // ends with the connection
	startEvents(w)
	conn, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		l.end()
		return fmt.Errorf("take over the connection of an event stream: %w", err)
	}
	e.listening, e.raw = l, conn
	e.cut = func() { _ = conn.Close() }
	e.open.Store(true)
	if err := e.write([]byte(firstLine)); err != nil { // the reader notices a broken connection
		_ = conn.Close()
	}
	// A new goroutine releases the request and the deep stack of its handler.
	go e.serve(e.drain, e.heartbeat, s.opt.Heartbeat, e.cut)
	return nil
}

// drain reads and discards input until the connection is closed.
func (e *eventStream) drain() {
	var said [16]byte
	for {
		if _, err := e.raw.Read(said[:]); err != nil {
			return
		}
	}
}

// Comments in an event stream: the first line and the heartbeat.
const (
	firstLine     = ":)\n"
	heartbeatLine = ":thump\n"
)

// heartbeat keeps the stream open in clients and proxies.
func (e *eventStream) heartbeat() error { return e.write([]byte(heartbeatLine)) }

// pumpEvents serves a stream as a response of the HTTP server. HTTP/2 requires it, because streams
// share a connection. The caller sends an error.
func (s *Server) pumpEvents(w http.ResponseWriter, r *http.Request, st linnet.Stream) error {
	woken, wake := live.Signal()
	l, err := s.listenForEvents(r.Context(), w, r, st, wake)
	if err != nil {
		return err
	}
	defer l.end()
	startEvents(w)
	if r.Method == http.MethodHead {
		return nil
	}
	if err := s.pump(l, w, woken); err != nil && l.ctx.Err() == nil {
		s.opt.Log.Debug("stream ended", "stream", st.Kind, "user", l.who.User, "cause", err)
	}
	return nil
}

func startEvents(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
	w.WriteHeader(http.StatusOK)
}

// pump writes events until the listener is cut off, the client disconnects, or a write times out.
func (s *Server) pump(l *listening, w http.ResponseWriter, woken <-chan struct{}) error {
	out := eventWriter{w: w, rc: http.NewResponseController(w), timeout: s.opt.Write}
	// A server's read time-out would otherwise end the stream with the request.
	if err := out.rc.SetReadDeadline(time.Time{}); err != nil {
		return fmt.Errorf("clear the read deadline of an event stream: %w", err)
	}
	if err := out.write([]byte(firstLine)); err != nil {
		return err
	}
	tick := time.NewTicker(s.opt.Heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return context.Cause(l.ctx)
		case <-tick.C:
			if err := out.write([]byte(heartbeatLine)); err != nil {
				return err
			}
		case <-woken:
			if err := s.writeEvents(l, out); err != nil {
				return err
			}
		}
	}
}

// writeEvents writes all queued events.
func (s *Server) writeEvents(l *listening, out eventWriter) error {
	for {
		ev, open := l.Next()
		switch {
		case !open:
			return errCutOff
		case ev == nil:
			return nil
		}
		if piece := s.form(l.who, ev, overSSE); piece != nil {
			if err := out.write(piece); err != nil {
				return err
			}
		}
	}
}

// eventWriter writes and flushes events. It renews the write deadline with each event, because the
// stream has none.
type eventWriter struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	timeout time.Duration
}

func (o eventWriter) write(piece []byte) error {
	if err := o.rc.SetWriteDeadline(time.Now().Add(o.timeout)); err != nil {
		return fmt.Errorf("set the write deadline of an event: %w", err)
	}
	if _, err := o.w.Write(piece); err != nil {
		return fmt.Errorf("write an event: %w", err)
	}
	if err := o.rc.Flush(); err != nil {
		return fmt.Errorf("send an event: %w", err)
	}
	return nil
}
