package web

import (
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
)

type homePage struct {
	timelinePage
	Compose *composeForm // nil but on the newest page
	Connect connect
	New     bool      // the timeline is still empty
	Line    linnet.ID // above this status it says up to where was read; 0: nowhere
	Newest  linnet.ID // of the newest page, for marking it as read; 0: another page

	Announced []announcementRow // above the newest page
	Others    int               // announcements that are not among them
}

// homeRow is the row of a status at home, with what brought it there.
func homeRow(c *call, s linnet.StatusView) *postRow {
	r := row(c, s)
	r.Why = c.why
	return r
}

// home shows the home timeline below the composer.
func (h *timelinePages) home(c *call) error {
	q := c.asked(linnet.DefaultPage)
	posts, err := h.reading.Home(c.r.Context(), c.me.ID, q)
	if err != nil {
		return fmt.Errorf("read home: %w", err)
	}
	if atTop(q, len(posts.Items)) {
		return c.seeOther("/")
	}
	c.why = why{Place: "home"}
	if c.why.tagged, err = h.postPages.whyTagged(c, posts.Items); err != nil {
		return fmt.Errorf("read posts of followed tags: %w", err)
	}
	p := homePage{timelinePage: timelinePage{Heading: c.tr("Home"), Posts: visible(posts.Items), Pager: c.pagerOf(q, posts.First, posts.Last)},
		Connect: connection(c)}
	if q.Max == "" && q.Min == "" {
		f := newForm(c)
		f.Then = "home"
		if p.Announced, p.Others, err = h.announcementsAbove(c); err != nil {
			return err
		}
		p.Compose, p.New = &f, len(posts.Items) == 0
		if len(p.Posts) > 0 {
			p.Newest = p.Posts[0].ID
		}
	}
	read, err := h.readTo(c)
	if err != nil {
		return err
	}
	p.Line = lineAbove(p.Posts, read)
	p.Live = c.liveAddress(url.Values{"of": {"home"}}, q, posts.First)
	main := page{Title: c.tr("Home"), Here: "/", Body: homeView(c, p)}
	if q.Max == "" && q.Min == "" {
		main.Aside = homeAsideView(h.asideOfHome(c))
	}
	return c.render(http.StatusOK, main)
}
