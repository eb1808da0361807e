package timeline

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/live"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// Limits of live updates. A stream only announces new statuses. The reader decides when to load
// them, so that the page doesn't move.
const (
	liveHeartbeat = 15 * time.Second // time between heartbeats
	liveWrite     = 10 * time.Second // timeout of a write
	liveRetry     = time.Second      // time after which a browser reconnects
	unreadGap     = 3 * time.Second  // minimum time between counts of unread items
	maxStreams    = 16               // open streams of a user: one for each visible window
)

// liveTimeline is a timeline with live updates.
type liveTimeline struct {
	stream       linnet.Stream
	home         bool      // without direct messages
	conversation linnet.ID // only this conversation; 0 for any
	thread       linnet.ID // only the thread with this root; 0 for any
	read         func(context.Context, linnet.Page) (linnet.Slice[linnet.StatusView], error)
}

// liveTimeline returns the timeline in the address.
func (h *Pages) liveTimeline(c *page.Context) (t liveTimeline, err error) {
	q, me := c.Request.URL.Query(), c.Viewer()
	type posts = linnet.Slice[linnet.StatusView]
	switch q.Get("of") {
	case "home":
		t.stream.Kind, t.home = linnet.StreamUser, true
		t.read = func(ctx context.Context, p linnet.Page) (posts, error) { return h.Reading.HomePosts(ctx, me, p) }
	case "local":
		t.stream.Kind = linnet.StreamLocal
		t.read = func(ctx context.Context, p linnet.Page) (posts, error) {
			return h.Reading.Public(ctx, me, linnet.PublicQuery{}, p)
		}
	case "tag":
		t.stream = linnet.Stream{Kind: linnet.StreamTag, Tag: q.Get("tag")}
		t.read = func(ctx context.Context, p linnet.Page) (posts, error) {
			return h.Reading.Tag(ctx, me, linnet.TagQuery{Tag: q.Get("tag")}, p)
		}
	case "list":
		id, _ := linnet.ParseListID(q.Get("list"))
		t.stream = linnet.Stream{Kind: linnet.StreamList, List: id}
		t.read = func(ctx context.Context, p linnet.Page) (posts, error) {
			return h.Feeds.ListTimeline(ctx, me, id, p)
		}
	case "talk":
		t.conversation, _ = linnet.ParseID(q.Get("talk"))
		t.stream.Kind = linnet.StreamDirect
		t.read = func(ctx context.Context, p linnet.Page) (posts, error) {
			return h.Posting.Conversations.Statuses(ctx, me, t.conversation, p)
		}
	case "thread":
		return h.liveThread(c, q.Get("status"))
	default:
		return t, page.NotFound()
	}
	return t, nil
}

// serveLive sends server-sent events with the id of a status: "post" for a new one, "gone" for a
// deleted one, "edited", and "counts" with its numbers of replies, boosts and favourites. "unread"
// has the numbers of unread notifications and conversations. A client sends the last known position
// in since or Last-Event-ID. It first receives the later statuses, at most MaxPage.
// https://html.spec.whatwg.org/multipage/server-sent-events.html
func (h *Pages) serveLive(c *page.Context) error {
	if err := page.CheckReader(c); err != nil {
		return err
	}
	t, err := h.liveTimeline(c)
	if err != nil {
		return err
	}
	leave, err := h.streams.enter(c.Me.ID)
	if err != nil {
		return err
	}
	defer leave()
	session, err := h.Identity.Session(c.Request.Context(), c.SessionToken)
	if err != nil {
		return err
	}
	woken, wake := live.Signal()
	l, err := h.Live.Listen(c.Request.Context(), session, wake)
	if err != nil {
		return err
	}
	defer l.Close()
	l.Over("sse")
	for _, st := range []linnet.Stream{t.stream, {Kind: linnet.StreamUserNotification}, {Kind: linnet.StreamDirect}} {
		if err := l.Subscribe(c.Request.Context(), st); err != nil {
			return err
		}
	}
	// Read after subscribing, so that no status is missed.
	missed, err := missed(c, t)
	if err != nil {
		return err
	}
	return sendEvents(c, l, woken, missed, t)
}

// missed returns the statuses after the position that the browser knows, oldest first.
func missed(c *page.Context, t liveTimeline) ([]linnet.StatusView, error) {
	since := c.Request.Header.Get("Last-Event-ID")
	if since == "" {
		since = c.Request.URL.Query().Get("since")
	}
	if since == "" {
		return nil, nil
	}
	posts, err := t.read(c.Request.Context(), linnet.Page{Min: linnet.Cursor(since), Limit: linnet.MaxPage})
	if err != nil {
		return nil, fmt.Errorf("read new posts: %w", err)
	}
	shown := post.Visible(posts.Items)
	for i, j := 0, len(shown)-1; i < j; i, j = i+1, j-1 {
		shown[i], shown[j] = shown[j], shown[i]
	}
	return shown, nil
}

// sendEvents writes events until either side closes the connection. The response has started, so
// errors can't become pages any more.
func sendEvents(c *page.Context, l *live.Listener, woken <-chan struct{}, missed []linnet.StatusView, t liveTimeline) error {
	h := c.Writer.Header()
	page.SecureHeaders(h, "")
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // otherwise nginx buffers events
	c.Writer.WriteHeader(http.StatusOK)
	if c.Request.Method == http.MethodHead {
		return nil
	}
	var first strings.Builder
	fmt.Fprintf(&first, "retry: %d\n\n", liveRetry.Milliseconds())
	first.WriteString(unreadText(c))
	for _, s := range missed {
		first.WriteString(liveEvent("post", s.ID))
	}
	counted, due := time.Now(), (<-chan time.Time)(nil) // due is nil if the page has the current numbers
	rc := http.NewResponseController(c.Writer)
	if errors.Join(rc.SetReadDeadline(time.Time{}), sendPost(c, rc, first.String())) != nil {
		return nil
	}
	tick := time.NewTicker(liveHeartbeat)
	defer tick.Stop()
	for {
		piece := ":\n\n"
		select {
		case <-c.Request.Context().Done():
			return nil
		case <-c.Opts.Stopping:
			return nil
		case <-tick.C:
		case <-due:
			counted, due = time.Now(), nil
			piece = unreadText(c)
		case <-woken:
			var unread, open bool
			if piece, unread, open = liveTexts(l, t); !open {
				return nil // the browser reconnects and gets the missed events
			}
			if unread && due == nil {
				due = time.After(time.Until(counted.Add(unreadGap)))
			}
		}
		if piece != "" && sendPost(c, rc, piece) != nil {
			return nil
		}
	}
}

// sendPost writes a piece of the stream and flushes it.
func sendPost(c *page.Context, rc *http.ResponseController, piece string) error {
	if err := rc.SetWriteDeadline(time.Now().Add(liveWrite)); err != nil {
		return err
	}
	if _, err := c.Writer.Write([]byte(piece)); err != nil {
		return err
	}
	return rc.Flush()
}

// liveTexts returns all pending events. unread reports whether they change the numbers of unread
// items. open is false if the subscription has ended.
func liveTexts(l *live.Listener, t liveTimeline) (texts string, unread, open bool) {
	var all strings.Builder
	for {
		ev, open := l.Next()
		if ev == nil {
			return all.String(), unread, open
		}
		unread = unread || ev.Type == linnet.EventNotification || ev.Type == linnet.EventConversation
		if ev.Stream.Kind == t.stream.Kind {
			all.WriteString(liveText(*ev, t))
		}
		if ev.Stream.Kind == linnet.StreamUserNotification && ev.Notification != nil {
			all.WriteString(countsText(ev.Notification.Status))
		} else if ev.Type == linnet.EventUpdate && ev.Status != nil && ev.Status.Repost != nil {
			all.WriteString(countsText(ev.Status.Repost))
		}
	}
}

// unreadText returns the event with the numbers of unread notifications and conversations. If they
// can't be read, the page keeps the previous ones.
func unreadText(c *page.Context) string {
	notices, conversations, err := page.Unread(c)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("event: unread\ndata: %d %d\n\n", notices, conversations)
}

// countsText returns the event with the numbers below a status. The stream's events about a status
// contain these numbers, so no further reads are needed.
func countsText(s *linnet.StatusView) string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("event: counts\ndata: %s %d %d %d\n\n", s.ID, s.Replies, s.Reposts, s.Favourites)
}

// maxCounts is the maximum number of statuses whose numbers are read at once.
const maxCounts = 40

// serveCounts returns the numbers of replies, boosts and favourites of the statuses in the
// parameter "of", as JSON by id. Statuses that the reader may not see are left out. The script asks
// for the posts in the window twice a minute.
func (h *Pages) serveCounts(c *page.Context) error {
	var ids []linnet.ID
	for digits := range strings.SplitSeq(c.Request.URL.Query().Get("of"), ",") {
		if id, ok := linnet.ParseID(digits); ok && len(ids) < maxCounts {
			ids = append(ids, id)
		}
	}
	posts, err := h.View.Statuses(c.Request.Context(), c.Me.ID, ids)
	if err != nil {
		return fmt.Errorf("read the counters of posts: %w", err)
	}
	counts := make(map[string][3]int64, len(posts))
	for _, s := range posts {
		counts[s.ID.String()] = [3]int64{s.Replies, s.Reposts, s.Favourites}
	}
	return c.JSON(counts)
}

// liveText returns the text of an event; "" for events that the page doesn't need.
func liveText(ev linnet.StreamEvent, t liveTimeline) string {
	talk := t.conversation
	switch {
	case t.thread != 0 && (ev.Type == linnet.EventUpdate || ev.Type == linnet.EventNotification):
		if s := answerIn(ev); s != nil && s.Conversation == t.thread && len(post.Visible([]linnet.StatusView{*s})) > 0 {
			return liveEvent("post", s.ID)
		}
	case ev.Type == linnet.EventConversation:
		if v := ev.Conversation; talk != 0 && v != nil && v.ID == talk && v.Status != nil && len(post.Visible([]linnet.StatusView{*v.Status})) > 0 {
			return liveEvent("post", v.Status.ID)
		}
	case ev.Type == linnet.EventDelete:
		return "event: gone\ndata: " + ev.Deleted.String() + "\n\n"
	case ev.Type == linnet.EventEdit:
		return "event: edited\ndata: " + ev.Status.ID.String() + "\n\n"
	case t.home && ev.Status != nil && ev.Status.Visibility == linnet.Direct:
	case ev.Type == linnet.EventUpdate && ev.Status != nil && len(post.Visible([]linnet.StatusView{*ev.Status})) > 0:
		return liveEvent("post", ev.Status.ID)
	}
	return ""
}

// liveEvent returns an event that also sets the browser's position.
func liveEvent(name string, id linnet.ID) string {
	return "id: " + id.String() + "\nevent: " + name + "\ndata: " + id.String() + "\n\n"
}

// streams counts the open streams of each user. The zero value has none. It is safe for concurrent
// use.
type streams struct {
	mu   sync.Mutex
	open map[linnet.ID]int // number of streams by user
}

// enter counts a stream of a user, or returns TooMany. leave ends it and must be called once.
func (l *streams) enter(who linnet.ID) (leave func(), err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open[who] >= maxStreams {
		return nil, linnet.Errorf(linnet.TooMany, "You can get live updates in at most %d windows. Close one of them", maxStreams)
	}
	if l.open == nil {
		l.open = map[linnet.ID]int{}
	}
	l.open[who]++
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.open[who]--; l.open[who] == 0 {
			delete(l.open, who)
		}
	}, nil
}
