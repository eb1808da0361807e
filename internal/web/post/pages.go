package post

import (
	"context"
	"fmt"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/social"
	"linnet/internal/view"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages serves the actions on posts. All fields are required.
type Pages struct {
	Posting *posting.Service
	Social  *social.Service
	View    *view.Service
}

// statusAct is the action of a button below a status.
type statusAct func(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error)

// actNamed returns the action with a name, or nil.
func (h *Pages) actNamed(c *page.Context, name string) statusAct {
	switch name {
	case "favourite":
		return h.Posting.Marks.Favourite
	case "unfavourite":
		return h.Posting.Marks.Unfavourite
	case "boost":
		return func(ctx context.Context, me, id linnet.ID) (linnet.StatusView, error) {
			return h.Posting.Repost(ctx, me, id, nil)
		}
	case "unboost":
		return h.Posting.Unrepost
	case "bookmark":
		return h.Posting.Marks.Bookmark
	case "unbookmark":
		return h.Posting.Marks.Unbookmark
	case "pin":
		return h.Posting.Marks.Pin
	case "unpin":
		return h.Posting.Marks.Unpin
	case "mute":
		return h.Posting.Marks.MuteThread
	case "unmute":
		return h.Posting.Marks.UnmuteThread
	}
	return nil
}

// ActOnStatus performs an action on a status, and redirects to the status on the page with the
// button.
func (h *Pages) ActOnStatus(c *page.Context) error {
	st, err := h.StatusInPath(c)
	if err != nil {
		return err
	}
	do := h.actNamed(c, c.Request.PostForm.Get("act"))
	if do == nil {
		return &page.Error{Code: 400, Msg: "The form is incomplete. Reload the page and try again.", Back: paths.Post(st), BackText: "Go to the post"}
	}
	if c.Request.PostForm.Get("act") == "unboost" {
		if err := c.CountAs(core.RateDelete); err != nil {
			return err
		}
	}
	if _, err := do(c.Request.Context(), c.Me.ID, st.ID); err != nil {
		return fmt.Errorf("handle an action on a post: %w", err)
	}
	anchor := "p" + st.ID.String()
	if at := c.Request.URL.Query().Get("at"); isAnchor(at) {
		anchor = at
	}
	return c.Redirect(c.PreviousPage(paths.Post(st)) + "#" + anchor)
}

// isAnchor reports whether s is a valid anchor of a row.
func isAnchor(s string) bool {
	return s != "" && len(s) <= 24 && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// StatusInPath returns the status in a path "/@login/id", if that login is its author.
func (h *Pages) StatusInPath(c *page.Context) (linnet.StatusView, error) {
	login, rest := c.PersonInPath()
	digits, _, _ := strings.Cut(rest, "/")
	st, err := h.StatusNamed(c, digits)
	if err == nil && !strings.EqualFold(st.By.Login, login) {
		return st, page.NotFound()
	}
	return st, err
}

// StatusNamed returns the status with the id in an input. For a boost it returns the original.
func (h *Pages) StatusNamed(c *page.Context, digits string) (linnet.StatusView, error) {
	id, ok := linnet.ParseID(digits)
	if !ok {
		return linnet.StatusView{}, page.NotFound()
	}
	st, err := h.View.Status(c.Request.Context(), c.Viewer(), id)
	if err != nil {
		return st, page.OrNotFound(err, "look up a status")
	}
	if st.Repost != nil {
		return *st.Repost, nil
	}
	return st, nil
}
