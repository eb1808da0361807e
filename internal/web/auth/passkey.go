package auth

import (
	"encoding/json"

	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *Pages) passkeyLoginRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.PasskeyLogin, Post: h.passkeyLogIn},
		{Pattern: paths.PasskeyLogin + "/begin", Post: h.beginPasskeyLogIn},
	}
}

func (h *Pages) beginPasskeyLogIn(c *page.Context) error {
	body, err := h.Security.BeginPasskeyLogIn(c.Request.Context(), c.FormToken())
	if err != nil {
		return c.ScriptError(err)
	}
	return c.JSON(json.RawMessage(body))
}

func (h *Pages) passkeyLogIn(c *page.Context) error {
	token, u, err := h.Security.FinishPasskeyLogIn(c.VisitorContext(), c.FormToken(), []byte(c.Request.PostForm.Get("answer")), c.ClientAddr())
	if err != nil {
		return h.refuseLogIn(c, loginPage{}, err)
	}
	c.NoteDevice(u.ID)
	if err := c.TakeSession(token); err != nil {
		return err
	}
	return h.afterLogIn(c)
}
