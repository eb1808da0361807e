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

// unsubscribe handles the button of the page, and the requests of e-mail programs (RFC 8058). The
// latter have neither cookies nor a form token. The secret in the path is sufficient, because it
// only ends e-mails.
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
