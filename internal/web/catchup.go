package web

import (
	"fmt"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

func (h *rankingPages) rankRoutes() []route {
	return []route{
		{pattern: "/catchup", get: own(h.catchUp), post: own(h.renewCatchUp)},
	}
}

type catchUpPage struct {
	rankedPart
	Newest linnet.ID // for marking the home timeline as read; 0 if it is empty
}

// catchUp is what came home since it was marked as read, the most important first.
func (h *rankingPages) catchUp(c *call) error {
	r, err := h.discovery.CatchUp(c.r.Context(), c.me.ID, askedRank(c))
	if linnet.KindOf(err) == linnet.Invalid { // an invalid cursor
		return c.seeOther("/catchup")
	}
	if err != nil {
		return fmt.Errorf("read the catch-up: %w", err)
	}
	c.why = why{Place: "home"}
	return c.render(http.StatusOK, page{Title: c.tr("Catch-up"), Here: "/catchup", Body: catchUpView(c, catchUpPage{
		rankedPage(c, r, ui.Empty{Icon: "check", Title: c.tr("You're all caught up"), Text: c.tr("There's nothing new on your home timeline.")}), r.Newest})})
}

// renewCatchUp restarts the catch-up, after the shown posts if requested.
func (h *rankingPages) renewCatchUp(c *call) error {
	read, ok := linnet.ParseID(c.r.PostForm.Get("read"))
	var err error
	if ok {
		err = h.discovery.CaughtUp(c.r.Context(), c.me.ID, read)
	} else {
		err = h.discovery.RenewCatchUp(c.r.Context(), c.me.ID)
	}
	if err != nil {
		return fmt.Errorf("renew the catch-up: %w", err)
	}
	return c.seeOther("/catchup")
}

func (h *settingsPages) shownLists(c *call) error {
	shown, err := h.lists.ShownLists(c.r.Context(), c.me.ID)
	if err != nil {
		return fmt.Errorf("read which lists are shown: %w", err)
	}
	f := startForm(c, "/settings/lists", c.tr("Save"),
		field{Kind: checkField, Name: "top", Label: c.tr("Top"), On: shown.Top, Hint: c.tr("Popular posts from people you follow, ordered by when they became popular. Always available on the Lists page.")},
		field{Kind: checkField, Name: "catch_up", Label: c.tr("Catch-up"), On: shown.CatchUp,
			Hint: c.tr("What you missed, most important first. Some apps, such as Tusky, sort every list by time and show this one in the wrong order. Always available on the Catch-up page.")})
	return showSettings(c, http.StatusOK, c.tr("Lists in apps"), "/settings/lists", formPage{
		Lead: c.tr("Choose which built-in timelines appear among your lists in apps."), Parts: []formSection{{Form: f}}})
}

func (h *settingsPages) changeShownLists(c *call) error {
	_, err := h.lists.SetShownLists(c.r.Context(), c.me.ID, linnet.ShownListsChange{Top: ticked(c, "top"), CatchUp: ticked(c, "catch_up")})
	if err != nil {
		return fmt.Errorf("change which lists are shown: %w", err)
	}
	return saved(c, "/settings/lists")
}
