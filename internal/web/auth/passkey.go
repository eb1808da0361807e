package auth

import (
	"errors"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *Pages) passkeyLoginRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.PasskeyLogin, Post: h.passkeyLogIn},
		{Pattern: paths.PasskeyLogin + "/begin", Post: h.beginPasskeyLogIn},
	}
}

// ForScript answers the script of our own pages with JSON.
func ForScript(c *page.Context, body []byte) error {
	h := c.Writer.Header()
	page.SecureHeaders(h, "")
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	_, _ = c.Writer.Write(body) // the client may have disconnected
	return nil
}

func (h *Pages) beginPasskeyLogIn(c *page.Context) error {
	body, err := h.Security.BeginPasskeyLogIn(c.Request.Context(), c.FormToken())
	if err != nil {
		return RefusedToScript(c, err)
	}
	return ForScript(c, body)
}

// RefusedToScript returns an error whose text the script shows.
func RefusedToScript(c *page.Context, err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && (e.Kind == linnet.Forbidden || e.Kind == linnet.Invalid) {
		return &page.Error{Code: http.StatusUnprocessableEntity, Localized: c.ErrorText(e), Back: paths.Security, BackText: "Password and security"}
	}
	return err
}

func (h *Pages) passkeyLogIn(c *page.Context) error {
	token, u, err := h.Security.FinishPasskeyLogIn(c.VisitorContext(), c.FormToken(), []byte(c.Request.PostForm.Get("answer")), c.ClientAddr())
	if err != nil {
		return h.refuseLogIn(c, loginPage{}, err)
	}
	c.NoteDevice(u.ID)
	if err := c.TakeSession(token); err != nil {
		return err
	}
	return h.afterLogIn(c)
}
