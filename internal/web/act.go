package web

import (
	"context"
	"fmt"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// statusAct is what a button under a status does.
type statusAct func(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error)

func (h *postPages) actNamed(c *call, name string) statusAct {
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
func (h *postPages) actOnStatus(c *call) error {
	st, err := h.statusInPath(c)
	if err != nil {
		return err
	}
	do := h.actNamed(c, c.r.PostForm.Get("act"))
	if do == nil {
		return &httpError{code: 400, msg: "This form doesn't specify an action for the post.", back: paths.Post(st), text: "Go to the post"}
	}
	if c.r.PostForm.Get("act") == "unboost" {
		if err := c.countAs(core.RateDelete); err != nil {
			return err
		}
	}
	if _, err := do(c.r.Context(), c.me.ID, st.ID); err != nil {
		return fmt.Errorf("act on a status: %w", err)
	}
	anchor := "p" + st.ID.String()
	if at := c.r.URL.Query().Get("at"); isAnchor(at) {
		anchor = at
	}
	return c.seeOther(c.cameFrom(paths.Post(st)) + "#" + anchor)
}

// isAnchor reports whether a row of a page can be called so.
func isAnchor(s string) bool {
	return s != "" && len(s) <= 24 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// statusInPath is the status that "/@login/id" names, of that author.
func (h *postPages) statusInPath(c *call) (linnet.StatusView, error) {
	login, rest := c.personInPath()
	digits, _, _ := strings.Cut(rest, "/")
	st, err := h.statusNamed(c, digits)
	if err == nil && !strings.EqualFold(st.By.Login, login) {
		return st, errNowhere()
	}
	return st, err
}
