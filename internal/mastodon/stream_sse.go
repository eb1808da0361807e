package mastodon

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/live"
)

// events serves one stream as server-sent events.
// https://html.spec.whatwg.org/multipage/server-sent-events.html
func (s *streams) events(kind linnet.StreamKind) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		k := kind
		if only, _ := parseBool(q.Get("only_media")); only {
			k = withMedia(k)
		}
		st, err := parseStream(string(k), q.Get("tag"), q.Get("list"))
		if err != nil {
			s.api.fail(w, r, err)
			return
		}
		woken, wake := live.Signal()
		l, err := s.open(r.Context(), w, r, streamToken(r), wake)
		if err != nil {
			s.api.fail(w, r, err)
			return
		}
		l.Over("sse")
		defer l.end()
		if err := l.subscribe(st); err != nil {
			s.api.fail(w, r, err)
			return
		}
		startEvents(w)
		if r.Method == http.MethodHead {
			return
		}
		if err := s.pump(l, w, woken); err != nil && l.ctx.Err() == nil {
			s.api.log.Debug("stream ended", "stream", st.Kind, "user", l.who.User, "cause", err)
		}
	}
}

func startEvents(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
	w.WriteHeader(http.StatusOK)
}

// pump writes events until the listener is cut off, the client is gone, or it
// takes longer than allowed to accept one.
func (s *streams) pump(l *listening, w http.ResponseWriter, woken <-chan struct{}) error {
	out := eventWriter{w: w, rc: http.NewResponseController(w), timeout: s.opt.Write}
	// A server's read time-out would otherwise end the stream with the request.
	if err := out.rc.SetReadDeadline(time.Time{}); err != nil {
		return fmt.Errorf("lift the read deadline of an event stream: %w", err)
	}
	if err := out.write([]byte(":)\n")); err != nil {
		return err
	}
	tick := time.NewTicker(s.opt.Thump)
	defer tick.Stop()
	for {
		select {
		case <-l.ctx.Done():
			return context.Cause(l.ctx)
		case <-tick.C:
			if err := out.write([]byte(":thump\n")); err != nil {
				return err
			}
		case <-woken:
			if err := s.writeEvents(l, out); err != nil {
				return err
			}
		}
	}
}

// writeEvents writes all events that wait.
func (s *streams) writeEvents(l *listening, out eventWriter) error {
	for {
		ev, open := l.Next()
		switch {
		case !open:
			return errCutOff
		case ev == nil:
			return nil
		}
		if err := s.writeEvent(l, out, ev); err != nil {
			return err
		}
	}
}

func (s *streams) writeEvent(l *listening, out eventWriter, ev *linnet.StreamEvent) error {
	piece, err := s.form(l.who, ev, overSSE)
	if err != nil {
		s.api.log.Error("stream event left out", "error", err)
	}
	if piece == nil {
		return nil
	}
	return out.write(piece)
}

// eventWriter writes pieces of an event stream and pushes each to the client. The
// deadline is renewed with each piece: the stream as a whole has none.
type eventWriter struct {
	w       http.ResponseWriter
	rc      *http.ResponseController
	timeout time.Duration
}

func (o eventWriter) write(piece []byte) error {
	if err := o.rc.SetWriteDeadline(time.Now().Add(o.timeout)); err != nil {
		return fmt.Errorf("set the deadline of an event: %w", err)
	}
	if _, err := o.w.Write(piece); err != nil {
		return fmt.Errorf("write an event: %w", err)
	}
	if err := o.rc.Flush(); err != nil {
		return fmt.Errorf("send an event: %w", err)
	}
	return nil
}
