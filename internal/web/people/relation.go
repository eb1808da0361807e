package people

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
)

// relationAct changes the reader's relationship to another user.
type relationAct func(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error)

// RelationActNamed returns the action of a button on a user, or nil.
func (h *Pages) RelationActNamed(c *page.Context, name string) relationAct {
	follow := func(o linnet.FollowOptions) relationAct {
		return func(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
			return h.Social.Follow(ctx, me, other, o)
		}
	}
	on, off := true, false
	switch name {
	case "follow":
		return follow(linnet.FollowOptions{})
	case "unfollow":
		return h.Social.Unfollow
	case "notify":
		return follow(linnet.FollowOptions{Notify: &on})
	case "unnotify":
		return follow(linnet.FollowOptions{Notify: &off})
	case "boosts":
		return follow(linnet.FollowOptions{Reposts: &on})
	case "noboosts":
		return follow(linnet.FollowOptions{Reposts: &off})
	case "mute":
		return func(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
			o := linnet.MuteOptions{Notices: c.Request.PostForm.Get("notices") != ""}
			all := muteTimes()
			if i := slices.IndexFunc(all, func(t muteTime) bool { return t.Word == c.Request.PostForm.Get("for") }); i >= 0 {
				o.For = all[i].For
			}
			return h.Social.Mute(ctx, me, other, o)
		}
	case "unmute":
		return h.Social.Unmute
	case "block":
		return h.Social.Block
	case "unblock":
		return h.Social.Unblock
	case "remove":
		return h.Social.RemoveFollower
	case "accept":
		return h.Social.AcceptRequest
	case "reject":
		return h.Social.RejectRequest
	case "endorse":
		return func(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
			return h.Social.Endorse(ctx, me, other, true)
		}
	case "unendorse":
		return func(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
			return h.Social.Endorse(ctx, me, other, false)
		}
	case "note":
		return func(ctx context.Context, me, other linnet.ID) (linnet.Relationship, error) {
			return h.Social.SetNote(ctx, me, other, c.Typed("note"))
		}
	}
	return nil
}

// muteTime is a duration of a mute.
type muteTime struct {
	Word, Text string
	For        time.Duration // 0 for ever
}

// muteTimes returns the durations to choose from, in English.
func muteTimes() []muteTime {
	const day = 24 * time.Hour
	return []muteTime{{"", locale.Mark("Until I unmute"), 0}, {"hour", locale.Mark("For 1 hour"), time.Hour},
		{"day", locale.Mark("For 1 day"), day}, {"week", locale.Mark("For 1 week"), 7 * day}}
}

// ActOnPerson performs an action on a user. It redirects to the page of the button, or from a
// confirmation page to the user.
func (h *Pages) ActOnPerson(c *page.Context) error {
	who, err := h.OtherHere(c)
	if err != nil {
		return err
	}
	path := "/@" + url.PathEscape(who.Login)
	act := c.Request.PostForm.Get("act")
	do := h.RelationActNamed(c, act)
	if do == nil {
		return &page.Error{Code: http.StatusBadRequest, Msg: "The form is incomplete. Reload the page and try again.", Back: path, BackText: "Go to the profile"}
	}
	if _, err := do(c.Request.Context(), c.Me.ID, who.ID); err != nil {
		return fmt.Errorf("change the relation to an account: %w", err)
	}
	switch act {
	case "mute", "block":
		return c.Redirect(path)
	}
	return c.Redirect(c.PreviousPage(path))
}

// OtherHere returns the user in the path. It returns an error if that is the reader.
func (h *Pages) OtherHere(c *page.Context) (linnet.UserView, error) {
	login, _ := c.PersonInPath()
	who, err := h.View.UserByLogin(c.Request.Context(), c.Me.ID, login)
	if err != nil {
		return who, page.OrNotFound(err, "look up a person")
	}
	if who.Suspended || who.ID == c.Me.ID {
		return who, page.NotFound()
	}
	return who, nil
}

// confirmPage asks for confirmation of an action on a user.
type confirmPage struct {
	Who   linnet.UserView
	Times []muteTime
}

// MuteForm asks for the duration of a mute.
func (h *Pages) MuteForm(c *page.Context) error {
	who, err := h.OtherHere(c)
	if err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Mute %s", "@"+who.Login), Body: muteView(c, confirmPage{who, muteTimes()})})
}

// BlockForm asks the reader to confirm a block.
func (h *Pages) BlockForm(c *page.Context) error {
	who, err := h.OtherHere(c)
	if err != nil {
		return err
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Block %s", "@"+who.Login), Body: blockView(c, confirmPage{Who: who})})
}
