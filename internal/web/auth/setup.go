package auth

import (
	"errors"
	"fmt"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *Pages) setUpForm(c *page.Context) error {
	if err := h.Moderation.Setup.CheckToken(c.Request.Context(), c.Request.PathValue("token")); err != nil {
		return setUpRefusal(c, err)
	}
	return showSetUp(c, http.StatusOK, accountForm{MinPassword: linnet.MinPassword})
}

func showSetUp(c *page.Context, code int, f accountForm) error {
	return c.Render(code, page.Page{Title: c.Tr("Set up"), Body: setupView(c, f), Script: true})
}

// setUp creates the first administrator. Only one of several concurrent requests succeeds. The
// others get the error that the link was used.
func (h *Pages) setUp(c *page.Context) error {
	form, in := readAccount(c)
	in.Role, in.Agreed = linnet.Admin, true // the administrator writes the rules
	_, err := h.Moderation.Setup.SetUp(c.Request.Context(), c.Request.PathValue("token"), in)
	switch {
	case err == nil:
		return logInAfterSignUp(c, in, paths.AdminStart)
	case !form.refused(c, err):
		return setUpRefusal(c, err)
	}
	return showSetUp(c, http.StatusUnprocessableEntity, form)
}

// setUpRefusal returns the error page for a setup link that is no longer valid, with a link to the
// login.
func setUpRefusal(c *page.Context, err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && e.Kind == linnet.Gone {
		return &page.Error{Code: http.StatusGone, Localized: c.ErrorText(e), Back: "/login", BackText: "Log in"}
	}
	return fmt.Errorf("set up the server: %w", err)
}
