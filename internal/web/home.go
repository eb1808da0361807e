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
func (c *call) homeRow(s linnet.StatusView) *postRow {
	r := c.row(s)
	r.Why = c.why
	return r
}

// home shows the home timeline below the composer.
func (c *call) home() error {
	q := c.asked(linnet.DefaultPage)
	posts, err := c.svc.Reading.Home(c.r.Context(), c.me.ID, q)
	if err != nil {
		return fmt.Errorf("read home: %w", err)
	}
	if atTop(q, len(posts.Items)) {
		return c.seeOther("/")
	}
	c.why = why{Place: "home"}
	if c.why.tagged, err = c.whyTagged(posts.Items); err != nil {
		return fmt.Errorf("read posts of followed tags: %w", err)
	}
	p := homePage{timelinePage: timelinePage{Heading: c.tr("Home"), Posts: visible(posts.Items), Pager: c.pagerOf(q, posts.First, posts.Last)},
		Connect: c.connect()}
	if q.Max == "" && q.Min == "" {
		f := c.newForm()
		f.Then = "home"
		if p.Announced, p.Others, err = c.announcementsAbove(); err != nil {
			return err
		}
		p.Compose, p.New = &f, len(posts.Items) == 0
		if len(p.Posts) > 0 {
			p.Newest = p.Posts[0].ID
		}
	}
	read, err := c.readTo()
	if err != nil {
		return err
	}
	p.Line = lineAbove(p.Posts, read)
	p.Live = c.liveAddress(url.Values{"of": {"home"}}, q, posts.First)
	main := page{Title: c.tr("Home"), Here: "/", Body: homeView(c, p)}
	if q.Max == "" && q.Min == "" {
		main.Aside = homeAsideView(c.asideOfHome())
	}
	return c.render(http.StatusOK, main)
}
