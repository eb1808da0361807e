package web

import (
	"errors"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// deviceCookie identifies this browser among those that have logged in to an account.
const (
	deviceCookie = "linnet-device"
	deviceAge    = 2 * sessionAge
)

// noteDevice records that this browser has logged in. Errors are only logged, because the log-in is
// done.
func (c *call) noteDevice(user linnet.ID) {
	had := c.cookie(deviceCookie)
	cookie, err := c.svc.Emails.NoteDevice(c.visiting(), user, had)
	if err != nil {
		c.log(http.StatusInternalServerError, err)
		return
	}
	if cookie != "" {
		c.setCookie(deviceCookie, cookie, deviceAge)
	}
}

func (h *authPages) unsubscribeForm(c *call) error {
	login, err := h.emails.Unsubscribed(c.r.Context(), c.r.PathValue("token"))
	if err != nil {
		return stopRefusal(c, err)
	}
	return c.render(http.StatusOK, page{Title: c.tr("Unsubscribe"), Body: unsubscribeView(c, login, false)})
}

// unsubscribe takes the button of the page, and what mail programs send by themselves
// (RFC 8058), which has neither cookies nor the token of a form: the secret in the address
// is what counts, and all that it does is to end mails.
func (h *authPages) unsubscribe(c *call) error {
	token := c.r.PathValue("token")
	login, err := h.emails.Unsubscribed(c.r.Context(), token)
	if err == nil {
		err = h.emails.Unsubscribe(c.r.Context(), token)
	}
	if err != nil {
		return stopRefusal(c, err)
	}
	return c.render(http.StatusOK, page{Title: c.tr("Unsubscribe"), Body: unsubscribeView(c, login, true)})
}

func stopRefusal(c *call, err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && e.Kind == linnet.Gone {
		return &httpError{code: http.StatusGone, said: c.told(e), back: paths.Email, text: "E-mail settings"}
	}
	return err
}
