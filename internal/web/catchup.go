package web

import (
	"fmt"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

func (h *rankingPages) rankRoutes() []page.Route {
	return []page.Route{
		{Pattern: "/catchup", Get: page.LoggedIn(h.catchUp), Post: page.LoggedIn(h.renewCatchUp)},
	}
}

type catchUpPage struct {
	rankedPart
	Newest linnet.ID // for marking the home timeline as read; 0 if it is empty
}

// catchUp is what came home since it was marked as read, the most important first.
func (h *rankingPages) catchUp(c *page.Context) error {
	r, err := h.discovery.CatchUp(c.Request.Context(), c.Me.ID, askedRank(c))
	if linnet.KindOf(err) == linnet.Invalid { // an invalid cursor
		return c.Redirect("/catchup")
	}
	if err != nil {
		return fmt.Errorf("read the catch-up: %w", err)
	}
	c.Reason = page.Reason{Place: "home"}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Catch-up"), Here: "/catchup", Body: catchUpView(c, catchUpPage{
		rankedPage(c, r, ui.Empty{Icon: "check", Title: c.Tr("You're all caught up"), Text: c.Tr("There's nothing new on your home timeline.")}), r.Newest})})
}

// renewCatchUp restarts the catch-up, after the shown posts if requested.
func (h *rankingPages) renewCatchUp(c *page.Context) error {
	read, ok := linnet.ParseID(c.Request.PostForm.Get("read"))
	var err error
	if ok {
		err = h.discovery.CaughtUp(c.Request.Context(), c.Me.ID, read)
	} else {
		err = h.discovery.RenewCatchUp(c.Request.Context(), c.Me.ID)
	}
	if err != nil {
		return fmt.Errorf("renew the catch-up: %w", err)
	}
	return c.Redirect("/catchup")
}

func (h *settingsPages) shownLists(c *page.Context) error {
	shown, err := h.lists.ShownLists(c.Request.Context(), c.Me.ID)
	if err != nil {
		return fmt.Errorf("read which lists are shown: %w", err)
	}
	f := form.New(c, "/settings/lists", c.Tr("Save"),
		form.Field{Kind: form.CheckField, Name: "top", Label: c.Tr("Top"), On: shown.Top, Hint: c.Tr("Popular posts from people you follow, ordered by when they became popular. Always available on the Lists page.")},
		form.Field{Kind: form.CheckField, Name: "catch_up", Label: c.Tr("Catch-up"), On: shown.CatchUp,
			Hint: c.Tr("What you missed, most important first. Some apps, such as Tusky, sort every list by time and show this one in the wrong order. Always available on the Catch-up page.")})
	return form.ShowSettings(c, http.StatusOK, c.Tr("Lists in apps"), "/settings/lists", form.Page{
		Lead: c.Tr("Choose which built-in timelines appear among your lists in apps."), Parts: []form.Section{{Form: f}}})
}

func (h *settingsPages) changeShownLists(c *page.Context) error {
	_, err := h.lists.SetShownLists(c.Request.Context(), c.Me.ID, linnet.ShownListsChange{Top: form.Checked(c, "top"), CatchUp: form.Checked(c, "catch_up")})
	if err != nil {
		return fmt.Errorf("change which lists are shown: %w", err)
	}
	return form.Saved(c, "/settings/lists")
}
