package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/live"
)

// Open pages report new statuses. The stream only announces them, and the reader decides when to
// load them, so that the page doesn't move.

const (
	livePath  = "/live"
	liveThump = 15 * time.Second // between signs of life
	liveWrite = 10 * time.Second // for a browser to take one piece
	liveRetry = time.Second      // after which a browser whose stream ended comes back
	liveMost  = 16               // open streams of one person: one for each window that is looked at
)

// Streams reports whether a path's answer stays open, so that whoever limits the
// time of answers or compresses them leaves it alone.
func Streams(path string) bool { return path == livePath }

// liveAddress returns the address of live updates of a timeline: its name for liveTimeline, and the
// first position on the page. It returns "" for visitors, and for all but the newest page.
func (c *call) liveAddress(timeline url.Values, p linnet.Page, first linnet.Cursor) string {
	if c.me == nil || timeline == nil || p.Max != "" || p.Min != "" {
		return ""
	}
	since := first
	if since == "" {
		since = linnet.CursorOf(1) // the timeline is empty: all that comes is new
	}
	return livePath + "?" + timeline.Encode() + "&since=" + url.QueryEscape(string(since))
}

// liveTimeline is a timeline with live updates.
type liveTimeline struct {
	stream linnet.Stream
	talk   linnet.ID // only this conversation; 0 for any
	thread linnet.ID // only the thread with this root; 0 for any
	read   func(context.Context, linnet.Page) (linnet.Slice[linnet.StatusView], error)
}

// liveTimeline finds the timeline that the address names.
func (c *call) liveTimeline() (t liveTimeline, err error) {
	q, s, me := c.r.URL.Query(), c.svc, c.viewer()
	type page = linnet.Slice[linnet.StatusView]
	switch q.Get("of") {
	case "home":
		t.stream.Kind = linnet.StreamUser
		t.read = func(ctx context.Context, p linnet.Page) (page, error) { return s.Reading.Home(ctx, me, p) }
	case "local":
		t.stream.Kind = linnet.StreamLocal
		t.read = func(ctx context.Context, p linnet.Page) (page, error) {
			return s.Reading.Public(ctx, me, linnet.PublicQuery{}, p)
		}
	case "tag":
		t.stream = linnet.Stream{Kind: linnet.StreamTag, Tag: q.Get("tag")}
		t.read = func(ctx context.Context, p linnet.Page) (page, error) {
			return s.Reading.Tag(ctx, me, linnet.TagQuery{Tag: q.Get("tag")}, p)
		}
	case "list":
		id, _ := linnet.ParseListID(q.Get("list"))
		t.stream = linnet.Stream{Kind: linnet.StreamList, List: id}
		t.read = func(ctx context.Context, p linnet.Page) (page, error) {
			return s.Discovery.ListTimeline(ctx, me, id, p)
		}
	case "talk":
		t.talk, _ = linnet.ParseID(q.Get("talk"))
		t.stream.Kind = linnet.StreamDirect
		t.read = func(ctx context.Context, p linnet.Page) (page, error) {
			return s.Posting.ConversationStatuses(ctx, me, t.talk, p)
		}
	case "thread":
		return c.liveThread(q.Get("status"))
	default:
		return t, errNowhere()
	}
	return t, nil
}

// live sends server-sent events: "post" with the id of a new status, "gone" with that of a deleted
// one, and "edited" with that of an edited one. A client names the last known position in since or
// Last-Event-ID, and first receives the statuses since, at most MaxPage.
// https://html.spec.whatwg.org/multipage/server-sent-events.html
func (c *call) live() error {
	t, err := c.liveTimeline()
	if err != nil {
		return err
	}
	leave, err := c.lines.enter(c.me.ID)
	if err != nil {
		return err
	}
	defer leave()
	session, err := c.svc.Identity.Session(c.r.Context(), c.token)
	if err != nil {
		return err
	}
	woken, wake := live.Signal()
	l, err := c.svc.Live.Listen(c.r.Context(), session, wake)
	if err != nil {
		return err
	}
	defer l.Close()
	l.Over("sse")
	if err := l.Subscribe(c.r.Context(), t.stream); err != nil {
		return err
	}
	// Read after subscribing, so that no status is missed.
	missed, err := c.missed(t)
	if err != nil {
		return err
	}
	return c.tell(l, woken, missed, t)
}

// missed are the statuses above the position that the browser knows, oldest first.
func (c *call) missed(t liveTimeline) ([]linnet.StatusView, error) {
	since := c.r.Header.Get("Last-Event-ID")
	if since == "" {
		since = c.r.URL.Query().Get("since")
	}
	if since == "" {
		return nil, nil
	}
	posts, err := t.read(c.r.Context(), linnet.Page{Min: linnet.Cursor(since), Limit: linnet.MaxPage})
	if err != nil {
		return nil, fmt.Errorf("read new posts: %w", err)
	}
	shown := visible(posts.Items)
	for i, j := 0, len(shown)-1; i < j; i, j = i+1, j-1 {
		shown[i], shown[j] = shown[j], shown[i]
	}
	return shown, nil
}

// tell writes events until either side ends. The response has started, so errors can't become pages
// any more.
func (c *call) tell(l *live.Listener, woken <-chan struct{}, missed []linnet.StatusView, t liveTimeline) error {
	h := c.w.Header()
	secureHeaders(h, "")
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // nginx would hold events back
	c.w.WriteHeader(http.StatusOK)
	if c.r.Method == http.MethodHead {
		return nil
	}
	var first strings.Builder
	fmt.Fprintf(&first, "retry: %d\n\n", liveRetry.Milliseconds())
	for _, s := range missed {
		first.WriteString(liveEvent("post", s.ID))
	}
	rc := http.NewResponseController(c.w)
	if errors.Join(rc.SetReadDeadline(time.Time{}), c.push(rc, first.String())) != nil {
		return nil
	}
	tick := time.NewTicker(liveThump)
	defer tick.Stop()
	for {
		piece := ":\n\n"
		select {
		case <-c.r.Context().Done():
			return nil
		case <-c.opts.Stopping:
			return nil
		case <-tick.C:
		case <-woken:
			var open bool
			if piece, open = liveTexts(l, t); !open {
				return nil // the browser reconnects and gets the missed events
			}
		}
		if piece != "" && c.push(rc, piece) != nil {
			return nil
		}
	}
}

// push writes a piece and sends it on its way.
func (c *call) push(rc *http.ResponseController, piece string) error {
	if err := rc.SetWriteDeadline(time.Now().Add(liveWrite)); err != nil {
		return err
	}
	if _, err := c.w.Write([]byte(piece)); err != nil {
		return err
	}
	return rc.Flush()
}

// liveTexts are all events that wait; false: the connection has ended.
func liveTexts(l *live.Listener, t liveTimeline) (string, bool) {
	var all strings.Builder
	for {
		ev, open := l.Next()
		if ev == nil {
			return all.String(), open
		}
		all.WriteString(liveText(*ev, t))
	}
}

// liveText returns the text of an event; "" for none.
func liveText(ev linnet.StreamEvent, t liveTimeline) string {
	talk := t.talk
	switch {
	case t.thread != 0 && (ev.Type == linnet.EventUpdate || ev.Type == linnet.EventNotification):
		if s := answerIn(ev); s != nil && s.Conversation == t.thread && len(visible([]linnet.StatusView{*s})) > 0 {
			return liveEvent("post", s.ID)
		}
	case ev.Type == linnet.EventConversation:
		if v := ev.Conversation; talk != 0 && v != nil && v.ID == talk && v.Status != nil && len(visible([]linnet.StatusView{*v.Status})) > 0 {
			return liveEvent("post", v.Status.ID)
		}
	case ev.Type == linnet.EventDelete:
		return "event: gone\ndata: " + ev.Deleted.String() + "\n\n"
	case ev.Type == linnet.EventEdit:
		return "event: edited\ndata: " + ev.Status.ID.String() + "\n\n"
	case ev.Type == linnet.EventUpdate && ev.Status != nil && len(visible([]linnet.StatusView{*ev.Status})) > 0:
		return liveEvent("post", ev.Status.ID)
	}
	return ""
}

// liveEvent is an event after which the browser knows the position of its status.
func liveEvent(name string, id linnet.ID) string {
	return "id: " + id.String() + "\nevent: " + name + "\ndata: " + id.String() + "\n\n"
}
