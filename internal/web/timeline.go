package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

func (h *timelinePages) timelineRoutes() []route {
	return []route{
		{pattern: "/about", get: h.landing},
		{pattern: "/emoji", get: h.emojis},
		{pattern: paths.Announcements, get: own(h.announcements)},
		{pattern: paths.Announcements + "/{id}", post: own(h.actOnAnnouncement)},
		{pattern: "/{$}", get: h.front},
		{pattern: "/local", get: h.local},
		{pattern: "/explore", get: own(h.explore)},
		{pattern: paths.Links, get: h.link},
		{pattern: "/bookmarks", get: own(h.bookmarks)},
		{pattern: "/favourites", get: own(h.favourites)},
	}
}

// timelinePage is a page of statuses, one after the other.
type timelinePage struct {
	Heading string
	Posts   []linnet.StatusView
	Pager   ui.Pager
	Empty   ui.Empty
	Tag     *tagFollow   // of a tag's page, for members; nil: none
	Link    *linnet.Card // of a link's page; nil: none
	Tabs    []ui.Tab     // to its neighbours

	Live string // address of live updates; "" for none

	live url.Values // names the timeline for its stream of news; nil: it has none
}

// asked is the part of a list that the address names.
func (c *call) asked(limit int) linnet.Page {
	q := c.r.URL.Query()
	return linnet.Page{Max: linnet.Cursor(q.Get("max_id")), Min: linnet.Cursor(q.Get("min_id")), Limit: limit}
}

// pagerOf returns the links to other pages of a list. The newest page has no link to a newer one.
func (c *call) pagerOf(q linnet.Page, first, last linnet.Cursor) ui.Pager {
	var p ui.Pager
	if last != "" {
		p.Older = c.withCursor("max_id", last)
	}
	switch {
	case first != "" && (q.Max != "" || q.Min != ""):
		p.Newer = c.withCursor("min_id", first)
	case q.Max != "":
		p.Newer = c.withCursor("", "") // below everything: back to the top
	}
	return p
}

// withCursor is the address of the page with another position.
func (c *call) withCursor(name string, at linnet.Cursor) string {
	q := c.r.URL.Query()
	q.Del("max_id")
	q.Del("min_id")
	if name != "" {
		q.Set(name, string(at))
	}
	u := url.URL{Path: c.r.URL.Path, RawQuery: q.Encode()}
	return u.String()
}

// atTop reports whether a page that was asked for upwards has reached the top:
// then the newest page says it better.
func atTop(q linnet.Page, n int) bool { return q.Min != "" && n < q.Limit }

// timeline reads a page of statuses and shows it.
func timeline(c *call, p page, t timelinePage, read func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) error {
	q := c.asked(linnet.DefaultPage)
	posts, err := read(q)
	if err != nil {
		return fmt.Errorf("read %s: %w", t.Heading, err)
	}
	if atTop(q, len(posts.Items)) {
		return c.seeOther(c.withCursor("", ""))
	}
	t.Posts, t.Pager = visible(posts.Items), c.pagerOf(q, posts.First, posts.Last)
	t.Live = c.liveAddress(t.live, q, posts.First)
	p.Body = timelineView(c, t)
	return c.render(http.StatusOK, p)
}

// front is the landing page for strangers, and one's own timeline for members.
func (h *timelinePages) front(c *call) error {
	if c.me == nil {
		return h.landing(c)
	}
	return h.home(c)
}

func (h *timelinePages) local(c *call) error {
	c.shared = true
	return timeline(c, page{Title: c.tr("Local"), Here: "/local"},
		timelinePage{Heading: c.tr("Local"), live: url.Values{"of": {"local"}}, Empty: ui.Empty{Icon: "near", Title: c.tr("No posts yet"), Text: c.tr("There are no public posts yet.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.reading.Public(c.r.Context(), c.viewer(), linnet.PublicQuery{}, q)
		})
}

func (h *timelinePages) bookmarks(c *call) error {
	return timeline(c, page{Title: c.tr("Bookmarks"), Here: "/bookmarks"},
		timelinePage{Heading: c.tr("Bookmarks"), Tabs: savedTabs(c, "/bookmarks"), Empty: ui.Empty{Icon: "bookmark", Title: c.tr("No bookmarks yet"), Text: c.tr("Posts you bookmark appear here. Only you can see them.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.posting.Bookmarks(c.r.Context(), c.me.ID, q)
		})
}

func (h *timelinePages) favourites(c *call) error {
	return timeline(c, page{Title: c.tr("Favourites"), Here: "/bookmarks"},
		timelinePage{Heading: c.tr("Favourites"), Tabs: savedTabs(c, "/favourites"), Empty: ui.Empty{Icon: "star", Title: c.tr("No favourites yet"), Text: c.tr("Posts you favourite appear here.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.posting.Favourites(c.r.Context(), c.me.ID, q)
		})
}

// savedTabs returns the tabs of bookmarks and favourites. here is the path of the current one.
func savedTabs(c *call, here string) []ui.Tab {
	return []ui.Tab{{Path: "/bookmarks", Text: c.tr("Bookmarks"), Here: here == "/bookmarks"}, {Path: "/favourites", Text: c.tr("Favourites"), Here: here == "/favourites"}}
}

// listTabs returns the tabs of lists and custom feeds.
func listTabs(ctx context.Context, here string) []ui.Tab {
	return []ui.Tab{{Path: "/lists", Text: ui.Tr(ctx, "Lists"), Here: here == "/lists"}, {Path: "/feeds", Text: ui.Tr(ctx, "Feeds"), Here: here == "/feeds"}}
}
