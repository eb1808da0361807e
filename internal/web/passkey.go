package web

import (
	"errors"
	"net/http"

	"linnet/internal/linnet"
)

// Passkeys need JavaScript: the script calls the browser, whose answer is sent in a form.

const (
	passkeysPath     = "/settings/passkeys"
	passkeyLoginPath = "/login/passkey"
)

func passkeyLoginRoutes() []route {
	return []route{
		{pattern: passkeyLoginPath, post: (*call).passkeyLogIn},
		{pattern: passkeyLoginPath + "/begin", post: (*call).beginPasskeyLogIn},
	}
}

func passkeyRoutes() []route {
	return []route{
		{pattern: passkeysPath, post: own((*call).addPasskey)},
		{pattern: passkeysPath + "/begin", post: own((*call).beginPasskey)},
		{pattern: passkeysPath + "/rename", post: own((*call).renamePasskey)},
		{pattern: passkeysPath + "/remove", post: own((*call).removePasskey)},
	}
}

// logsIn reports whether the forms of a pattern log a user in.
func logsIn(pattern string) bool {
	switch pattern {
	case "/login", "/login/code", passkeyLoginPath, passkeyLoginPath + "/begin":
		return true
	}
	return false
}

// forScript answers the script of our own pages with JSON.
func (c *call) forScript(body []byte) error {
	h := c.w.Header()
	secureHeaders(h, "")
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	_, _ = c.w.Write(body) // the client may have disconnected
	return nil
}

func (c *call) beginPasskeyLogIn() error {
	body, err := c.svc.Security.BeginPasskeyLogIn(c.r.Context(), c.formToken())
	if err != nil {
		return c.refusedToScript(err)
	}
	return c.forScript(body)
}

// refusedToScript returns an error whose text the script shows.
func (c *call) refusedToScript(err error) error {
	var e *linnet.Error
	if errors.As(err, &e) && (e.Kind == linnet.Forbidden || e.Kind == linnet.Invalid) {
		return &httpError{code: http.StatusUnprocessableEntity, said: c.told(e), back: securityPath, text: "Password and security"}
	}
	return err
}

func (c *call) passkeyLogIn() error {
	token, u, err := c.svc.Security.FinishPasskeyLogIn(c.visiting(), c.formToken(), []byte(c.r.PostForm.Get("answer")), c.from())
	if err != nil {
		return c.refuseLogIn(loginPage{}, err)
	}
	c.noteDevice(u.ID)
	if err := c.takeSession(token); err != nil {
		return err
	}
	return c.afterLogIn()
}

func (c *call) beginPasskey() error {
	if err := c.confirm(); err != nil {
		if isKind(err, linnet.Invalid) {
			return &httpError{code: http.StatusUnprocessableEntity, msg: "Incorrect password.", back: securityPath, text: "Password and security"}
		}
		return err
	}
	body, err := c.svc.Security.BeginPasskey(c.r.Context(), c.ownSession())
	if err != nil {
		return c.refusedToScript(err)
	}
	return c.forScript(body)
}

func (c *call) addPasskey() error {
	err := c.svc.Security.AddPasskey(c.visiting(), c.ownSession(), c.typed("name"), []byte(c.r.PostForm.Get("answer")))
	if err != nil {
		return c.refusedPasskey(err)
	}
	return c.seeOther(securityPath + "?done=passkey#passkeys")
}

func (c *call) renamePasskey() error {
	if err := c.svc.Security.RenamePasskey(c.visiting(), c.me.ID, c.typed("passkey"), c.typed("name")); err != nil {
		return c.refusedPasskey(err)
	}
	return c.seeOther(securityPath + "?done=renamed#passkeys")
}

func (c *call) removePasskey() error {
	err := c.svc.Security.RemovePasskey(c.visiting(), c.me.ID, c.typed("passkey"), c.r.PostForm.Get("password"), c.from())
	if err != nil && !isKind(err, linnet.NotFound) { // already deleted
		return c.refusedPasskey(err)
	}
	return c.seeOther(securityPath + "?done=removed#passkeys")
}

// refusedPasskey shows the page again with the error of a form about a passkey.
func (c *call) refusedPasskey(err error) error {
	errs := fieldErrors{}
	if errs.add(c, err, map[string]formField{"name": {"passkey-name", c.tr("The name")}, "password": {"passkey-password", c.tr("The password")}}) {
		id := c.typed("passkey")
		return c.showSecurity(http.StatusUnprocessableEntity, securityPage{PasskeyErrors: errs, Passkey: id, Errors: fieldErrors{}})
	}
	return err
}
