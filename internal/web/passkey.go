package web

import (
	"errors"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// Passkeys need JavaScript: the script calls the browser, whose answer is sent in a form.

func (h *authPages) passkeyLoginRoutes() []route {
	return []route{
		{pattern: paths.PasskeyLogin, post: h.passkeyLogIn},
		{pattern: paths.PasskeyLogin + "/begin", post: h.beginPasskeyLogIn},
	}
}

func (h *accountPages) passkeyRoutes() []route {
	return []route{
		{pattern: paths.Passkeys, post: own(h.addPasskey)},
		{pattern: paths.Passkeys + "/begin", post: own(h.beginPasskey)},
		{pattern: paths.Passkeys + "/rename", post: own(h.renamePasskey)},
		{pattern: paths.Passkeys + "/remove", post: own(h.removePasskey)},
	}
}

// logsIn reports whether the forms of a pattern log a user in.
func logsIn(pattern string) bool {
	switch pattern {
	case "/login", "/login/code", paths.PasskeyLogin, paths.PasskeyLogin + "/begin":
		return true
	}
	return false
}

// forScript answers the script of our own pages with JSON.
func forScript(c *call, body []byte) error {
	h := c.w.Header()
	secureHeaders(h, "")
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	_, _ = c.w.Write(body) // the client may have disconnected
	return nil
}

func (h *authPages) beginPasskeyLogIn(c *call) error {
	body, err := h.security.BeginPasskeyLogIn(c.r.Context(), c.formToken())
	if err != nil {
		return refusedToScript(c, err)
	}
	return forScript(c, body)
}

// refusedToScript returns an error whose text the script shows.
func refusedToScript(c *call, err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && (e.Kind == linnet.Forbidden || e.Kind == linnet.Invalid) {
		return &httpError{code: http.StatusUnprocessableEntity, said: c.told(e), back: paths.Security, text: "Password and security"}
	}
	return err
}

func (h *authPages) passkeyLogIn(c *call) error {
	token, u, err := h.security.FinishPasskeyLogIn(c.visiting(), c.formToken(), []byte(c.r.PostForm.Get("answer")), c.from())
	if err != nil {
		return h.refuseLogIn(c, loginPage{}, err)
	}
	c.noteDevice(u.ID)
	if err := c.takeSession(token); err != nil {
		return err
	}
	return h.afterLogIn(c)
}

func (h *accountPages) beginPasskey(c *call) error {
	if err := c.confirm(); err != nil {
		if isKind(err, linnet.Invalid) {
			return &httpError{code: http.StatusUnprocessableEntity, msg: "Incorrect password.", back: paths.Security, text: "Password and security"}
		}
		return err
	}
	body, err := h.security.BeginPasskey(c.r.Context(), c.ownSession())
	if err != nil {
		return refusedToScript(c, err)
	}
	return forScript(c, body)
}

func (h *accountPages) addPasskey(c *call) error {
	err := h.security.AddPasskey(c.visiting(), c.ownSession(), c.typed("name"), []byte(c.r.PostForm.Get("answer")))
	if err != nil {
		return h.refusedPasskey(c, err)
	}
	return c.seeOther(paths.Security + "?done=passkey#passkeys")
}

func (h *accountPages) renamePasskey(c *call) error {
	if err := h.security.RenamePasskey(c.visiting(), c.me.ID, c.typed("passkey"), c.typed("name")); err != nil {
		return h.refusedPasskey(c, err)
	}
	return c.seeOther(paths.Security + "?done=renamed#passkeys")
}

func (h *accountPages) removePasskey(c *call) error {
	err := h.security.RemovePasskey(c.visiting(), c.me.ID, c.typed("passkey"), c.r.PostForm.Get("password"), c.from())
	if err != nil && !isKind(err, linnet.NotFound) { // already deleted
		return h.refusedPasskey(c, err)
	}
	return c.seeOther(paths.Security + "?done=removed#passkeys")
}

// refusedPasskey shows the page again with the error of a form about a passkey.
func (h *accountPages) refusedPasskey(c *call, err error) error {
	errs := fieldErrors{}
	if errs.add(c, err, map[string]formField{"name": {"passkey-name", c.tr("The name")}, "password": {"passkey-password", c.tr("The password")}}) {
		id := c.typed("passkey")
		return h.showSecurity(c, http.StatusUnprocessableEntity, securityPage{PasskeyErrors: errs, Passkey: id, Errors: fieldErrors{}})
	}
	return err
}
