package post

import (
	"context"
	"fmt"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// quoteHidden returns why a quoted status is hidden; "" if it isn't.
func quoteHidden(ctx context.Context, q *linnet.QuoteView) string {
	switch q.State {
	case linnet.QuoteAccepted:
		if q.Status != nil && q.Status.Hidden() {
			return ui.Tr(ctx, "Quoted post hidden by one of your filters.")
		}
		return ""
	case linnet.QuoteRevoked:
		return ui.Tr(ctx, "Quoted post removed by its author.")
	case linnet.QuoteDeleted:
		return ui.Tr(ctx, "The quoted post was deleted.")
	case linnet.QuoteBlocked:
		return ui.Tr(ctx, "Post by an account you've blocked")
	case linnet.QuoteMuted:
		return ui.Tr(ctx, "Post by an account you've muted")
	}
	return ui.Tr(ctx, "You can't see the quoted post.")
}

// Unquotes reports whether the reader can remove their post from this quote.
func (r *Row) Unquotes() bool {
	return r.C.Me != nil && r.S.Quoting() && r.S.QuoteAuthor == r.C.Me.ID && r.S.Author != r.C.Me.ID && r.S.Quote != nil && r.S.Quote.Of != 0
}

// unquotable returns the status in the path, if the reader can remove their post from it.
func (h *Pages) unquotable(c *page.Context) (*Row, error) {
	st, err := h.StatusInPath(c)
	if err != nil {
		return nil, err
	}
	row := QuietRow(c, st)
	if !row.Unquotes() {
		return row, page.NotFound()
	}
	return row, nil
}

// UnquoteForm asks the reader to confirm that their post is removed from a quote.
func (h *Pages) UnquoteForm(c *page.Context) error {
	row, err := h.unquotable(c)
	if err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Remove your post"), Body: unquoteView(c, row)})
}

// Unquote removes the reader's post from a quote.
func (h *Pages) Unquote(c *page.Context) error {
	row, err := h.unquotable(c)
	if err != nil {
		return err
	}
	if _, err := h.Posting.RevokeQuote(c.Request.Context(), c.Me.ID, row.S.QuoteOf, row.S.ID); err != nil {
		return fmt.Errorf("remove a quote: %w", err)
	}
	return c.Redirect(paths.Post(row.S) + "#p" + row.S.ID.String())
}

// QuoteLine returns a link to the quoted status, for feeds and exports without cards.
func QuoteLine(s linnet.StatusView) string {
	url := ui.Escape(s.QuoteLink())
	if url == "" {
		return ""
	}
	return `<p>RE: <a href="` + url + `">` + url + `</a></p>`
}
