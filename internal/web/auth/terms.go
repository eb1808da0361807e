package auth

import (
	"context"
	"net/http"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

// policyPage is a text by the operators.
type policyPage struct {
	Title string
	Text  string
	Day   string // day on which it comes or came into effect; "" for none
	Is    string // sentence about that day
	Next  string // day on which the next version comes into effect; "" for none
}

func showPolicyPage(c *page.Context, p policyPage) error {
	return c.Render(http.StatusOK, page.Page{Title: p.Title, Body: policyView(p)})
}

func privacyPolicy(c *page.Context) error {
	about, err := c.Instance()
	if err != nil {
		return err
	}
	if about.Privacy == "" {
		return page.NotFound()
	}
	return showPolicyPage(c, policyPage{Title: c.Tr("Privacy policy"), Text: about.Privacy, Day: about.PrivacyAt.Format(time.DateOnly), Is: locale.Mark("Last updated on %s.")})
}

// terms shows the terms of service of the day in the path, or the current ones.
func (h *Pages) terms(c *page.Context) error {
	t, err := h.Settings.Terms(c.Request.Context(), c.Request.PathValue("day"))
	if page.IsKind(err, linnet.NotFound) {
		return page.NotFound()
	}
	if err != nil {
		return err
	}
	return showPolicyPage(c, policyPage{Title: c.Tr("Terms of service"), Text: t.Text, Day: t.Date, Is: termsState(t), Next: t.Next})
}

// termsState returns the sentence about the day on which terms come into effect.
func termsState(t linnet.Terms) string {
	switch {
	case t.Past:
		return locale.Mark("These terms are no longer in effect. They took effect on %s.")
	case t.Now:
		return locale.Mark("In effect since %s.")
	}
	return locale.Mark("These terms take effect on %s.")
}

// dayIn formats a day for the reader.
func dayIn(ctx context.Context, day string) string {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		return day
	}
	return ui.ReaderOf(ctx).Lang.Time(t, locale.Mark("2 January 2006"))
}
