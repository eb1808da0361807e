package web

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

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
	of, err := h.postPages.StatusNamed(c, digits)
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

// quotesOf shows the statuses that quote one.
func (h *timelinePages) quotesOf(c *page.Context) error {
	st, err := h.postPages.StatusInPath(c)
	if err != nil {
		return err
	}
	return timeline(c, page.Page{Title: c.Tr("Quotes")}, post.Timeline{Heading: c.Tr("Quotes"), Empty: ui.Empty{Icon: "quote", Title: c.Tr("No quotes"), Text: c.Tr("Posts that quote this one appear here.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return h.reading.Quotes(c.Request.Context(), c.Viewer(), st.ID, q)
		})
}
