package web

import (
	"context"
	"fmt"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/locale"
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
func quoteForm(c *call, of linnet.StatusView) (composeForm, error) {
	f := newForm(c)
	if !of.MayQuote {
		return f, &httpError{code: http.StatusForbidden, msg: "The author doesn't allow you to quote this post. Link to it instead.", back: paths.Post(of), text: "Go to the post"}
	}
	f.Quote = &of
	if of.Visibility == linnet.Private {
		f.Visibility = max(f.Visibility, linnet.Private)
	}
	return f, nil
}

// sentQuote reads the quoted status, and who can quote the new one.
func (h *composePages) sentQuote(c *call, f *composeForm) error {
	f.QuotePolicy = c.me.Posting.QuotePolicy
	if f.Edit != nil {
		f.QuotePolicy, f.Quote = f.Edit.QuotePolicy, f.Edit.Quote.Shown()
	}
	if p, ok := linnet.ParseQuotePolicy(c.r.PostForm.Get("quoters")); ok {
		f.QuotePolicy = p
	}
	digits := c.r.PostForm.Get("quoted")
	if digits == "" || f.Edit != nil || c.r.PostForm.Get("drop-quote") != "" {
		return nil
	}
	return h.takeQuoted(c, f, digits)
}

// takeQuoted adds the quoted status to a form, if it exists and the writer can quote it. Otherwise
// the form shows why, and is sent without it the next time.
func (h *composePages) takeQuoted(c *call, f *composeForm, digits string) error {
	of, err := h.postPages.statusNamed(c, digits)
	switch {
	case isKind(err, linnet.NotFound):
		f.Errors[""] = c.tr("The post you quoted was deleted. You can post this without it.")
		return nil
	case err != nil:
		return err
	case !of.MayQuote:
		f.Errors[""] = c.tr("The author no longer allows you to quote that post. You can post this without it.")
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
	return r.c.me != nil && r.S.Quoting() && r.S.QuoteAuthor == r.c.me.ID && r.S.Author != r.c.me.ID && r.S.Quote != nil && r.S.Quote.Of != 0
}

// quotesOf shows the statuses that quote one.
func (h *timelinePages) quotesOf(c *call) error {
	st, err := h.postPages.statusInPath(c)
	if err != nil {
		return err
	}
	return timeline(c, page{Title: c.tr("Quotes")}, timelinePage{Heading: c.tr("Quotes"), Empty: ui.Empty{Icon: "quote", Title: c.tr("No quotes"), Text: c.tr("Posts that quote this one appear here.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.reading.Quotes(c.r.Context(), c.viewer(), st.ID, q)
		})
}

// unquotable returns the status in the path, if the reader can remove their post from it.
func (h *postPages) unquotable(c *call) (*postRow, error) {
	st, err := h.statusInPath(c)
	if err != nil {
		return nil, err
	}
	row := quietRow(c, st)
	if !row.Unquotes() {
		return row, errNowhere()
	}
	return row, nil
}

// unquoteForm asks before a post of the reader's own is taken out of another.
func (h *postPages) unquoteForm(c *call) error {
	row, err := h.unquotable(c)
	if err != nil {
		return err
	}
	return c.render(http.StatusOK, page{Title: c.tr("Remove your post"), Body: unquoteView(c, row)})
}

func (h *postPages) unquote(c *call) error {
	row, err := h.unquotable(c)
	if err != nil {
		return err
	}
	if _, err := h.posting.RevokeQuote(c.r.Context(), c.me.ID, row.S.QuoteOf, row.S.ID); err != nil {
		return fmt.Errorf("take a quote back: %w", err)
	}
	return c.seeOther(paths.Post(row.S) + "#p" + row.S.ID.String())
}

// quoteLine returns a link to the quoted status, for places without cards.
func quoteLine(s linnet.StatusView) string {
	url := ui.Escape(s.QuoteLink())
	if url == "" {
		return ""
	}
	return `<p>RE: <a href="` + url + `">` + url + `</a></p>`
}
