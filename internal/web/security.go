package web

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"net/http"
	"strconv"
	"time"

	"github.com/pquerna/otp"

	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// Pages about log-ins: password, two-factor authentication, sessions, and deleting the account. All
// require a log-in.

func (h *accountPages) securityRoutes() []route {
	return []route{
		{pattern: paths.Security, get: own(h.securitySettings)},
		{pattern: "/settings/password", post: own(h.changePassword)},
		{pattern: "/settings/sessions", post: own(h.endSession)},
		{pattern: "/settings/sessions/others", post: own(h.endOtherSessions)},
		{pattern: paths.SecurityLog, get: own(h.securityLog)},
		{pattern: paths.TwoFactor, get: own(h.twoFactor), post: own(h.confirmTwoFactor)},
		{pattern: paths.TwoFactor + "/qr.png", get: own(h.twoFactorPicture)},
		{pattern: paths.TwoFactor + "/end", post: own(h.endTwoFactor)},
		{pattern: paths.TwoFactor + "/codes", post: own(h.renewCodes)},
		{pattern: paths.DeleteAccount, get: own(deleteForm), post: own(h.deleteAccount)},
	}
}

// own restricts a page to logged-in users.
func own(do func(*call) error) func(*call) error {
	return func(c *call) error {
		switch {
		case c.me != nil:
			return do(c)
		case c.r.Method == http.MethodPost:
			return c.toLogin(paths.Security)
		}
		return c.toLogin(c.r.URL.RequestURI())
	}
}

type securityPage struct {
	Errors      fieldErrors
	Done        string // confirmation of the last action
	MinPassword int
	TwoFactor   linnet.TwoFactor
	Sessions    []sessionRow
	Log         []linnet.SecurityEntry // the latest
	More        bool                   // there are more

	PasskeysOn    bool
	Passkeys      []linnet.Passkey
	PasskeyErrors fieldErrors // of the form about Passkey, an ID; "" for the form that adds one
	Passkey       string
}

// logShown is the number of entries of the security log on the page.
const logShown = 5

type sessionRow struct {
	linnet.OpenSession
	Current bool
}

// name returns the name of a session.
func (s sessionRow) name(ctx context.Context) string {
	switch {
	case s.Web && s.Device != "":
		return identity.DeviceIn(ui.ReaderOf(ctx).Lang, s.Device)
	case s.Web:
		return ui.Tr(ctx, "A browser")
	case s.Client.Name == "":
		return ui.Tr(ctx, "An app")
	}
	return s.Client.Name
}

// about returns further data about where it was started; "" for none.
func (s sessionRow) about(ctx context.Context) string {
	device := s.Device
	if s.Web {
		device = "" // it is the name
	}
	return ui.JoinNonEmpty(ui.Comma(ctx), cameFrom(ctx, device, s.Place)...)
}

// cameFrom are a device and a place in the reader's language.
func cameFrom(ctx context.Context, device, place string) []string {
	in := ui.ReaderOf(ctx).Lang
	return []string{identity.DeviceIn(in, device), identity.PlaceIn(in, place)}
}

// lastUse says when a session was used last. It is noted once a day.
func lastUse(ctx context.Context, now, used time.Time) string {
	days := int64(now.Sub(used) / (24 * time.Hour))
	if days < 2 {
		return ui.Tr(ctx, "used in the last two days")
	}
	return ui.Trn(ctx, days, "last used %s day ago", "last used %s days ago")
}

// actedBy says to an account's owner who has done something to it; "" if it was the owner.
func actedBy(ctx context.Context, e linnet.SecurityEntry) string {
	switch {
	case !e.Event.ByStaff():
		return ""
	case e.By == 0:
		return ui.Tr(ctx, "by a command on the server")
	case e.Staff == nil || !e.Staff.Role.Staff():
		return ui.Tr(ctx, "by a former moderator or administrator")
	case e.Staff.Role == linnet.Admin:
		return ui.Tr(ctx, "by an administrator")
	case e.Staff.Custom != 0:
		return ui.Tr(ctx, "by another member of staff")
	}
	return ui.Tr(ctx, "by a moderator")
}

func (h *accountPages) securitySettings(c *call) error {
	return h.showSecurity(c, http.StatusOK, securityPage{Done: doneText(c, c.r.URL.Query().Get("done"))})
}

// doneText returns the confirmation of an action before the redirect to this page.
func doneText(c *call, what string) string {
	switch what {
	case "password":
		return c.tr("Your password was changed. All other sessions and apps have been logged out.")
	case "session":
		return c.tr("The session has ended.")
	case "sessions":
		return c.tr("All other sessions and apps have been logged out.")
	case "passkey":
		return c.tr("Passkey added. You can now log in with it.")
	case "renamed":
		return c.tr("Passkey renamed.")
	case "removed":
		return c.tr("Passkey removed. It no longer works here. Remove it from your device too.")
	case "two-factor":
		return c.tr("Two-factor authentication is off.")
	}
	return ""
}

func (h *accountPages) showSecurity(c *call, code int, p securityPage) error {
	ctx := c.r.Context()
	current, err := h.identity.Session(ctx, c.token)
	if err != nil {
		return err
	}
	all, err := h.identity.Sessions(ctx, c.me.ID)
	if err != nil {
		return err
	}
	for _, s := range all {
		p.Sessions = append(p.Sessions, sessionRow{s, s.ID == current.ID})
	}
	if p.TwoFactor, err = h.identity.TwoFactor(ctx, c.me.ID); err != nil {
		return err
	}
	if p.PasskeysOn = h.security.PasskeysOn(); p.PasskeysOn {
		if p.Passkeys, err = h.security.Passkeys(ctx, c.me.ID); err != nil {
			return err
		}
	}
	if p.Log, err = h.security.SecurityLog(ctx, c.me.ID); err != nil {
		return err
	}
	p.More = len(p.Log) > logShown
	p.Log = p.Log[:min(len(p.Log), logShown)]
	p.MinPassword = linnet.MinPassword
	return showSettingsBody(c, code, c.tr("Password and security"), paths.Security, securityView(c, p))
}

// refusedForm shows the page again with its errors. It returns other errors.
func (h *accountPages) refusedForm(c *call, err error, fields map[string]formField) error {
	if errs := (fieldErrors{}); errs.add(c, err, fields) {
		return h.showSecurity(c, http.StatusUnprocessableEntity, securityPage{Errors: errs})
	}
	return err
}

func (h *accountPages) changePassword(c *call) error {
	form := c.r.PostForm
	if form.Get("new") != form.Get("again") {
		return h.showSecurity(c, http.StatusUnprocessableEntity,
			securityPage{Errors: fieldErrors{"again": c.tr("The passwords don't match.")}})
	}
	token, err := h.identity.ChangePassword(c.visiting(), c.me.ID, form.Get("old"), form.Get("new"), c.from())
	if err != nil {
		return h.refusedForm(c, err, map[string]formField{"password": {"old", c.tr("The password")}, "new_password": {"new", c.tr("The new password")}})
	}
	c.setCookie(sessionCookie, token, sessionAge)
	return c.seeOther(paths.Security + "?done=password")
}

func (h *accountPages) endSession(c *call) error {
	err := h.identity.EndSession(c.visiting(), c.me.ID, c.typed("session"))
	if err != nil && !isKind(err, linnet.NotFound) {
		return err // one that has ended already is as was wished
	}
	return c.seeOther(paths.Security + "?done=session")
}

func (h *accountPages) endOtherSessions(c *call) error {
	if err := h.security.EndOtherSessions(c.visiting(), c.ownSession()); err != nil {
		return err
	}
	return c.seeOther(paths.Security + "?done=sessions")
}

// securityLog shows all entries of the security log.
func (h *accountPages) securityLog(c *call) error {
	log, err := h.security.SecurityLog(c.r.Context(), c.me.ID)
	if err != nil {
		return err
	}
	return showSettingsBody(c, http.StatusOK, c.tr("Security log"), paths.SecurityLog, securityLogView(c, log))
}

type twoFactorPage struct {
	linnet.TwoFactor
	Errors fieldErrors
	Codes  []string // recovery codes, once

	Renewed bool // they take the place of others
}

func (h *accountPages) twoFactor(c *call) error { return h.showTwoFactor(c, http.StatusOK, nil) }

func (h *accountPages) showTwoFactor(c *call, code int, errs fieldErrors) error {
	t, err := h.identity.BeginTwoFactor(c.r.Context(), c.me.ID)
	if isKind(err, linnet.Conflict) {
		return c.seeOther(paths.Security)
	}
	if err != nil {
		return err
	}
	return showSettingsBody(c, code, c.tr("Two-factor authentication"), paths.TwoFactor, twoFactorView(c, twoFactorPage{TwoFactor: t, Errors: errs}))
}

// twoFactorPicture sends the QR code for apps. It is as secret as the page that shows it.
func (h *accountPages) twoFactorPicture(c *call) error {
	t, err := h.identity.BeginTwoFactor(c.r.Context(), c.me.ID)
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
	header := c.w.Header()
	secureHeaders(header, "")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "image/png")
	header.Set("Content-Length", strconv.Itoa(b.Len()))
	_, _ = b.WriteTo(c.w) // the client may have disconnected
	return nil
}

func (h *accountPages) confirmTwoFactor(c *call) error {
	codes, err := h.identity.ConfirmTwoFactor(c.visiting(), c.ownSession(), c.typed("code"), c.r.PostForm.Get("password"), c.from())
	switch {
	case err == nil:
		return showSettingsBody(c, http.StatusOK, c.tr("Two-factor authentication"), paths.TwoFactor, twoFactorView(c, twoFactorPage{Codes: codes}))
	case isKind(err, linnet.Conflict):
		return c.seeOther(paths.Security)
	}
	errs := fieldErrors{}
	if !errs.add(c, err, map[string]formField{"password": {"password", c.tr("The password")}, "code": {"code", c.tr("The code")}}) {
		return err
	}
	if errs["code"] != "" {
		errs["code"] = c.tr("This code is incorrect. Codes change every 30 seconds. Check that your device's clock is right.")
	}
	return h.showTwoFactor(c, http.StatusUnprocessableEntity, errs)
}

func (h *accountPages) endTwoFactor(c *call) error {
	err := h.identity.EndTwoFactor(c.visiting(), c.me.ID, c.r.PostForm.Get("password"), c.from())
	if err != nil {
		return h.refusedForm(c, err, map[string]formField{"password": {"off", c.tr("The password")}})
	}
	return c.seeOther(paths.Security + "?done=two-factor")
}

// renewCodes makes new recovery codes.
func (h *accountPages) renewCodes(c *call) error {
	codes, err := h.security.RenewRecovery(c.visiting(), c.me.ID, c.r.PostForm.Get("password"), c.from())
	switch {
	case err == nil:
		return showSettingsBody(c, http.StatusOK, c.tr("Recovery codes"), paths.TwoFactor, twoFactorView(c, twoFactorPage{Codes: codes, Renewed: true}))
	case isKind(err, linnet.Conflict):
		return c.seeOther(paths.Security)
	}
	return h.refusedForm(c, err, map[string]formField{"password": {"renew", c.tr("The password")}})
}

type deletePage struct{ Error string }

func deleteForm(c *call) error { return showDelete(c, http.StatusOK, "") }

func showDelete(c *call, code int, wrong string) error {
	return showSettingsBody(c, code, c.tr("Delete account"), paths.DeleteAccount, deleteView(c, deletePage{wrong}))
}

func (h *accountPages) deleteAccount(c *call) error {
	err := h.social.DeleteOwnAccount(c.r.Context(), c.me.ID, c.r.PostForm.Get("password"), c.from())
	var refused *linnet.Error
	switch {
	case err == nil:
		c.setCookie(sessionCookie, "", -1e9)
		return c.seeOther("/")
	case isKind(err, linnet.Invalid):
		return showDelete(c, http.StatusUnprocessableEntity, c.tr("Incorrect password."))
	case isKind(err, linnet.Forbidden) && errors.As(err, &refused):
		return showDelete(c, http.StatusForbidden, c.told(refused))
	}
	return err
}
