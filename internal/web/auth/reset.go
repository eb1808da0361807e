package auth

import (
	"errors"
	"net/http"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// resetPage resets the password or the second factor of an account.
type resetPage struct {
	identity.ResetLink
	Errors      page.FieldErrors
	MinPassword int
}

func (h *Pages) resetForm(c *page.Context) error {
	link, err := h.Identity.Reset(c.Request.Context(), c.Request.PathValue("token"))
	if err != nil {
		return resetRefusal(c, err)
	}
	return showReset(c, http.StatusOK, resetPage{ResetLink: link})
}

func showReset(c *page.Context, code int, p resetPage) error {
	p.MinPassword = linnet.MinPassword
	title := c.Tr("Set a new password")
	if p.TwoFactor {
		title = c.Tr("Turn off two-factor authentication")
	}
	return c.Render(code, page.Page{Title: title, Body: resetView(c, p)})
}

// reset uses the link. It starts no session: the following login asks for the second factor if
// there is one.
func (h *Pages) reset(c *page.Context) error {
	ctx, token, form := c.Request.Context(), c.Request.PathValue("token"), c.Request.PostForm
	link, err := h.Identity.Reset(ctx, token)
	if err != nil {
		return resetRefusal(c, err)
	}
	p := resetPage{ResetLink: link, Errors: page.FieldErrors{}}
	if !link.TwoFactor && form.Get("password") != form.Get("again") {
		p.Errors["again"] = c.Tr("The passwords don't match. Please enter both again.")
		return showReset(c, http.StatusUnprocessableEntity, p)
	}
	if err := h.Identity.UseReset(c.VisitorContext(), token, form.Get("password"), c.ClientAddr()); err != nil {
		if p.Errors.Add(c, err, map[string]page.FormField{"password": {Name: "password", Subject: c.Tr("The password")}}) {
			return showReset(c, http.StatusUnprocessableEntity, p)
		}
		return resetRefusal(c, err)
	}
	return c.Redirect("/login") // the sessions of the account have ended
}

// resetRefusal returns the error page for a link that is no longer valid, with a link to the
// login.
func resetRefusal(c *page.Context, err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && e.Kind == linnet.Gone {
		return &page.Error{Code: http.StatusGone, Localized: c.ErrorText(e), Back: "/login", BackText: "Log in"}
	}
	return err
}
