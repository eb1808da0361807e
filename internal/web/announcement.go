package web

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// announcementsAtHome is the maximum number of announcements above the home timeline. Others are on
// their own page.
const announcementsAtHome = 3

// announcementRow is an announcement on a page.
type announcementRow struct {
	linnet.AnnouncementView
	c *call
}

// quickReactions are offered in addition to those that others have chosen.
var quickReactions = [...]string{"👍", "❤️", "🎉", "😀", "😢"}

// Quick returns the quick reactions without a count.
func (r announcementRow) Quick() (names []string) {
	for _, name := range quickReactions {
		if !r.has(name) {
			names = append(names, name)
		}
	}
	return names
}

func (r announcementRow) has(name string) bool {
	for i := range r.Reactions {
		if r.Reactions[i].Name == name {
			return true
		}
	}
	return false
}

// Room reports whether another reaction is possible.
func (r announcementRow) Room() bool { return len(r.Reactions) < linnet.MaxReactions }

// hasAnnouncements reports whether there is any that users see now.
func (c *call) hasAnnouncements() bool {
	return len(c.svc.Core.Announcements().Shown(c.opts.Now())) > 0
}

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

func announcementRows(c *call, vs []linnet.AnnouncementView) []announcementRow {
	rows := make([]announcementRow, len(vs))
	for i, v := range vs { // the latest first
		rows[len(vs)-1-i] = announcementRow{v, c}
	}
	return rows
}

// announcementsAbove returns the newest announcements above the home timeline that the reader
// hasn't dismissed. more is the number of others.
func (h *timelinePages) announcementsAbove(c *call) (rows []announcementRow, more int, err error) {
	vs, err := h.announcing.Shown(c.r.Context(), c.me.ID, false)
	if err != nil {
		return nil, 0, fmt.Errorf("read announcements: %w", err)
	}
	rows = announcementRows(c, vs)
	n := min(len(rows), announcementsAtHome)
	return rows[:n], len(rows) - n, nil
}

// announcements shows all announcements, including dismissed ones.
func (h *timelinePages) announcements(c *call) error {
	vs, err := h.announcing.Shown(c.r.Context(), c.me.ID, true)
	if err != nil {
		return fmt.Errorf("read announcements: %w", err)
	}
	return c.render(http.StatusOK, page{Title: c.tr("Announcements"), Body: announcementsView(announcementRows(c, vs))})
}

// actOnAnnouncement dismisses an announcement, or reacts to it.
func (h *timelinePages) actOnAnnouncement(c *call) error {
	id, ok := linnet.ParseID(c.r.PathValue("id"))
	if !ok {
		return errNowhere()
	}
	ctx, in := c.r.Context(), c.r.PostForm
	var err error
	switch {
	case in.Has("dismiss"):
		err = h.announcing.Dismiss(ctx, c.me.ID, id)
	case in.Has("react"):
		err = h.announcing.React(ctx, c.me.ID, id, in.Get("react"))
	case in.Has("unreact"):
		err = h.announcing.Unreact(ctx, c.me.ID, id, in.Get("unreact"))
	default:
		name := strings.Trim(c.typed("name"), ":")
		if err = h.announcing.React(ctx, c.me.ID, id, name); isKind(err, linnet.Invalid) {
			return &httpError{code: http.StatusUnprocessableEntity, msg: "You can't react with %q: %s.", args: []any{name, reactionRefused(c, err)}, back: c.cameFrom("/"), text: "Back"}
		}
	}
	if err != nil {
		return err
	}
	to := c.cameFrom("/")
	if !in.Has("dismiss") {
		to += "#a" + id.String()
	}
	return c.seeOther(to)
}

func reactionRefused(c *call, err error) string {
	if e := refusal(err); e != nil && len(e.Fields) > 0 {
		return strings.TrimPrefix(e.Fields[0].In(c.lang().Say()), "is ")
	}
	return c.tr("it was rejected")
}

func (h *instancePages) adminAnnouncements(c *call) error {
	return h.showAdminAnnouncements(c, announcementForm(c, nil))
}

// announcementForm is the form for an announcement; nil: for a new one.
func announcementForm(c *call, a *linnet.Announcement) *form {
	action, button := paths.AdminAnnouncements, c.tr("Save announcement")
	if a == nil {
		a = &linnet.Announcement{Published: c.opts.Now()}
	} else {
		action, button = paths.AdminAnnouncement(a.ID), c.tr("Save")
	}
	later := time.Time{}
	if a.Published.After(c.opts.Now()) {
		later = a.Published
	}
	return startForm(c, action, button,
		field{Kind: areaField, Name: "text", Label: c.tr("Text"), Value: a.Text, Rows: 5, Required: true, Hint: atMostCharacters(c, linnet.MaxAnnouncementChars) + " " + c.tr("Mentions, hashtags, links and custom emoji work as in posts.")},
		field{Kind: checkField, Name: "publish", Label: c.tr("Publish"), On: !a.Published.IsZero(), Hint: c.tr("Otherwise it's saved as a draft that only staff can see.")},
		field{Kind: timeField, Name: "published_at", Label: c.tr("Publish at"), Value: typedTime(later), Hint: c.tr("In UTC. Leave empty to publish now.")},
		field{Kind: timeField, Name: "starts_at", Label: c.tr("Event starts"), Value: typedTime(a.Starts), Hint: c.tr("In UTC. Optional. Without a start there can't be an end.")},
		field{Kind: timeField, Name: "ends_at", Label: c.tr("Event ends"), Value: typedTime(a.Ends), Hint: c.tr("In UTC. The announcement is hidden after this time.")},
		field{Kind: checkField, Name: "all_day", Label: c.tr("All day"), On: a.AllDay})
}

// typedTime is a time as an input for it has it.
func typedTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04")
}

// timeTyped reads a time that was typed, zero for none; errs gets a complaint about
// anything else.
func timeTyped(c *call, name string, errs fieldErrors) time.Time {
	typed := c.typed(name)
	if typed == "" {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, typed); err == nil {
			return t
		}
	}
	errs[name] = c.tr("This isn't a valid time. Use the form 2027-01-31 18:00.")
	return time.Time{}
}

func (h *instancePages) showAdminAnnouncements(c *call, f *form) error {
	all, err := h.announcing.All(c.r.Context(), c.by())
	if err != nil {
		return err
	}
	t := &table{Caption: c.tr("Announcements"), Head: []string{c.tr("Text"), c.tr("State"), c.tr("Published"), c.tr("Ends")}, Empty: c.tr("No announcements yet.")}
	for i := len(all) - 1; i >= 0; i-- {
		a := &all[i]
		row := []cell{linkCell(ui.Truncate(strings.Join(strings.Fields(a.Text), " "), 100), paths.AdminAnnouncement(a.ID)), textCell(announcementState(c, a)), textCell(c.trIn("published", "no")), textCell(c.tr("never"))}
		if !a.Published.IsZero() {
			row[2] = timeCell(a.Published)
		}
		if !a.Ends.IsZero() {
			row[3] = timeCell(a.Over())
		}
		t.Rows = append(t.Rows, row)
	}
	return showAdmin(c, f.code(), c.tr("Announcements"), paths.AdminAnnouncements, formPage{
		Lead:  c.tr("Announcements appear above everyone's home timeline until dismissed, and in apps. You can have up to %s.", c.num(linnet.MaxAnnouncements)),
		Parts: []formSection{{ID: "write", Title: c.tr("New announcement"), Form: f}, {Title: c.tr("Announcements"), Table: t}}})
}

// announcementState says whether users see an announcement.
func announcementState(c *call, a *linnet.Announcement) string {
	now := c.opts.Now()
	switch {
	case a.Published.IsZero():
		return c.trIn("announcement", "draft")
	case a.ShownAt(now):
		return c.trIn("announcement", "shown")
	case now.Before(a.Published):
		return c.trIn("announcement", "scheduled")
	}
	return c.trIn("announcement", "ended")
}

// typedAnnouncement is what the form says; nil where an announcement was published and
// stays so.
func typedAnnouncement(c *call, before *linnet.Announcement, errs fieldErrors) linnet.AnnouncementChange {
	text, starts, ends, from := c.r.PostForm.Get("text"), timeTyped(c, "starts_at", errs), timeTyped(c, "ends_at", errs), timeTyped(c, "published_at", errs)
	change := linnet.AnnouncementChange{Text: &text, Starts: &starts, Ends: &ends, AllDay: ticked(c, "all_day")}
	now := c.opts.Now()
	switch {
	case !*ticked(c, "publish"):
		from = time.Time{}
	case !from.IsZero():
	case before != nil && !before.Published.IsZero() && !before.Published.After(now):
		return change // since it was
	default:
		from = now
	}
	change.Published = &from
	return change
}

func (h *instancePages) writeAnnouncement(c *call) error {
	errs := fieldErrors{}
	change, f := typedAnnouncement(c, nil, errs), announcementForm(c, nil)
	if len(errs) > 0 {
		f.refill(c.r.PostForm, errs)
		return h.showAdminAnnouncements(c, f)
	}
	if _, err := h.announcing.Write(c.r.Context(), c.by(), 0, change); err != nil {
		if f.refused(err, nil) {
			return h.showAdminAnnouncements(c, f)
		}
		return err
	}
	return saved(c, paths.AdminAnnouncements)
}

// announcementInPath is the announcement that the path names.
func (h *instancePages) announcementInPath(c *call) (*linnet.Announcement, error) {
	id, _ := linnet.ParseID(c.r.PathValue("id"))
	all, err := h.announcing.All(c.r.Context(), c.by())
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].ID == id {
			return &all[i], nil
		}
	}
	return nil, errNowhere()
}

func (h *instancePages) adminAnnouncement(c *call) error {
	a, err := h.announcementInPath(c)
	if err != nil {
		return err
	}
	return showAdminAnnouncement(c, a, announcementForm(c, a))
}

func showAdminAnnouncement(c *call, a *linnet.Announcement, f *form) error {
	path := paths.AdminAnnouncement(a.ID)
	away, publish := button(c, path, c.tr("Delete"), "", "do", "delete"), button(c, path, c.tr("Publish now"), "", "do", "publish")
	away.Grave = true
	if a.ShownAt(c.opts.Now()) {
		publish = button(c, path, c.tr("Unpublish"), "", "do", "unpublish")
	}
	return showAdmin(c, f.code(), c.tr("Announcement"), paths.AdminAnnouncements, formPage{Back: &navLink{Path: paths.AdminAnnouncements, Text: c.tr("All announcements")}, Parts: []formSection{
		{Facts: []fact{{c.tr("State"), textCell(announcementState(c, a))}}, Form: f},
		{Title: c.tr("Publish"), Text: c.tr("If you unpublish it, it stays here and you can publish it again."), Form: publish},
		{Title: c.tr("Delete"), Text: c.tr("Also deletes its reactions."), Form: away}}})
}

func (h *instancePages) changeAnnouncement(c *call) error {
	a, err := h.announcementInPath(c)
	if err != nil {
		return err
	}
	errs, f := fieldErrors{}, announcementForm(c, a)
	var change linnet.AnnouncementChange
	switch c.typed("do") {
	case "delete":
		if err := h.announcing.Delete(c.r.Context(), c.by(), a.ID); err != nil {
			return err
		}
		return saved(c, paths.AdminAnnouncements)
	case "publish":
		now := c.opts.Now()
		change.Published = &now
	case "unpublish":
		change.Published = &time.Time{}
	default:
		change = typedAnnouncement(c, a, errs)
	}
	if len(errs) > 0 {
		f.refill(c.r.PostForm, errs)
		return showAdminAnnouncement(c, a, f)
	}
	if _, err := h.announcing.Write(c.r.Context(), c.by(), a.ID, change); err != nil {
		if f.refused(err, nil) {
			return showAdminAnnouncement(c, a, f)
		}
		return err
	}
	return saved(c, paths.AdminAnnouncements)
}
