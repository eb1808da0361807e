package web

import (
	"bytes"
	"errors"
	"image/png"
	"net/http"
	"strconv"

	"github.com/pquerna/otp"

	"linnet/internal/linnet"
)

// The pages about how one logs in: password, second factor, open sessions, and
// the end of the account. All of them are for who is logged in.

const (
	securityPath  = "/settings/security"
	twoFactorPath = "/settings/two-factor"
)

func securityRoutes() []route {
	return []route{
		{pattern: securityPath, get: own((*call).security)},
		{pattern: "/settings/password", post: own((*call).changePassword)},
		{pattern: "/settings/sessions", post: own((*call).endSession)},
		{pattern: twoFactorPath, get: own((*call).twoFactor), post: own((*call).confirmTwoFactor)},
		{pattern: twoFactorPath + "/qr.png", get: own((*call).twoFactorPicture)},
		{pattern: twoFactorPath + "/end", post: own((*call).endTwoFactor)},
		{pattern: "/settings/delete", get: own((*call).deleteForm), post: own((*call).deleteAccount)},
	}
}

// own keeps a page to people who are logged in.
func own(do func(*call) error) func(*call) error {
	return func(c *call) error {
		switch {
		case c.me != nil:
			return do(c)
		case c.r.Method == http.MethodPost:
			return c.toLogin(securityPath)
		}
		return c.toLogin(c.r.URL.RequestURI())
	}
}

type securityPage struct {
	Page        formPage // the neighbours
	Errors      fieldErrors
	Done        string // what was done just now
	MinPassword int
	TwoFactor   linnet.TwoFactor
	Sessions    []sessionRow
	Log         []linnet.SecurityEntry
}

type sessionRow struct {
	linnet.OpenSession
	Current bool
}

// name says what is logged in by the session.
func (s sessionRow) name() string {
	switch {
	case s.Web:
		return "A browser"
	case s.Client.Name == "":
		return "An app"
	}
	return s.Client.Name
}

func (c *call) security() error {
	return c.showSecurity(http.StatusOK, securityPage{Done: doneText(c.r.URL.Query().Get("done"))})
}

// doneText says what was done before the browser was sent back here.
func doneText(what string) string {
	switch what {
	case "password":
		return "The password is changed. All other sessions and apps have been logged out."
	case "session":
		return "That session has ended."
	case "two-factor":
		return "Two-factor log-in is off."
	}
	return ""
}

func (c *call) showSecurity(code int, p securityPage) error {
	ctx := c.r.Context()
	current, err := c.svc.Identity.Session(ctx, c.token)
	if err != nil {
		return err
	}
	all, err := c.svc.Identity.Sessions(ctx, c.me.ID)
	if err != nil {
		return err
	}
	for _, s := range all {
		p.Sessions = append(p.Sessions, sessionRow{s, s.ID == current.ID})
	}
	if p.TwoFactor, err = c.svc.Identity.TwoFactor(ctx, c.me.ID); err != nil {
		return err
	}
	if p.Log, err = c.svc.Identity.SecurityLog(ctx, c.me.ID); err != nil {
		return err
	}
	p.MinPassword, p.Page = linnet.MinPassword, formPage{Name: "Settings", Nav: settingsNav()}
	for i := range p.Page.Nav {
		p.Page.Nav[i].Here = p.Page.Nav[i].Path == securityPath
	}
	return c.render(code, page{Title: "Password and log-in", Body: securityView(c, p), Here: "/settings"})
}

// refusedForm shows the page again with what was wrong, or passes other faults on.
func (c *call) refusedForm(err error, fields map[string]formField) error {
	if errs := (fieldErrors{}); errs.add(err, fields) {
		return c.showSecurity(http.StatusUnprocessableEntity, securityPage{Errors: errs})
	}
	return err
}

func (c *call) changePassword() error {
	form := c.r.PostForm
	if form.Get("new") != form.Get("again") {
		return c.showSecurity(http.StatusUnprocessableEntity,
			securityPage{Errors: fieldErrors{"again": "The two passwords differ."}})
	}
	token, err := c.svc.Identity.ChangePassword(c.r.Context(), c.me.ID, form.Get("old"), form.Get("new"), c.from())
	if err != nil {
		return c.refusedForm(err, map[string]formField{"password": {"old", "The password"}, "new_password": {"new", "The new password"}})
	}
	c.setCookie(sessionCookie, token, sessionAge)
	return c.seeOther(securityPath + "?done=password")
}

func (c *call) endSession() error {
	err := c.svc.Identity.EndSession(c.r.Context(), c.me.ID, c.typed("session"))
	if err != nil && !isKind(err, linnet.NotFound) {
		return err // one that has ended already is as was wished
	}
	return c.seeOther(securityPath + "?done=session")
}

type twoFactorPage struct {
	linnet.TwoFactor
	Errors fieldErrors
	Codes  []string // recovery codes, once
}

func (c *call) twoFactor() error { return c.showTwoFactor(http.StatusOK, nil) }

func (c *call) showTwoFactor(code int, errs fieldErrors) error {
	t, err := c.svc.Identity.BeginTwoFactor(c.r.Context(), c.me.ID)
	if isKind(err, linnet.Conflict) {
		return c.seeOther(securityPath)
	}
	if err != nil {
		return err
	}
	return c.render(code, page{Title: "Two-factor log-in", Body: twoFactorView(c, twoFactorPage{TwoFactor: t, Errors: errs})})
}

// twoFactorPicture is the code for apps with a camera. It is as secret as the page
// that it stands on.
func (c *call) twoFactorPicture() error {
	t, err := c.svc.Identity.BeginTwoFactor(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	key, err := otp.NewKeyFromURL(t.URL)
	if err != nil {
		return err
	}
	img, err := key.Image(240, 240)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return err
	}
	h := c.w.Header()
	secureHeaders(h, "")
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "image/png")
	h.Set("Content-Length", strconv.Itoa(b.Len()))
	_, _ = b.WriteTo(c.w) // a reader who has gone away is no error
	return nil
}

func (c *call) confirmTwoFactor() error {
	codes, err := c.svc.Identity.ConfirmTwoFactor(c.r.Context(), c.ownSession(), c.typed("code"), c.r.PostForm.Get("password"), c.from())
	switch {
	case err == nil:
		return c.render(http.StatusOK, page{Title: "Two-factor log-in", Body: twoFactorView(c, twoFactorPage{Codes: codes})})
	case isKind(err, linnet.Conflict):
		return c.seeOther(securityPath)
	}
	errs := fieldErrors{}
	if !errs.add(err, map[string]formField{"password": {"password", "The password"}, "code": {"code", "The code"}}) {
		return err
	}
	if errs["code"] != "" {
		errs["code"] = "That code is wrong. Codes change every 30 seconds; is the clock of your device right?"
	}
	return c.showTwoFactor(http.StatusUnprocessableEntity, errs)
}

func (c *call) endTwoFactor() error {
	err := c.svc.Identity.EndTwoFactor(c.r.Context(), c.me.ID, c.r.PostForm.Get("password"), c.from())
	if err != nil {
		return c.refusedForm(err, map[string]formField{"password": {"off", "The password"}})
	}
	return c.seeOther(securityPath + "?done=two-factor")
}

type deletePage struct{ Error string }

func (c *call) deleteForm() error { return c.showDelete(http.StatusOK, "") }

func (c *call) showDelete(code int, wrong string) error {
	return c.render(code, page{Title: "Delete the account", Body: deleteView(c, deletePage{wrong})})
}

func (c *call) deleteAccount() error {
	err := c.svc.Social.DeleteOwnAccount(c.r.Context(), c.me.ID, c.r.PostForm.Get("password"), c.from())
	var refused *linnet.Error
	switch {
	case err == nil:
		c.setCookie(sessionCookie, "", -1e9)
		return c.seeOther("/")
	case isKind(err, linnet.Invalid):
		return c.showDelete(http.StatusUnprocessableEntity, "The password is wrong.")
	case isKind(err, linnet.Forbidden) && errors.As(err, &refused):
		return c.showDelete(http.StatusForbidden, sentence(refused.Msg))
	}
	return err
}
