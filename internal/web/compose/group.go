package compose

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// GroupNamed returns the group with a login for the reader.
func (h *Pages) GroupNamed(c *page.Context, login string) (linnet.GroupView, error) {
	who, err := h.Groups.GroupByLogin(c.Request.Context(), c.Viewer(), login)
	if err != nil {
		return linnet.GroupView{}, page.OrNotFound(err, "look up a group")
	}
	v, err := h.Groups.ViewGroup(c.Request.Context(), c.Viewer(), who.ID)
	if err != nil {
		return v, fmt.Errorf("show a group: %w", err)
	}
	return v, nil
}
