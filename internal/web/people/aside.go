package people

import (
	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// asideOfProfile reads the followers and lists that the reader and a person have in common. It logs
// errors and leaves out the section.
func (h *Pages) asideOfProfile(c *page.Context, p *profilePage) {
	known, total, err := h.View.CommonFollowers(c.Request.Context(), c.Me.ID, p.Who.ID, linnet.Page{Limit: page.AsideRows})
	lists, listsErr := h.Lists.ListsWith(c.Request.Context(), c.Me.ID, p.Who.ID)
	c.LogMissing(err, listsErr)
	p.Known, p.KnownTotal, p.Lists = known.Items, total, lists
}
