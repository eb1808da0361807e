package web

import (
	"errors"
	"net/http"

	"linnet/internal/identity"
	"linnet/internal/linnet"
)

const resetPath = "/reset/{token}"

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

func (c *call) resetForm() error {
	link, err := c.svc.Identity.Reset(c.r.Context(), c.r.PathValue("token"))
	if err != nil {
		return c.resetRefusal(err)
	}
	return c.showReset(http.StatusOK, resetPage{ResetLink: link})
}

func (c *call) showReset(code int, p resetPage) error {
	p.MinPassword = linnet.MinPassword
	title := c.tr("Set a new password")
	if p.TwoFactor {
		title = c.tr("Turn off two-factor authentication")
	}
	return c.render(code, page{Title: title, Body: resetView(c, p)})
}

// reset uses the link up. Nobody is logged in by it: the log-in that follows asks
// for the second factor if there is one.
func (c *call) reset() error {
	ctx, token, form := c.r.Context(), c.r.PathValue("token"), c.r.PostForm
	link, err := c.svc.Identity.Reset(ctx, token)
	if err != nil {
		return c.resetRefusal(err)
	}
	p := resetPage{ResetLink: link, Errors: fieldErrors{}}
	if !link.TwoFactor && form.Get("password") != form.Get("again") {
		p.Errors["again"] = c.tr("The passwords don't match. Please enter both again.")
		return c.showReset(http.StatusUnprocessableEntity, p)
	}
	if err := c.svc.Identity.UseReset(c.visiting(), token, form.Get("password"), c.from()); err != nil {
		if p.Errors.add(c, err, map[string]formField{"password": {"password", c.tr("The password")}}) {
			return c.showReset(http.StatusUnprocessableEntity, p)
		}
		return c.resetRefusal(err)
	}
	c.setCookie(sessionCookie, "", -1e9)
	return c.seeOther("/login")
}

// resetRefusal leads from a link that is used up to the log-in page.
func (c *call) resetRefusal(err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && e.Kind == linnet.Gone {
		return &httpError{code: http.StatusGone, said: c.told(e), back: "/login", text: "Log in"}
	}
	return err
}
