package post

import (
	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// StatusNamed returns the status with the id in an input. For a boost it returns the original.
func (h *Pages) StatusNamed(c *page.Context, digits string) (linnet.StatusView, error) {
	id, ok := linnet.ParseID(digits)
	if !ok {
		return linnet.StatusView{}, page.NotFound()
	}
	st, err := h.View.Status(c.Request.Context(), c.Viewer(), id)
	if err != nil {
		return st, page.OrNotFound(err, "look up a status")
	}
	if st.Repost != nil {
		return *st.Repost, nil
	}
	return st, nil
}
