package account

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
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

type securityPage struct {
	Errors      page.FieldErrors
	Done        string // confirmation of the last action
	MinPassword int
	TwoFactor   linnet.TwoFactor
	Sessions    []sessionRow
	Log         []linnet.SecurityEntry // the latest
	More        bool                   // there are more entries

	PasskeysOn    bool
	Passkeys      []linnet.Passkey
	PasskeyErrors page.FieldErrors // of the form about Passkey, an id; "" for the form that adds a passkey
	Passkey       string
}

// logShown is the number of entries of the security log on the page about security.
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

// about returns further data about the origin of the session; "" for none.
func (s sessionRow) about(ctx context.Context) string {
	device := s.Device
	if s.Web {
		device = "" // shown as the name
	}
	return ui.JoinNonEmpty(ui.Comma(ctx), page.DeviceAndLocation(ctx, device, s.Network)...)
}

// lastUse returns the age of a session's last use. It is recorded once a day.
func lastUse(ctx context.Context, now, used time.Time) string {
	days := int64(now.Sub(used) / (24 * time.Hour))
	if days < 2 {
		return ui.Tr(ctx, "used in the last two days")
	}
	return ui.Trn(ctx, days, "last used %s day ago", "last used %s days ago")
}

// actedBy returns who changed the account, for its owner; "" if it was the owner.
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

func (h *Pages) securitySettings(c *page.Context) error {
	return h.showSecurity(c, http.StatusOK, securityPage{Done: doneText(c, c.Request.URL.Query().Get("done"))})
}

// doneText returns the confirmation of an action that redirected to this page.
func doneText(c *page.Context, what string) string {
	switch what {
	case "password":
		return c.Tr("Your password was changed. All other sessions and apps have been logged out.")
	case "session":
		return c.Tr("The session has ended.")
	case "sessions":
		return c.Tr("All other sessions and apps have been logged out.")
	case "passkey":
		return c.Tr("Passkey added. You can now log in with it.")
	case "renamed":
		return c.Tr("Passkey renamed.")
	case "removed":
		return c.Tr("Passkey removed. It no longer works here. Remove it from your device too.")
	case "two-factor":
		return c.Tr("Two-factor authentication is off.")
	}
	return ""
}

func (h *Pages) showSecurity(c *page.Context, code int, p securityPage) error {
	ctx := c.Request.Context()
	current, err := h.Identity.Session(ctx, c.SessionToken)
	if err != nil {
		return err
	}
	all, err := h.Identity.Sessions(ctx, c.Me.ID)
	if err != nil {
		return err
	}
	for _, s := range all {
		p.Sessions = append(p.Sessions, sessionRow{s, s.ID == current.ID})
	}
	if p.TwoFactor, err = h.Identity.TwoFactor(ctx, c.Me.ID); err != nil {
		return err
	}
	if p.PasskeysOn = h.Security.PasskeysOn(); p.PasskeysOn {
		if p.Passkeys, err = h.Security.Passkeys(ctx, c.Me.ID); err != nil {
			return err
		}
	}
	if p.Log, err = h.Security.SecurityLog(ctx, c.Me.ID); err != nil {
		return err
	}
	p.More = len(p.Log) > logShown
	p.Log = p.Log[:min(len(p.Log), logShown)]
	p.MinPassword = linnet.MinPassword
	return (&form.Page{Title: c.Tr("Password and security"), Path: paths.Security, Body: securityView(c, p)}).Render(c, code)
}

// refusedForm shows the page again with its errors. It returns other errors.
func (h *Pages) refusedForm(c *page.Context, err error, fields map[string]page.FormField) error {
	if errs := (page.FieldErrors{}); errs.Add(c, err, fields) {
		return h.showSecurity(c, http.StatusUnprocessableEntity, securityPage{Errors: errs})
	}
	return err
}

func (h *Pages) changePassword(c *page.Context) error {
	form := c.Request.PostForm
	if form.Get("new") != form.Get("again") {
		errs := page.FieldErrors{"again": c.Tr("The passwords don't match.")}
		if err := h.Identity.CheckPassword(form.Get("new"), c.Me.Login); err != nil {
			errs.Add(c, err, map[string]page.FormField{"password": {Name: "new", Subject: c.Tr("The new password")}})
		}
		return h.showSecurity(c, http.StatusUnprocessableEntity, securityPage{Errors: errs})
	}
	token, err := h.Identity.ChangePassword(c.VisitorContext(), c.Me.ID, form.Get("old"), form.Get("new"), c.ClientAddr())
	if err != nil {
		return h.refusedForm(c, err, map[string]page.FormField{"password": {Name: "old", Subject: c.Tr("The password")}, "new_password": {Name: "new", Subject: c.Tr("The new password")}})
	}
	c.SetCookie(page.SessionCookie, token, page.SessionAge)
	return c.Redirect(paths.Security + "?done=password")
}

func (h *Pages) endSession(c *page.Context) (string, error) {
	err := h.Identity.EndSession(c.VisitorContext(), c.Me.ID, c.Typed("session"))
	if page.IsKind(err, linnet.NotFound) { // the session has ended already
		err = nil
	}
	return paths.Security + "?done=session", err
}

func (h *Pages) endOtherSessions(c *page.Context) (string, error) {
	return paths.Security + "?done=sessions", h.Security.EndOtherSessions(c.VisitorContext(), c.OwnSession())
}

// securityLog shows all entries of the security log.
func (h *Pages) securityLog(c *page.Context) (*form.Page, error) {
	log, err := h.Security.SecurityLog(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, err
	}
	return &form.Page{Title: c.Tr("Security log"), Path: paths.SecurityLog, Body: securityLogView(c, log)}, nil
}

type twoFactorPage struct {
	linnet.TwoFactor
	Errors page.FieldErrors
	Codes  []string // recovery codes, once

	Renewed bool // the codes replace earlier ones
}

func (h *Pages) twoFactor(c *page.Context) error {
	return h.showTwoFactor(c, http.StatusOK, nil)
}

func (h *Pages) showTwoFactor(c *page.Context, code int, errs page.FieldErrors) error {
	t, err := h.Identity.BeginTwoFactor(c.Request.Context(), c.Me.ID)
	if page.IsKind(err, linnet.Conflict) {
		return c.Redirect(paths.Security)
	}
	if err != nil {
		return err
	}
	return (&form.Page{Title: c.Tr("Two-factor authentication"), Path: paths.TwoFactor, Body: twoFactorView(c, twoFactorPage{TwoFactor: t, Errors: errs})}).Render(c, code)
}

// twoFactorPicture sends the QR code for authenticator apps. It is as secret as the page that shows
// it.
func (h *Pages) twoFactorPicture(c *page.Context) error {
	t, err := h.Identity.BeginTwoFactor(c.Request.Context(), c.Me.ID)
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
	header := c.Writer.Header()
	page.SecureHeaders(header, "")
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Type", "image/png")
	header.Set("Content-Length", strconv.Itoa(b.Len()))
	_, _ = b.WriteTo(c.Writer) // the client may have disconnected
	return nil
}

func (h *Pages) confirmTwoFactor(c *page.Context) error {
	codes, err := h.Identity.ConfirmTwoFactor(c.VisitorContext(), c.OwnSession(), c.Typed("code"), c.Request.PostForm.Get("password"), c.ClientAddr())
	switch {
	case err == nil:
		return (&form.Page{Title: c.Tr("Two-factor authentication"), Path: paths.TwoFactor, Body: twoFactorView(c, twoFactorPage{Codes: codes})}).Render(c, http.StatusOK)
	case page.IsKind(err, linnet.Conflict):
		return c.Redirect(paths.Security)
	}
	errs := page.FieldErrors{}
	if !errs.Add(c, err, map[string]page.FormField{"password": {Name: "password", Subject: c.Tr("The password")}, "code": {Name: "code", Subject: c.Tr("The code")}}) {
		return err
	}
	if errs["code"] != "" {
		errs["code"] = c.Tr("This code is incorrect. Codes change every 30 seconds. Check that your device's clock is right.")
	}
	return h.showTwoFactor(c, http.StatusUnprocessableEntity, errs)
}

func (h *Pages) endTwoFactor(c *page.Context) error {
	err := h.Identity.EndTwoFactor(c.VisitorContext(), c.Me.ID, c.Request.PostForm.Get("password"), c.ClientAddr())
	if err != nil {
		return h.refusedForm(c, err, map[string]page.FormField{"password": {Name: "off", Subject: c.Tr("The password")}})
	}
	return c.Redirect(paths.Security + "?done=two-factor")
}

// renewCodes creates new recovery codes.
func (h *Pages) renewCodes(c *page.Context) error {
	codes, err := h.Security.RenewRecovery(c.VisitorContext(), c.Me.ID, c.Request.PostForm.Get("password"), c.ClientAddr())
	switch {
	case err == nil:
		return (&form.Page{Title: c.Tr("Recovery codes"), Path: paths.TwoFactor, Body: twoFactorView(c, twoFactorPage{Codes: codes, Renewed: true})}).Render(c, http.StatusOK)
	case page.IsKind(err, linnet.Conflict):
		return c.Redirect(paths.Security)
	}
	return h.refusedForm(c, err, map[string]page.FormField{"password": {Name: "renew", Subject: c.Tr("The password")}})
}

type deletePage struct{ Error string }

func deleteForm(c *page.Context) error { return showDelete(c, http.StatusOK, "") }

func showDelete(c *page.Context, code int, wrong string) error {
	return (&form.Page{Title: c.Tr("Delete account"), Path: paths.DeleteAccount, Body: deleteView(c, deletePage{wrong})}).Render(c, code)
}

func (h *Pages) deleteAccount(c *page.Context) error {
	err := h.Social.Deletion.DeleteOwnAccount(c.Request.Context(), c.Me.ID, c.Request.PostForm.Get("password"), c.ClientAddr())
	var refused *linnet.Error
	switch {
	case err == nil:
		if err := page.LeaveAccount(c); err != nil {
			return err
		}
		if c.Me != nil { // another account of this browser
			return c.Redirect("/?switched=1")
		}
		return c.Redirect("/")
	case page.IsKind(err, linnet.Invalid):
		return showDelete(c, http.StatusUnprocessableEntity, c.Tr("Incorrect password."))
	case page.IsKind(err, linnet.Forbidden) && errors.As(err, &refused):
		return showDelete(c, http.StatusForbidden, c.ErrorText(refused))
	}
	return err
}
