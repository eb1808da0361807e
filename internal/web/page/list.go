package page

import (
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// PageQuery returns the part of a list that the query of the address selects.
func (c *Context) PageQuery(limit int) linnet.Page {
	q := c.Request.URL.Query()
	return linnet.Page{Max: linnet.Cursor(q.Get("max_id")), Min: linnet.Cursor(q.Get("min_id")), Limit: limit}
}

// Pager returns the links to other pages of a list. The newest page has no link to a newer one.
func (c *Context) Pager(q linnet.Page, first, last linnet.Cursor) ui.Pager {
	var p ui.Pager
	if last != "" {
		p.Older = c.WithCursor("max_id", last)
	}
	switch {
	case first != "" && (q.Max != "" || q.Min != ""):
		p.Newer = c.WithCursor("min_id", first)
	case q.Max != "":
		p.Newer = c.WithCursor("", "") // below everything: back to the top
	}
	return p
}

// WithCursor returns the address of the page with another cursor. An empty name returns the first
// page.
func (c *Context) WithCursor(name string, at linnet.Cursor) string {
	q := c.Request.URL.Query()
	q.Del("max_id")
	q.Del("min_id")
	if name != "" {
		q.Set(name, string(at))
	}
	u := url.URL{Path: c.Request.URL.Path, RawQuery: q.Encode()}
	return u.String()
}

// AtTop reports whether a page of newer entries has reached the top of the list. The first page is
// shown instead then.
func AtTop(q linnet.Page, n int) bool { return q.Min != "" && n < q.Limit }

// LiveAddress returns the address of live updates of a timeline, from its name and the first
// position on the page. It returns "" for visitors, and for all pages except the newest.
func (c *Context) LiveAddress(timeline url.Values, p linnet.Page, first linnet.Cursor) string {
	if c.Me == nil || timeline == nil || p.Max != "" || p.Min != "" {
		return ""
	}
	since := first
	if since == "" {
		since = linnet.CursorOf(1) // the timeline is empty: every post is new
	}
	return paths.Live + "?" + timeline.Encode() + "&since=" + url.QueryEscape(string(since))
}

// Reason is the reason why statuses are on a page. The zero value has none.
type Reason struct {
	Source string // "home", "list", "group", "top" or "tag"
	List   linnet.List
	Tag    string

	People map[linnet.ID]linnet.UserView // in "top": followees of the reader
	Tagged map[linnet.ID]string          // on the home timeline: tags of statuses that are there only for a tag
}

// FeedLinks returns the feeds of a page, for its head. path has no extension.
func (c *Context) FeedLinks(path, title string) (links []Alternate) {
	for _, f := range paths.FeedFormats() {
		links = append(links, Alternate{Type: f.Type, Title: title + " (" + f.Name + ")", URL: c.URL.String() + path + f.Ext})
	}
	return links
}
