package settings

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
)

// shownLists is the page about built-in lists in apps.
func (h *Pages) shownLists(c *page.Context) (*form.Page, error) {
	shown, err := h.Lists.ShownLists(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, fmt.Errorf("read the settings of built-in lists: %w", err)
	}
	f := form.New(c, "/settings/lists", c.Tr("Save"),
		form.Field{Kind: form.CheckField, Name: "top", Label: c.Tr("Top"), On: shown.Top, Hint: c.Tr("Popular posts that people you follow wrote, favourited or boosted, in the order in which they became popular. Always available on the Lists page.")},
		form.Field{Kind: form.CheckField, Name: "catch_up", Label: c.Tr("Catch-up"), On: shown.CatchUp,
			Hint: c.Tr("What you missed, most important first. Some apps, such as Tusky, sort every list by time and show this list in the wrong order. Always available on the Catch-up page.")})
	return &form.Page{Title: c.Tr("Lists in apps"), Path: "/settings/lists", Lead: c.Tr("Choose which built-in timelines appear among your lists in apps."), Form: f}, nil
}

func (h *Pages) saveShownLists(c *page.Context) (string, error) {
	_, err := h.Lists.SetShownLists(c.Request.Context(), c.Me.ID, linnet.ShownListsChange{Top: form.Checked(c, "top"), CatchUp: form.Checked(c, "catch_up")})
	return form.Saved("/settings/lists"), err
}
