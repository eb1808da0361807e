package web

import (
	"errors"
	"fmt"
	"net/http"

	"linnet/internal/linnet"
)

func (c *call) setUpForm() error {
	if err := c.svc.Moderation.CheckSetupToken(c.r.Context(), c.r.PathValue("token")); err != nil {
		return c.setUpRefusal(err)
	}
	return c.showSetUp(http.StatusOK, accountForm{MinPassword: linnet.MinPassword})
}

func (c *call) showSetUp(code int, f accountForm) error {
	return c.render(code, page{Title: c.tr("Set up"), Body: setupView(c, f), Script: true})
}

// setUp makes the first administrator. Of several at a time social lets one
// through; the others learn that the link is used up.
func (c *call) setUp() error {
	form, in := c.readAccount()
	in.Role, in.Agreed = linnet.Admin, true // the administrator writes the rules
	_, err := c.svc.Moderation.SetUp(c.r.Context(), c.r.PathValue("token"), in)
	switch {
	case err == nil:
		return c.enter(in, startPath)
	case !form.refused(c, err):
		return c.setUpRefusal(err)
	}
	return c.showSetUp(http.StatusUnprocessableEntity, form)
}

// setUpRefusal leads from a set-up link that is used up to the log-in page.
func (c *call) setUpRefusal(err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && e.Kind == linnet.Gone {
		return &httpError{code: http.StatusGone, said: c.told(e), back: "/login", text: "Log in"}
	}
	return fmt.Errorf("set up: %w", err)
}
