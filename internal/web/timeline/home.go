package timeline

import (
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

type homePage struct {
	post.Timeline
	Compose *compose.Form // nil except on the newest page
	Connect connect
	New     bool      // the timeline is still empty
	Welcome *welcome  // nil for none
	Line    linnet.ID // status below the line of the read position; 0 for none
	Newest  linnet.ID // newest status, for marking the timeline as read; 0 except on the newest page

	Announced []announcementRow // above the newest page
	Others    int               // number of other announcements
}

// home shows the home timeline below the composer.
func (h *Pages) home(c *page.Context) error {
	q := c.PageQuery(linnet.DefaultPage)
	posts, err := h.Reading.HomePosts(c.Request.Context(), c.Me.ID, q)
	if err != nil {
		return fmt.Errorf("read the home timeline: %w", err)
	}
	if page.AtTop(q, len(posts.Items)) {
		return c.Redirect("/")
	}
	c.Reason = page.Reason{Source: "home"}
	if c.Reason.Tagged, err = h.Posts.OnlyForTag(c, posts.Items); err != nil {
		return fmt.Errorf("read posts of followed tags: %w", err)
	}
	p := homePage{Timeline: post.Timeline{Heading: c.Tr("Home"), Posts: post.Visible(posts.Items), Pager: c.Pager(q, posts.First, posts.Last)},
		Connect: connection(c)}
	if q.Max == "" && q.Min == "" {
		f := compose.New(c)
		f.Then, f.Brief = "home", true
		vs, err := h.Announcing.Shown(c.Request.Context(), c.Me.ID, false)
		if err != nil {
			return fmt.Errorf("read announcements: %w", err)
		}
		rows := announcementRows(c, vs)
		n := min(len(rows), announcementsAtHome)
		p.Announced, p.Others = rows[:n], len(rows)-n
		p.Compose, p.New = &f, len(posts.Items) == 0
		if welcomed(c) {
			p.Welcome, err = h.welcome(c)
			page.LogMissing(c, err)
		}
		if len(p.Posts) > 0 {
			p.Newest = p.Posts[0].ID
		}
	}
	read, err := h.readTo(c)
	if err != nil {
		return err
	}
	for i, s := range p.Posts {
		if s.ID <= read { // the newest read status; there is no line without unread ones above it
			if i > 0 {
				p.Line = s.ID
			}
			break
		}
	}
	p.Live = c.LiveAddress(url.Values{"of": {"home"}}, q, posts.First)
	main := page.Page{Title: c.Tr("Home"), Here: "/", Body: homeView(c, p)}
	if q.Max == "" && q.Min == "" {
		var a homeSidePanel
		var trends, people error
		a.Trends, trends = h.trends(c, page.SidePanelRows)
		if p.Welcome == nil {
			a.Suggested, people = h.suggested(c, page.SidePanelRows)
		} else {
			main.Sheet = "welcome.css"
		}
		page.LogMissing(c, trends, people) // the home timeline is useful without them
		main.SidePanel = homeAsideView(a)
	}
	return c.Render(http.StatusOK, main)
}

// readTo returns the reader's position in the home timeline; 0 for none.
func (h *Pages) readTo(c *page.Context) (linnet.ID, error) {
	m, err := h.Reading.Markers(c.Request.Context(), c.Me.ID, []linnet.MarkerTimeline{linnet.MarkerHome})
	if err != nil {
		return 0, fmt.Errorf("read the reading position: %w", err)
	}
	return m[linnet.MarkerHome].LastRead, nil
}

// markRead stores the position in the home timeline. It never moves back, so that an old window
// can't undo it.
func (h *Pages) markRead(c *page.Context) error {
	id, ok := linnet.ParseID(c.Typed("home"))
	if !ok {
		return &page.Error{Code: 400, Msg: "The form is incomplete. Reload the page and try again."}
	}
	read, err := h.readTo(c)
	if err != nil {
		return err
	}
	if id > read {
		_, err = h.Reading.SaveMarkers(c.Request.Context(), c.Me.ID, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerHome: id})
		if err != nil && !page.IsKind(err, linnet.Conflict) { // another window was faster
			return fmt.Errorf("save the reading position: %w", err)
		}
	}
	return c.Redirect("/")
}
