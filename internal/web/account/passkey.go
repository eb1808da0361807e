package account

import (
	"encoding/json"
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *Pages) beginPasskey(c *page.Context) error {
	if err := c.ConfirmPassword(); err != nil {
		if page.IsKind(err, linnet.Invalid) {
			return &page.Error{Code: http.StatusUnprocessableEntity, Msg: "Incorrect password.", Back: paths.Security, BackText: "Password and security"}
		}
		return err
	}
	body, err := h.Security.BeginPasskey(c.Request.Context(), c.OwnSession())
	if err != nil {
		return c.ScriptError(err)
	}
	return c.JSON(json.RawMessage(body))
}

func (h *Pages) addPasskey(c *page.Context) error {
	err := h.Security.AddPasskey(c.VisitorContext(), c.OwnSession(), c.Typed("name"), []byte(c.Request.PostForm.Get("answer")))
	if err != nil {
		return h.refusedPasskey(c, err)
	}
	return c.Redirect(paths.Security + "?done=passkey#passkeys")
}

func (h *Pages) renamePasskey(c *page.Context) error {
	if err := h.Security.RenamePasskey(c.VisitorContext(), c.Me.ID, c.Typed("passkey"), c.Typed("name")); err != nil {
		return h.refusedPasskey(c, err)
	}
	return c.Redirect(paths.Security + "?done=renamed#passkeys")
}

func (h *Pages) removePasskey(c *page.Context) error {
	err := h.Security.RemovePasskey(c.VisitorContext(), c.Me.ID, c.Typed("passkey"), c.Request.PostForm.Get("password"), c.ClientAddr())
	if err != nil && !page.IsKind(err, linnet.NotFound) { // already deleted
		return h.refusedPasskey(c, err)
	}
	return c.Redirect(paths.Security + "?done=removed#passkeys")
}

// refusedPasskey shows the page again with the error of a form about a passkey.
func (h *Pages) refusedPasskey(c *page.Context, err error) error {
	errs := page.FieldErrors{}
	if errs.Add(c, err, map[string]page.FormField{"name": {Name: "passkey-name", Subject: c.Tr("The name")}, "password": {Name: "passkey-password", Subject: c.Tr("The password")}}) {
		id := c.Typed("passkey")
		return h.showSecurity(c, http.StatusUnprocessableEntity, securityPage{PasskeyErrors: errs, Passkey: id, Errors: page.FieldErrors{}})
	}
	return err
}
