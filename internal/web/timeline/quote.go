package timeline

import (
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// QuotesOf shows the statuses that quote a status.
func (h *Pages) QuotesOf(c *page.Context) error {
	st, err := h.PostPages.StatusInPath(c)
	if err != nil {
		return err
	}
	return Timeline(c, page.Page{Title: c.Tr("Quotes")}, post.Timeline{Heading: c.Tr("Quotes"), Empty: ui.Empty{Icon: "quote", Title: c.Tr("No quotes"), Text: c.Tr("Posts that quote this one appear here.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.Reading.Quotes(c.Request.Context(), c.Viewer(), st.ID, q)
		})
}
