package web

import (
	"errors"
	"net/http"

	"linnet/internal/identity"
	"linnet/internal/linnet"
)

// ownSession is the session of this browser.
func (c *call) ownSession() identity.OwnSession {
	return identity.OwnSession{User: c.me.ID, ID: c.session}
}

// confirmed reports whether the password was given in this session a short while
// ago. If the store does not say, it was not.
func (c *call) confirmed() bool {
	ok, err := c.svc.Identity.Confirmed(c.r.Context(), c.ownSession())
	return ok && err == nil
}

// confirm takes the password that a form asks for besides, if it was typed.
func (c *call) confirm() error {
	password := c.r.PostForm.Get("password")
	if password == "" {
		return nil // social says whether it was needed
	}
	return c.svc.Identity.ConfirmPassword(c.visiting(), c.ownSession(), password, c.from())
}

// resetPage is where the owner of an account gets in again.
type resetPage struct {
	identity.ResetLink
	Errors      fieldErrors
	MinPassword int
}

func (h *authPages) resetForm(c *call) error {
	link, err := h.identity.Reset(c.r.Context(), c.r.PathValue("token"))
	if err != nil {
		return resetRefusal(c, err)
	}
	return showReset(c, http.StatusOK, resetPage{ResetLink: link})
}

func showReset(c *call, code int, p resetPage) error {
	p.MinPassword = linnet.MinPassword
	title := c.tr("Set a new password")
	if p.TwoFactor {
		title = c.tr("Turn off two-factor authentication")
	}
	return c.render(code, page{Title: title, Body: resetView(c, p)})
}

// reset uses the link up. Nobody is logged in by it: the log-in that follows asks
// for the second factor if there is one.
func (h *authPages) reset(c *call) error {
	ctx, token, form := c.r.Context(), c.r.PathValue("token"), c.r.PostForm
	link, err := h.identity.Reset(ctx, token)
	if err != nil {
		return resetRefusal(c, err)
	}
	p := resetPage{ResetLink: link, Errors: fieldErrors{}}
	if !link.TwoFactor && form.Get("password") != form.Get("again") {
		p.Errors["again"] = c.tr("The passwords don't match. Please enter both again.")
		return showReset(c, http.StatusUnprocessableEntity, p)
	}
	if err := h.identity.UseReset(c.visiting(), token, form.Get("password"), c.from()); err != nil {
		if p.Errors.add(c, err, map[string]formField{"password": {"password", c.tr("The password")}}) {
			return showReset(c, http.StatusUnprocessableEntity, p)
		}
		return resetRefusal(c, err)
	}
	c.setCookie(sessionCookie, "", -1e9)
	return c.seeOther("/login")
}

// resetRefusal leads from a link that is used up to the log-in page.
func resetRefusal(c *call, err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && e.Kind == linnet.Gone {
		return &httpError{code: http.StatusGone, said: c.told(e), back: "/login", text: "Log in"}
	}
	return err
}
