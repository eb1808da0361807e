package people

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// profileLinks returns the feeds of a profile page; nil if the user has turned feeds off. here is
// the end of its path.
func profileLinks(c *page.Context, who linnet.UserView, here string) []page.Alternate {
	if who.NoFeeds || who.Suspended {
		return nil
	}
	return c.FeedLinks("/@"+url.PathEscape(who.Login)+here, ui.DisplayName(who))
}

// StatusAlternates returns links to a public status for programs: its JSON, and the data to embed
// it. https://oembed.com/#section4
func StatusAlternates(c *page.Context, st linnet.StatusView) []page.Alternate {
	base := c.URL.String()
	return []page.Alternate{
		{Type: "application/json+oembed", Title: c.Tr("Embed"), URL: base + "/api/oembed?url=" + url.QueryEscape(st.URL)},
		{Type: "application/json", Title: c.Tr("JSON"), URL: base + "/api/v1/statuses/" + st.ID.String()},
	}
}

// Embed shows a status in frames of other sites. It shows only statuses that visitors without a
// login can read.
func (h *Pages) Embed(c *page.Context) error {
	login, rest := c.PersonInPath()
	id, ok := linnet.ParseID(strings.TrimSuffix(rest, "/embed"))
	if !ok {
		return page.NotFound()
	}
	st, err := h.View.Status(c.Request.Context(), 0, id)
	if err != nil {
		return h.StatusDeleted(c, page.OrNotFound(err, "look up a status to embed"), 0, login, id)
	}
	switch {
	case !strings.EqualFold(st.By.Login, login), !st.Embeddable():
		return page.NotFound()
	case st.By.Login != login:
		return c.Redirect(paths.Post(st) + "/embed")
	}
	c.Shared = true
	return c.Render(http.StatusOK, page.Page{Framed: true,
		Body: embedView(c, c.Tr("Post by %s", ui.DisplayName(st.By.UserView)), embedPage{Status: st, Handle: fmt.Sprintf("@%s@%s", st.By.Login, st.By.Host)})})
}

type embedPage struct {
	Status linnet.StatusView
	Handle string
}
