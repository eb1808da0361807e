package compose

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// preview shows the card of a link that is typed into the composer, for the script. It responds
// with 202 while the link is fetched, and with 204 if the link has no card.
func (h *Pages) preview(c *page.Context) error {
	link := c.Request.URL.Query().Get("link")
	if len(link) > text.MaxURL {
		link = ""
	}
	page.SecureHeaders(c.Writer.Header(), "")
	c.Writer.Header().Set("Cache-Control", "no-store")
	card, pending, err := h.Cards.Preview(c.Request.Context(), c.Me.ID, link)
	switch {
	case page.IsKind(err, linnet.TooMany):
		c.Writer.WriteHeader(http.StatusNoContent) // the post gets its card all the same
	case err != nil:
		return err
	case pending:
		c.Writer.WriteHeader(http.StatusAccepted)
	case card == nil:
		c.Writer.WriteHeader(http.StatusNoContent)
	default:
		return c.Render(http.StatusOK, page.Page{Part: true, Body: post.LinkPreviewOf(card)})
	}
	return nil
}
