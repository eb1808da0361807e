package timeline

import (
	"fmt"
	"net/http"
	"strconv"

	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

type explorePage struct {
	Views     []ui.Tab
	Trends    []discovery.TagView
	Suggested []people.Row
	News      []discovery.LinkView

	Collections []linnet.CollectionView

	Tabs   []ui.Tab
	People []people.Row
	Pager  ui.Pager
}

// collectionsShown is the number of newest collections on the Explore page, before invisible ones
// are left out.
const collectionsShown = 10

// suggestions is the maximum number of suggestions on a page.
const suggestions = 5

// explore shows users to follow: suggestions and the directory.
func (h *Pages) explore(c *page.Context) error {
	ctx := c.Request.Context()
	in := c.Request.URL.Query()
	q := linnet.DirectoryQuery{Order: linnet.DirectoryActive, Limit: linnet.DefaultPage}
	if in.Get("order") == string(linnet.DirectoryNew) {
		q.Order = linnet.DirectoryNew
	}
	if n, err := strconv.Atoi(in.Get("offset")); err == nil {
		q.Offset = min(max(n, 0), linnet.MaxDirectory)
	}
	p := explorePage{Tabs: []ui.Tab{{Path: "/explore", Text: c.Tr("Recently active"), Here: q.Order == linnet.DirectoryActive},
		{Path: "/explore?order=new", Text: c.Tr("New arrivals"), Here: q.Order == linnet.DirectoryNew}}}
	var err error
	if p.Views, err = h.exploreTabs(c, "/explore"); err != nil {
		return err
	}
	found, err := h.Discovery.Directory(ctx, c.Me.ID, q)
	if err != nil {
		return fmt.Errorf("read the directory: %w", err)
	}
	if p.People, err = h.People.Rows(c, found); err != nil {
		return err
	}
	at := func(offset int) string { return fmt.Sprintf("/explore?order=%s&offset=%d", q.Order, offset) }
	if len(found) == q.Limit && q.Offset+len(found) < linnet.MaxDirectory {
		p.Pager.Older = at(q.Offset + len(found))
	}
	if q.Offset > 0 {
		p.Pager.Newer = at(max(q.Offset-q.Limit, 0))
	}
	if q.Offset == 0 {
		if p.Suggested, err = h.suggested(c, suggestions); err != nil {
			return err
		}
		if p.News, err = h.Trends.Links(ctx, discovery.TrendQuery{Limit: newsShown}); err != nil {
			return fmt.Errorf("read trending links: %w", err)
		}
		if p.Collections, err = h.People.View.FoundCollections(ctx, c.Me.ID, 0, collectionsShown); err != nil {
			return fmt.Errorf("read collections: %w", err)
		}
		if p.Trends, err = h.trends(c, page.TrendRows); err != nil {
			return err
		}
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Explore"), Here: "/explore", Body: exploreView(c, p)})
}

// trendingPosts is the path of the trending posts.
const trendingPosts = "/explore/posts"

// exploreTabs returns the tabs of Explore. There are none if the server shows no trends.
func (h *Pages) exploreTabs(c *page.Context, here string) ([]ui.Tab, error) {
	on, err := h.Trends.On(c.Request.Context())
	if err != nil || !on {
		return nil, err
	}
	return []ui.Tab{{Path: "/explore", Text: c.Tr("Overview"), Here: here == "/explore"},
		{Path: trendingPosts, Text: c.Tr("Trending posts"), Here: here == trendingPosts}}, nil
}

// trendingPosts shows the posts that most users have recently favourited or boosted.
func (h *Pages) trendingPosts(c *page.Context) error {
	tabs, err := h.exploreTabs(c, trendingPosts)
	if err != nil {
		return err
	}
	posts, err := h.Trends.Statuses(c.Request.Context(), c.Viewer(), discovery.TrendQuery{Limit: linnet.MaxPage})
	if err != nil {
		return fmt.Errorf("read trending posts: %w", err)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Trending posts"), Here: "/explore", Body: timelineView(c, post.Timeline{
		Heading: c.Tr("Explore"), Tabs: tabs, Posts: post.Visible(posts),
		Empty: ui.Empty{Icon: "star", Title: c.Tr("No trending posts yet"), Text: c.Tr("Public posts that many people favourite or boost appear here.")}})})
}

// suggested returns suggestions of users to follow.
func (h *Pages) suggested(c *page.Context, most int) ([]people.Row, error) {
	all, err := h.Discovery.Suggestions(c.Request.Context(), c.Me.ID, most)
	if err != nil {
		return nil, fmt.Errorf("read suggestions: %w", err)
	}
	users := make([]linnet.UserView, len(all))
	for i, s := range all {
		users[i] = s.UserView
	}
	rows, err := h.People.Rows(c, users)
	if err != nil {
		return nil, err
	}
	for i, s := range all {
		if s.Common > 0 {
			rows[i].Why = c.Trn(int64(s.Common), "Followed by someone you follow", "Followed by %s people you follow")
		}
	}
	return rows, nil
}

// newsShown is the maximum number of links on the Explore page.
const newsShown = 5

// link shows the posts about the link in the address.
func (h *Pages) link(c *page.Context) error {
	link := c.Request.URL.Query().Get("url")
	v, err := h.Trends.Link(c.Request.Context(), link)
	if page.IsKind(err, linnet.NotFound) {
		return page.NotFound()
	}
	if err != nil {
		return err
	}
	c.Shared = true
	return showTimeline(c, page.Page{Title: v.Card.Title},
		post.Timeline{Heading: v.Card.Title, Link: &v.Card, Empty: ui.Empty{Icon: "near", Title: c.Tr("Nothing to show"), Text: c.Tr("There are no posts with this link that you can see.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.Trends.LinkTimeline(c.Request.Context(), c.Viewer(), link, q)
		})
}

// sharers returns the number of users who shared a link today and yesterday.
func sharers(v *discovery.LinkView) (n int64) {
	for _, d := range v.Days[:min(2, len(v.Days))] {
		n += d.Users
	}
	return n
}
