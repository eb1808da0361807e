package web

import (
	"context"
	"fmt"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// statusAct is what a button under a status does.
type statusAct func(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error)

func (h *postPages) actNamed(c *page.Context, name string) statusAct {
	switch name {
	case "favourite":
		return h.posting.Favourite
	case "unfavourite":
		return h.posting.Unfavourite
	case "boost":
		return func(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
			return h.posting.Repost(ctx, me, id, nil)
		}
	case "unboost":
		return h.posting.Unrepost
	case "bookmark":
		return h.posting.Bookmark
	case "unbookmark":
		return h.posting.Unbookmark
	case "pin":
		return h.posting.Pin
	case "unpin":
		return h.posting.Unpin
	case "mute":
		return h.posting.MuteThread
	case "unmute":
		return h.posting.UnmuteThread
	}
	return nil
}

// actOnStatus does what one of a status's buttons says, and leads back to the
// status on the page where the button was.
func (h *postPages) actOnStatus(c *page.Context) error {
	st, err := h.statusInPath(c)
	if err != nil {
		return err
	}
	do := h.actNamed(c, c.Request.PostForm.Get("act"))
	if do == nil {
		return &page.Error{Code: 400, Msg: "This form doesn't specify an action for the post.", Back: paths.Post(st), BackText: "Go to the post"}
	}
	if c.Request.PostForm.Get("act") == "unboost" {
		if err := c.CountAs(core.RateDelete); err != nil {
			return err
		}
	}
	if _, err := do(c.Request.Context(), c.Me.ID, st.ID); err != nil {
		return fmt.Errorf("act on a status: %w", err)
	}
	anchor := "p" + st.ID.String()
	if at := c.Request.URL.Query().Get("at"); isAnchor(at) {
		anchor = at
	}
	return c.Redirect(c.PreviousPage(paths.Post(st)) + "#" + anchor)
}

// isAnchor reports whether a row of a page can be called so.
func isAnchor(s string) bool {
	return s != "" && len(s) <= 24 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// statusInPath is the status that "/@login/id" names, of that author.
func (h *postPages) statusInPath(c *page.Context) (linnet.StatusView, error) {
	login, rest := c.PersonInPath()
	digits, _, _ := strings.Cut(rest, "/")
	st, err := h.statusNamed(c, digits)
	if err == nil && !strings.EqualFold(st.By.Login, login) {
		return st, page.NotFound()
	}
	return st, err
}
