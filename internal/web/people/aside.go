package people

import (
	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// asideOfProfile reads the reader's and a person's followers and lists in common. Like at home, it
// leaves out sections after errors.
func (h *Pages) asideOfProfile(c *page.Context, p *profilePage) {
	known, total, err := h.View.CommonFollowers(c.Request.Context(), c.Me.ID, p.Who.ID, linnet.Page{Limit: page.AsideRows})
	lists, listsErr := h.Lists.ListsWith(c.Request.Context(), c.Me.ID, p.Who.ID)
	c.LogMissing(err, listsErr)
	p.Known, p.KnownTotal, p.Lists = known.Items, total, lists
}
