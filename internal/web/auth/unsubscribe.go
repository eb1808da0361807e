package auth

import (
	"errors"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *Pages) unsubscribeForm(c *page.Context) error {
	login, err := h.Emails.Unsubscribed(c.Request.Context(), c.Request.PathValue("token"))
	if err != nil {
		return stopRefusal(c, err)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Unsubscribe"), Body: unsubscribeView(c, login, false)})
}

// unsubscribe takes the button of the page, and what mail programs send by themselves
// (RFC 8058), which has neither cookies nor the token of a form: the secret in the address
// is what counts, and all that it does is to end mails.
func (h *Pages) unsubscribe(c *page.Context) error {
	token := c.Request.PathValue("token")
	login, err := h.Emails.Unsubscribed(c.Request.Context(), token)
	if err == nil {
		err = h.Emails.Unsubscribe(c.Request.Context(), token)
	}
	if err != nil {
		return stopRefusal(c, err)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Unsubscribe"), Body: unsubscribeView(c, login, true)})
}

func stopRefusal(c *page.Context, err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && e.Kind == linnet.Gone {
		return &page.Error{Code: http.StatusGone, Localized: c.ErrorText(e), Back: paths.Email, BackText: "E-mail settings"}
	}
	return err
}
