package compose

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// QuotePolicies returns the quote policies to choose from, or nil if the writer can't choose.
func (f Form) QuotePolicies() []audienceChoice {
	if f.Edit != nil && !f.Edit.Visibility.Open() || f.Edit == nil && f.Position == 0 && f.FixedAudience() != "" {
		return nil
	}
	all := []audienceChoice{{Word: linnet.QuotePublic.String(), Text: locale.Mark("Anyone can quote")}, {Word: linnet.QuoteFollowers.String(), Text: locale.Mark("Followers can quote")},
		{Word: linnet.QuoteNobody.String(), Text: locale.Mark("Only you can quote")}}
	all[min(f.QuotePolicy, linnet.QuoteNobody)].Chosen = true
	return all
}

// quoteForm returns the form for a quote.
func quoteForm(c *page.Context, of linnet.StatusView) (Form, error) {
	f := New(c)
	if !of.MayQuote {
		return f, &page.Error{Code: http.StatusForbidden, Msg: "The author doesn't allow you to quote this post. Link to it instead.", Back: paths.Post(of), BackText: "Go to the post"}
	}
	f.Quote, f.Visibility = &of, of.QuoteVisibility(f.Visibility)
	return f, nil
}

// sentQuote reads the quoted status, and the quote policy of the new one.
func (h *Pages) sentQuote(c *page.Context, f *Form) error {
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
// it sets an error, and the form is submitted without the quote next time.
func (h *Pages) takeQuoted(c *page.Context, f *Form, digits string) error {
	of, err := h.Posts.StatusNamed(c, digits)
	switch {
	case page.IsKind(err, linnet.NotFound):
		f.Errors[""] = c.Tr("The post you quoted was deleted, or you can no longer see it. You can still post this without the quote.")
		return nil
	case err != nil:
		return err
	case !of.MayQuote:
		f.Errors[""] = c.Tr("The author no longer allows you to quote that post. You can still post this without the quote.")
		return nil
	}
	f.Quote = &of
	return nil
}
