package timeline

import (
	"fmt"
	"net/http"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/compose"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/people"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// threadPage is the maximum number of replies on a page of a thread. A link leads to the rest.
const threadPage = 120

type statusPage struct {
	Above  []linnet.StatusView // ancestors, oldest first
	Status linnet.StatusView
	Below  []linnet.StatusView // replies
	Cut    map[linnet.ID]bool  // replies with further replies that aren't shown
	Later  string              // page with later replies; "" for none
	Reply  *compose.Form       // nil for visitors

	Translation  *linnet.Translation // translation of Status; nil for the original
	Untranslated string              // error of a requested translation
}

// Status shows a status in its thread.
func (h *Pages) Status(c *page.Context) error {
	ctx := c.Request.Context()
	login, digits := c.PersonInPath()
	id, ok := linnet.ParseID(digits)
	if !ok {
		return page.NotFound()
	}
	st, err := h.View.Status(ctx, c.Viewer(), id)
	if err != nil {
		return c.StatusGone(page.OrNotFound(err, "look up a status"), c.Viewer(), login, id)
	}
	switch {
	case !strings.EqualFold(st.By.Login, login):
		return page.NotFound()
	case st.Repost != nil:
		return c.Redirect(paths.Post(*st.Repost))
	case st.By.Login != login:
		return c.Redirect(paths.Post(st))
	}
	after := linnet.Cursor(c.Request.URL.Query().Get("after"))
	thread, err := h.Reading.Thread(ctx, c.Viewer(), id, linnet.ThreadQuery{After: after, Most: threadPage})
	if err != nil {
		return page.OrNotFound(err, "read a thread")
	}
	c.Shared = true
	main := statusPage{Above: post.Visible(thread.Ancestors), Status: st, Below: post.Visible(thread.Descendants), Cut: thread.Cut}
	if thread.After != "" {
		main.Later = paths.Post(st) + "?after=" + string(thread.After)
	}
	if c.Me != nil {
		f := compose.NewReply(c, st)
		main.Reply = &f
		if c.Request.URL.Query().Has("translate") {
			if err := h.translated(c, &main); err != nil {
				return fmt.Errorf("translate a status: %w", err)
			}
		}
	}
	open := st.Visibility == linnet.Public || st.Visibility == linnet.Unlisted
	p := page.Page{Title: c.Tr("Post by %s", ui.DisplayName(st.By.UserView)), Listed: st.By.Indexable && st.Visibility == linnet.Public,
		Body: statusPageView(c, main)}
	if open {
		p.Alternates = people.StatusAlternates(c, st)
		p.Card = &page.Card{Type: "article", Title: ui.DisplayName(st.By.UserView) + " (@" + st.By.Login + ")", Text: ui.Preview(st), URL: st.URL, Image: post.CardImage(st)}
		if p.Card.Image != "" {
			p.Card.ImageAlt = st.Media[0].Description
		}
	}
	return c.Render(http.StatusOK, p)
}
