package web

import (
	"errors"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Passkeys need JavaScript: the script calls the browser, whose answer is sent in a form.

func (h *authPages) passkeyLoginRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.PasskeyLogin, Post: h.passkeyLogIn},
		{Pattern: paths.PasskeyLogin + "/begin", Post: h.beginPasskeyLogIn},
	}
}

func (h *accountPages) passkeyRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.Passkeys, Post: page.LoggedIn(h.addPasskey)},
		{Pattern: paths.Passkeys + "/begin", Post: page.LoggedIn(h.beginPasskey)},
		{Pattern: paths.Passkeys + "/rename", Post: page.LoggedIn(h.renamePasskey)},
		{Pattern: paths.Passkeys + "/remove", Post: page.LoggedIn(h.removePasskey)},
	}
}

// forScript answers the script of our own pages with JSON.
func forScript(c *page.Context, body []byte) error {
	h := c.Writer.Header()
	page.SecureHeaders(h, "")
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	_, _ = c.Writer.Write(body) // the client may have disconnected
	return nil
}

func (h *authPages) beginPasskeyLogIn(c *page.Context) error {
	body, err := h.security.BeginPasskeyLogIn(c.Request.Context(), c.FormToken())
	if err != nil {
		return refusedToScript(c, err)
	}
	return forScript(c, body)
}

// refusedToScript returns an error whose text the script shows.
func refusedToScript(c *page.Context, err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && (e.Kind == linnet.Forbidden || e.Kind == linnet.Invalid) {
		return &page.Error{Code: http.StatusUnprocessableEntity, Localized: c.ErrorText(e), Back: paths.Security, BackText: "Password and security"}
	}
	return err
}

func (h *authPages) passkeyLogIn(c *page.Context) error {
	token, u, err := h.security.FinishPasskeyLogIn(c.VisitorContext(), c.FormToken(), []byte(c.Request.PostForm.Get("answer")), c.ClientAddr())
	if err != nil {
		return h.refuseLogIn(c, loginPage{}, err)
	}
	c.NoteDevice(u.ID)
	if err := c.TakeSession(token); err != nil {
		return err
	}
	return h.afterLogIn(c)
}

func (h *accountPages) beginPasskey(c *page.Context) error {
	if err := c.ConfirmPassword(); err != nil {
		if page.IsKind(err, linnet.Invalid) {
			return &page.Error{Code: http.StatusUnprocessableEntity, Msg: "Incorrect password.", Back: paths.Security, BackText: "Password and security"}
		}
		return err
	}
	body, err := h.security.BeginPasskey(c.Request.Context(), c.OwnSession())
	if err != nil {
		return refusedToScript(c, err)
	}
	return forScript(c, body)
}

func (h *accountPages) addPasskey(c *page.Context) error {
	err := h.security.AddPasskey(c.VisitorContext(), c.OwnSession(), c.Typed("name"), []byte(c.Request.PostForm.Get("answer")))
	if err != nil {
		return h.refusedPasskey(c, err)
	}
	return c.Redirect(paths.Security + "?done=passkey#passkeys")
}

func (h *accountPages) renamePasskey(c *page.Context) error {
	if err := h.security.RenamePasskey(c.VisitorContext(), c.Me.ID, c.Typed("passkey"), c.Typed("name")); err != nil {
		return h.refusedPasskey(c, err)
	}
	return c.Redirect(paths.Security + "?done=renamed#passkeys")
}

func (h *accountPages) removePasskey(c *page.Context) error {
	err := h.security.RemovePasskey(c.VisitorContext(), c.Me.ID, c.Typed("passkey"), c.Request.PostForm.Get("password"), c.ClientAddr())
	if err != nil && !page.IsKind(err, linnet.NotFound) { // already deleted
		return h.refusedPasskey(c, err)
	}
	return c.Redirect(paths.Security + "?done=removed#passkeys")
}

// refusedPasskey shows the page again with the error of a form about a passkey.
func (h *accountPages) refusedPasskey(c *page.Context, err error) error {
	errs := page.FieldErrors{}
	if errs.Add(c, err, map[string]page.FormField{"name": {Name: "passkey-name", Subject: c.Tr("The name")}, "password": {Name: "passkey-password", Subject: c.Tr("The password")}}) {
		id := c.Typed("passkey")
		return h.showSecurity(c, http.StatusUnprocessableEntity, securityPage{PasskeyErrors: errs, Passkey: id, Errors: page.FieldErrors{}})
	}
	return err
}
