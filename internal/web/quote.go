package web

import (
	"context"
	"fmt"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Quotes and who can quote.

// quoterChoices returns the entries of the list of who can quote a status, in English.
func quoterChoices() []audienceChoice {
	return []audienceChoice{{Word: linnet.QuotePublic.String(), Text: locale.Mark("Anyone can quote")}, {Word: linnet.QuoteFollowers.String(), Text: locale.Mark("Followers can quote")},
		{Word: linnet.QuoteNobody.String(), Text: locale.Mark("Only you can quote")}}
}

// Quoters returns the entries of the list of who can quote the status; nil if the writer can't
// choose.
func (f composeForm) Quoters() []audienceChoice {
	if f.Edit != nil && f.Edit.Visibility > linnet.Unlisted || f.Edit == nil && f.Fixed() != "" {
		return nil
	}
	all := quoterChoices()
	all[min(f.QuotePolicy, linnet.QuoteNobody)].Chosen = true
	return all
}

// quoteForm returns the form for a quote. Its visibility is at most followers if the quoted status
// is for followers.
func quoteForm(c *page.Context, of linnet.StatusView) (composeForm, error) {
	f := newForm(c)
	if !of.MayQuote {
		return f, &page.Error{Code: http.StatusForbidden, Msg: "The author doesn't allow you to quote this post. Link to it instead.", Back: paths.Post(of), BackText: "Go to the post"}
	}
	f.Quote = &of
	if of.Visibility == linnet.Private {
		f.Visibility = max(f.Visibility, linnet.Private)
	}
	return f, nil
}

// sentQuote reads the quoted status, and who can quote the new one.
func (h *composePages) sentQuote(c *page.Context, f *composeForm) error {
	f.QuotePolicy = c.Me.Posting.QuotePolicy
	if f.Edit != nil {
		f.QuotePolicy, f.Quote = f.Edit.QuotePolicy, f.Edit.Quote.Shown()
	}
	if p, ok := linnet.ParseQuotePolicy(c.Request.PostForm.Get("quoters")); ok {
		f.QuotePolicy = p
	}
	digits := c.Request.PostForm.Get("quoted")
	if digits == "" || f.Edit != nil || c.Request.PostForm.Get("drop-quote") != "" {
		return nil
	}
	return h.takeQuoted(c, f, digits)
}

// takeQuoted adds the quoted status to a form, if it exists and the writer can quote it. Otherwise
// the form shows why, and is sent without it the next time.
func (h *composePages) takeQuoted(c *page.Context, f *composeForm, digits string) error {
	of, err := h.postPages.statusNamed(c, digits)
	switch {
	case page.IsKind(err, linnet.NotFound):
		f.Errors[""] = c.Tr("The post you quoted was deleted. You can post this without it.")
		return nil
	case err != nil:
		return err
	case !of.MayQuote:
		f.Errors[""] = c.Tr("The author no longer allows you to quote that post. You can post this without it.")
		return nil
	}
	f.Quote = &of
	return nil
}

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
func (r *postRow) Unquotes() bool {
	return r.c.Me != nil && r.S.Quoting() && r.S.QuoteAuthor == r.c.Me.ID && r.S.Author != r.c.Me.ID && r.S.Quote != nil && r.S.Quote.Of != 0
}

// quotesOf shows the statuses that quote one.
func (h *timelinePages) quotesOf(c *page.Context) error {
	st, err := h.postPages.statusInPath(c)
	if err != nil {
		return err
	}
	return timeline(c, page.Page{Title: c.Tr("Quotes")}, timelinePage{Heading: c.Tr("Quotes"), Empty: ui.Empty{Icon: "quote", Title: c.Tr("No quotes"), Text: c.Tr("Posts that quote this one appear here.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.reading.Quotes(c.Request.Context(), c.Viewer(), st.ID, q)
		})
}

// unquotable returns the status in the path, if the reader can remove their post from it.
func (h *postPages) unquotable(c *page.Context) (*postRow, error) {
	st, err := h.statusInPath(c)
	if err != nil {
		return nil, err
	}
	row := quietRow(c, st)
	if !row.Unquotes() {
		return row, page.NotFound()
	}
	return row, nil
}

// unquoteForm asks before a post of the reader's own is taken out of another.
func (h *postPages) unquoteForm(c *page.Context) error {
	row, err := h.unquotable(c)
	if err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Remove your post"), Body: unquoteView(c, row)})
}

func (h *postPages) unquote(c *page.Context) error {
	row, err := h.unquotable(c)
	if err != nil {
		return err
	}
	if _, err := h.posting.RevokeQuote(c.Request.Context(), c.Me.ID, row.S.QuoteOf, row.S.ID); err != nil {
		return fmt.Errorf("take a quote back: %w", err)
	}
	return c.Redirect(paths.Post(row.S) + "#p" + row.S.ID.String())
}

// quoteLine returns a link to the quoted status, for places without cards.
func quoteLine(s linnet.StatusView) string {
	url := ui.Escape(s.QuoteLink())
	if url == "" {
		return ""
	}
	return `<p>RE: <a href="` + url + `">` + url + `</a></p>`
}
