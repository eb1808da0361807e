package web

import (
	"fmt"
	"net/http"

	"linnet/internal/linnet"
)

func rankRoutes() []route {
	return []route{
		{pattern: "/catchup", get: own((*call).catchUp), post: own((*call).renewCatchUp)},
	}
}

type catchUpPage struct {
	rankedPart
	Newest linnet.ID // for marking the home timeline as read; 0 if it is empty
}

// catchUp is what came home since it was marked as read, the most important first.
func (c *call) catchUp() error {
	r, err := c.svc.Discovery.CatchUp(c.r.Context(), c.me.ID, c.askedRank())
	if linnet.KindOf(err) == linnet.Invalid { // an invalid cursor
		return c.seeOther("/catchup")
	}
	if err != nil {
		return fmt.Errorf("read the catch-up: %w", err)
	}
	c.why = why{Place: "home"}
	return c.render(http.StatusOK, page{Title: c.tr("Catch-up"), Here: "/catchup", Body: catchUpView(c, catchUpPage{
		c.ranked(r, empty{"check", c.tr("You're all caught up"), c.tr("There's nothing new on your home timeline.")}), r.Newest})})
}

// renewCatchUp restarts the catch-up, after the shown posts if requested.
func (c *call) renewCatchUp() error {
	read, ok := linnet.ParseID(c.r.PostForm.Get("read"))
	var err error
	if ok {
		err = c.svc.Discovery.CaughtUp(c.r.Context(), c.me.ID, read)
	} else {
		err = c.svc.Discovery.RenewCatchUp(c.r.Context(), c.me.ID)
	}
	if err != nil {
		return fmt.Errorf("renew the catch-up: %w", err)
	}
	return c.seeOther("/catchup")
}

func (c *call) shownLists() error {
	shown, err := c.svc.Lists.ShownLists(c.r.Context(), c.me.ID)
	if err != nil {
		return fmt.Errorf("read which lists are shown: %w", err)
	}
	f := c.form("/settings/lists", c.tr("Save"),
		field{Kind: checkField, Name: "top", Label: c.tr("Top"), On: shown.Top, Hint: c.tr("Popular posts from people you follow, ordered by when they became popular. Always available on the Lists page.")},
		field{Kind: checkField, Name: "catch_up", Label: c.tr("Catch-up"), On: shown.CatchUp,
			Hint: c.tr("What you missed, most important first. Some apps, such as Tusky, sort every list by time and show this one in the wrong order. Always available on the Catch-up page.")})
	return c.showSettings(http.StatusOK, c.tr("Lists in apps"), "/settings/lists", formPage{
		Lead: c.tr("Choose which built-in timelines appear among your lists in apps."), Parts: []formSection{{Form: f}}})
}

func (c *call) changeShownLists() error {
	_, err := c.svc.Lists.SetShownLists(c.r.Context(), c.me.ID, linnet.ShownListsChange{Top: c.ticked("top"), CatchUp: c.ticked("catch_up")})
	if err != nil {
		return fmt.Errorf("change which lists are shown: %w", err)
	}
	return c.saved("/settings/lists")
}
