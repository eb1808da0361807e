package timeline

import (
	"cmp"
	"context"
	"net/url"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// liveThread returns the live thread of a status. It announces new replies by followees of the
// reader and to the reader. It receives only the events of the home timeline, so that an open
// thread costs no more than an open home timeline. Other replies appear when the page is reloaded.
func (h *Pages) liveThread(c *page.Context, digits string) (t liveTimeline, err error) {
	st, err := h.Posts.StatusNamed(c, digits)
	if err != nil {
		return t, err
	}
	t.stream.Kind, t.thread = linnet.StreamUser, st.Conversation
	t.read = func(ctx context.Context, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		thread, err := h.Reading.Thread(ctx, c.Viewer(), st.ID, linnet.ThreadQuery{Most: threadPage})
		since, _ := p.Min.ID() // 0 for the beginning
		later := slices.DeleteFunc(slices.Clone(thread.Descendants), func(s linnet.StatusView) bool { return s.ID <= since })
		slices.SortFunc(later, func(a, b linnet.StatusView) int { return cmp.Compare(b.ID, a.ID) })
		return linnet.Slice[linnet.StatusView]{Items: later}, err
	}
	return t, nil
}

// Live returns the address of live updates of a thread. It returns "" for visitors, and if the page
// doesn't show the end of the thread.
func (m statusPage) Live(c *page.Context) string {
	if m.Later != "" || c.Request.URL.Query().Has("after") {
		return ""
	}
	newest := m.Status.ID
	for i := range m.Below {
		if s := &m.Below[i]; s.ID > newest {
			newest = s.ID
		}
	}
	return c.LiveAddress(url.Values{"of": {"thread"}, "status": {m.Status.ID.String()}}, linnet.Page{}, linnet.CursorOf(newest))
}

// answerIn returns the status of an event: a post, or a mention.
func answerIn(ev linnet.StreamEvent) *linnet.StatusView {
	if ev.Type == linnet.EventUpdate {
		return ev.Status
	}
	if ev.Notification != nil && ev.Notification.Type == linnet.NotifyMention {
		return ev.Notification.Status
	}
	return nil
}
