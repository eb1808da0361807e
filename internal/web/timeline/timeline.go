package timeline

import (
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// showTimeline reads a page of statuses and shows it.
func showTimeline(c *page.Context, p page.Page, t post.Timeline, read func(linnet.Page) (linnet.Slice[linnet.StatusView], error)) error {
	q := c.PageQuery(linnet.DefaultPage)
	posts, err := read(q)
	if err != nil {
		return fmt.Errorf("read %s: %w", t.Heading, err)
	}
	if page.AtTop(q, len(posts.Items)) {
		return c.Redirect(c.WithCursor("", ""))
	}
	t.Posts, t.Pager = post.Visible(posts.Items), c.Pager(q, posts.First, posts.Last)
	t.Live = c.LiveAddress(t.Stream, q, posts.First)
	p.Body = timelineView(c, t)
	return c.Render(http.StatusOK, p)
}

// front shows the landing page to visitors, and the home timeline to members.
func (h *Pages) front(c *page.Context) error {
	if c.Me == nil {
		return h.landing(c)
	}
	return h.home(c)
}

func (h *Pages) local(c *page.Context) error {
	c.Shared = true
	return showTimeline(c, page.Page{Title: c.Tr("Local"), Here: "/local"},
		post.Timeline{Heading: c.Tr("Local"), Stream: url.Values{"of": {"local"}}, Empty: ui.Empty{Icon: "near", Title: c.Tr("No posts yet"), Text: c.Tr("There are no public posts yet.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.Reading.Public(c.Request.Context(), c.Viewer(), linnet.PublicQuery{}, q)
		})
}

func (h *Pages) bookmarks(c *page.Context) error {
	return showTimeline(c, page.Page{Title: c.Tr("Bookmarks"), Here: "/bookmarks"},
		post.Timeline{Heading: c.Tr("Bookmarks"), Tabs: savedTabs(c, "/bookmarks"), Empty: ui.Empty{Icon: "bookmark", Title: c.Tr("No bookmarks yet"), Text: c.Tr("Posts you bookmark appear here. Only you can see them.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.Posting.Marks.Bookmarks(c.Request.Context(), c.Me.ID, q)
		})
}

func (h *Pages) favourites(c *page.Context) error {
	return showTimeline(c, page.Page{Title: c.Tr("Favourites"), Here: "/bookmarks"},
		post.Timeline{Heading: c.Tr("Favourites"), Tabs: savedTabs(c, "/favourites"), Empty: ui.Empty{Icon: "star", Title: c.Tr("No favourites yet"), Text: c.Tr("Posts you favourite appear here.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.Posting.Marks.Favourites(c.Request.Context(), c.Me.ID, q)
		})
}

// savedTabs returns the tabs of bookmarks and favourites. here is the path of the current one.
func savedTabs(c *page.Context, here string) []ui.Tab {
	return []ui.Tab{{Path: "/bookmarks", Text: c.Tr("Bookmarks"), Here: here == "/bookmarks"}, {Path: "/favourites", Text: c.Tr("Favourites"), Here: here == "/favourites"}}
}

// mentions shows the posts that mention the reader, including those without a notification and
// those whose notification was cleared.
func (h *Pages) mentions(c *page.Context) error {
	return showTimeline(c, page.Page{Title: c.Tr("All mentions"), Here: paths.Notifications},
		post.Timeline{Heading: c.Tr("All mentions"), Empty: ui.Empty{Icon: "bell", Title: c.Tr("No mentions yet"), Text: c.Tr("Posts that mention you appear here, even after you clear your notifications.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.Reading.MentionPosts(c.Request.Context(), c.Me.ID, q)
		})
}
