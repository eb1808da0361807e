package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// profileLinks are the feeds of a page of a person, if they have any. here is the end of its path.
func profileLinks(c *call, who linnet.UserView, here string) []alternate {
	if who.NoFeeds || who.Suspended {
		return nil
	}
	return c.feedLinks("/@"+url.PathEscape(who.Login)+here, ui.DisplayName(who))
}

// statusLinks returns links to a public status for other programs: its JSON, and how to embed it.
// https://oembed.com/#section4
func statusLinks(c *call, st linnet.StatusView) []alternate {
	base := c.url.String()
	return []alternate{
		{Type: "application/json+oembed", Title: c.tr("Embed"), URL: base + "/api/oembed?url=" + url.QueryEscape(st.URL)},
		{Type: "application/json", Title: c.tr("JSON"), URL: base + "/api/v1/statuses/" + st.ID.String()},
	}
}

// embed shows a status in frames of other sites. It shows only what visitors without a log-in can
// read.
func (h *peoplePages) embed(c *call) error {
	login, rest := c.personInPath()
	id, ok := linnet.ParseID(strings.TrimSuffix(rest, "/embed"))
	if !ok {
		return errNowhere()
	}
	st, err := h.view.Status(c.r.Context(), 0, id)
	if err != nil {
		return c.statusGone(notThere(err, "look up a status to embed"), 0, login, id)
	}
	switch {
	case !strings.EqualFold(st.By.Login, login), st.Repost != nil, st.Visibility > linnet.Unlisted:
		return errNowhere()
	case st.By.Login != login:
		return c.seeOther(paths.Post(st) + "/embed")
	}
	c.shared = true
	return c.render(http.StatusOK, page{Framed: true,
		Body: embedView(c, c.tr("Post by %s", ui.DisplayName(st.By.UserView)), embedPage{Status: st, Handle: fmt.Sprintf("@%s@%s", st.By.Login, st.By.Host)})})
}

type embedPage struct {
	Status linnet.StatusView
	Handle string
}
