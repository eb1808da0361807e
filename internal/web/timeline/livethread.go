package timeline

import (
	"cmp"
	"context"
	"net/url"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// An open thread reports new replies by followees of the reader and to the reader. It listens to
// the events of the home timeline only, so that open threads cost no more than open home timelines.
// Other replies appear when the page is reloaded.

// liveThread returns the thread of a status.
func (h *Pages) liveThread(c *page.Context, digits string) (t liveTimeline, err error) {
	st, err := h.PostPages.StatusNamed(c, digits)
	if err != nil {
		return t, err
	}
	t.stream.Kind, t.thread = linnet.StreamUser, st.Conversation
	t.read = func(ctx context.Context, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		thread, err := h.Reading.Thread(ctx, c.Viewer(), st.ID, linnet.ThreadQuery{Most: threadPage})
		since, _ := p.Min.ID() // none: from the beginning
		later := slices.DeleteFunc(slices.Clone(thread.Descendants), func(s linnet.StatusView) bool { return s.ID <= since })
		slices.SortFunc(later, func(a, b linnet.StatusView) int { return cmp.Compare(b.ID, a.ID) })
		return linnet.Slice[linnet.StatusView]{Items: later}, err
	}
	return t, nil
}

// Live is where a thread hears of answers; "" for strangers, and where not all of it is shown.
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

// answerIn is the status that an event brings to its listener: a post, or a mention.
func answerIn(ev linnet.StreamEvent) *linnet.StatusView {
	if ev.Type == linnet.EventUpdate {
		return ev.Status
	}
	if ev.Notification != nil && ev.Notification.Type == linnet.NotifyMention {
		return ev.Notification.Status
	}
	return nil
}
