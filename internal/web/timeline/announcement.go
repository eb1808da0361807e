package timeline

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

// announcementsAtHome is the maximum number of announcements above the home timeline. Others are
// only on their own page.
const announcementsAtHome = 3

// announcementRow is an announcement on a page.
type announcementRow struct {
	linnet.AnnouncementView
	c *page.Context
}

// quickReactions are offered in addition to existing reactions.
var quickReactions = [...]string{"👍", "❤️", "🎉", "😀", "😢"}

// Quick returns the quick reactions without a count.
func (r announcementRow) Quick() (names []string) {
	for _, name := range quickReactions {
		if !slices.ContainsFunc(r.Reactions, func(x linnet.Reaction) bool { return x.Name == name }) {
			names = append(names, name)
		}
	}
	return names
}

// CanReact reports whether another reaction is possible.
func (r announcementRow) CanReact() bool { return len(r.Reactions) < linnet.MaxReactions }

// reactionSays returns the accessible name of a reaction.
func reactionSays(ctx context.Context, e linnet.Reaction) string {
	if e.Count > 0 {
		return ui.Tr(ctx, "React with %s, %s so far", e.Name, ui.Num(ctx, e.Count))
	}
	return ui.Tr(ctx, "React with %s", e.Name)
}

// When returns the time of the announced event; "" if it isn't given.
func (r announcementRow) When(ctx context.Context) string {
	layout := locale.Mark("2 January 2006, 15:04 MST")
	if r.AllDay {
		layout = locale.Mark("2 January 2006")
	}
	lang := ui.ReaderOf(ctx).Lang
	from, to := lang.Time(r.Starts.UTC(), layout), lang.Time(r.Ends.UTC(), layout)
	switch {
	case r.Ends.IsZero():
		return ""
	case from == to:
		return from
	}
	return ui.Tr(ctx, "%s to %s", from, to)
}

func announcementRows(c *page.Context, vs []linnet.AnnouncementView) []announcementRow {
	rows := make([]announcementRow, len(vs))
	for i, v := range vs { // the latest first
		rows[len(vs)-1-i] = announcementRow{v, c}
	}
	return rows
}

// announcements shows all announcements, including dismissed ones.
func (h *Pages) announcements(c *page.Context) error {
	vs, err := h.Announcing.Shown(c.Request.Context(), c.Me.ID, true)
	if err != nil {
		return fmt.Errorf("read announcements: %w", err)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Announcements"), Body: announcementsView(announcementRows(c, vs))})
}

// actOnAnnouncement dismisses an announcement, or reacts to it.
func (h *Pages) actOnAnnouncement(c *page.Context) error {
	id, ok := linnet.ParseID(c.Request.PathValue("id"))
	if !ok {
		return page.NotFound()
	}
	ctx, in := c.Request.Context(), c.Request.PostForm
	var err error
	switch {
	case in.Has("dismiss"):
		err = h.Announcing.Dismiss(ctx, c.Me.ID, id)
	case in.Has("react"):
		err = h.Announcing.React(ctx, c.Me.ID, id, in.Get("react"))
	case in.Has("unreact"):
		err = h.Announcing.Unreact(ctx, c.Me.ID, id, in.Get("unreact"))
	default:
		name := strings.Trim(c.Typed("name"), ":")
		if err = h.Announcing.React(ctx, c.Me.ID, id, name); page.IsKind(err, linnet.Invalid) {
			why := c.Tr("it's not allowed here")
			if e := page.Refusal(err); e != nil && len(e.Fields) > 0 {
				why = strings.TrimPrefix(e.Fields[0].In(c.Lang().Say()), "is ")
			}
			return &page.Error{Code: http.StatusUnprocessableEntity, Msg: "You can't react with %q: %s.", Args: []any{name, why}, Back: c.PreviousPage("/"), BackText: "Back"}
		}
	}
	if err != nil {
		return err
	}
	to := c.PreviousPage("/")
	if !in.Has("dismiss") {
		to += "#a" + id.String()
	}
	return c.Redirect(to)
}
