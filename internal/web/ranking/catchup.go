package ranking

import (
	"fmt"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

type catchUpPage struct {
	rankedPart
	Newest linnet.ID // for marking the home timeline as read; 0 if it is empty
}

// catchUp shows the posts of the home timeline since the read position, the most important first.
func (h *Pages) catchUp(c *page.Context) error {
	r, err := h.Feeds.CatchUp(c.Request.Context(), c.Me.ID, askedRank(c))
	if linnet.KindOf(err) == linnet.Invalid { // an invalid cursor
		return c.Redirect("/catchup")
	}
	if err != nil {
		return fmt.Errorf("read the catch-up: %w", err)
	}
	c.Reason = page.Reason{Source: "home"}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Catch-up"), Here: "/catchup", Body: catchUpView(c, catchUpPage{
		rankedPage(c, r, ui.Empty{Icon: "check", Title: c.Tr("You're all caught up"), Text: c.Tr("There's nothing new in your home timeline.")}), r.Newest})})
}

// renewCatchUp restarts the catch-up, after the shown posts if requested.
func (h *Pages) renewCatchUp(c *page.Context) error {
	read, ok := linnet.ParseID(c.Request.PostForm.Get("read"))
	var err error
	if ok {
		err = h.Feeds.CaughtUp(c.Request.Context(), c.Me.ID, read)
	} else {
		err = h.Feeds.RenewCatchUp(c.Request.Context(), c.Me.ID)
	}
	if err != nil {
		return fmt.Errorf("renew the catch-up: %w", err)
	}
	return c.Redirect("/catchup")
}
