package instance

import (
	"strings"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// announcementForm returns the form of an announcement; nil is a new one.
func announcementForm(c *page.Context, a *linnet.Announcement) *form.Form {
	action, button := paths.AdminAnnouncements, c.Tr("Save announcement")
	if a == nil {
		a = &linnet.Announcement{Published: c.Opts.Now()}
	} else {
		action, button = paths.AdminAnnouncement(a.ID), c.Tr("Save")
	}
	later := time.Time{}
	if a.Published.After(c.Opts.Now()) {
		later = a.Published
	}
	return form.New(c, action, button,
		form.Field{Kind: form.AreaField, Name: "text", Label: c.Tr("Text"), Value: a.Text, Rows: 5, Required: true, Hint: form.AtMostCharacters(c, linnet.MaxAnnouncementChars) + " " + c.Tr("Mentions, hashtags, links and custom emoji work as in posts.")},
		form.Field{Kind: form.CheckField, Name: "publish", Label: c.Tr("Publish"), On: !a.Published.IsZero(), Hint: c.Tr("If you don't publish the announcement, it's saved as a draft that only staff can see.")},
		form.Field{Kind: form.TimeField, Name: "published_at", Label: c.Tr("Publish at"), Value: typedTime(later), Hint: c.Tr("Time in UTC. Leave empty to publish now.")},
		form.Field{Kind: form.TimeField, Name: "starts_at", Label: c.Tr("Event starts"), Value: typedTime(a.Starts), Hint: c.Tr("Time in UTC. Required if you set an end.")},
		form.Field{Kind: form.TimeField, Name: "ends_at", Label: c.Tr("Event ends"), Value: typedTime(a.Ends), Hint: c.Tr("Time in UTC. The announcement is hidden after this time.")},
		form.Field{Kind: form.CheckField, Name: "all_day", Label: c.Tr("All day"), On: a.AllDay})
}

// typedTime formats a time for an input.
func typedTime(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04")
}

// timeTyped parses a submitted time; "" is the zero time. It adds an error to errs for anything
// else.
func timeTyped(c *page.Context, name string, errs page.FieldErrors) time.Time {
	typed := c.Typed(name)
	if typed == "" {
		return time.Time{}
	}
	for _, layout := range []string{"2006-01-02T15:04", "2006-01-02T15:04:05", "2006-01-02 15:04", time.DateOnly} {
		if t, err := time.Parse(layout, typed); err == nil {
			return t
		}
	}
	errs[name] = c.Tr("This isn't a valid time. Use the format 2027-01-31 18:00.")
	return time.Time{}
}

// announcements is the page of all announcements.
func (h *Pages) announcements(c *page.Context) (*form.Page, error) {
	all, err := h.Announcing.All(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	t := &form.Table{Caption: c.Tr("Announcements"), Head: []string{c.Tr("Text"), c.Tr("Status"), c.Tr("Published"), c.Tr("Ends")}, Empty: c.Tr("No announcements yet. Write the first one above.")}
	for i := len(all) - 1; i >= 0; i-- {
		a := &all[i]
		row := []form.Cell{form.LinkCell(ui.Truncate(strings.Join(strings.Fields(a.Text), " "), 100), paths.AdminAnnouncement(a.ID)), form.TextCell(announcementState(c, a)), form.TextCell(c.TrIn("published", "no")), form.TextCell(c.Tr("never"))}
		if !a.Published.IsZero() {
			row[2] = form.TimeCell(a.Published)
		}
		if !a.Ends.IsZero() {
			row[3] = form.TimeCell(a.Over())
		}
		t.Rows = append(t.Rows, row)
	}
	f := announcementForm(c, nil)
	return &form.Page{Title: c.Tr("Announcements"), Path: paths.AdminAnnouncements, Form: f,
		Lead:  c.Tr("Announcements appear in apps, and above everyone's home timeline until the reader dismisses the announcement. You can have up to %s announcements.", c.Num(linnet.MaxAnnouncements)),
		Parts: []form.Section{{ID: "write", Title: c.Tr("New announcement"), Form: f}, {Title: c.Tr("Announcements"), Table: t}}}, nil
}

// announcementState returns whether an announcement is visible, in words.
func announcementState(c *page.Context, a *linnet.Announcement) string {
	now := c.Opts.Now()
	switch {
	case a.Published.IsZero():
		return c.TrIn("announcement", "draft")
	case a.ShownAt(now):
		return c.TrIn("announcement", "shown")
	case now.Before(a.Published):
		return c.TrIn("announcement", "scheduled")
	}
	return c.TrIn("announcement", "ended")
}

// typedAnnouncement reads the submitted announcement. The time of publication is nil if the
// announcement is already published and stays so.
func typedAnnouncement(c *page.Context, before *linnet.Announcement) (linnet.AnnouncementChange, error) {
	errs := page.FieldErrors{}
	text, starts, ends, from := c.Request.PostForm.Get("text"), timeTyped(c, "starts_at", errs), timeTyped(c, "ends_at", errs), timeTyped(c, "published_at", errs)
	change := linnet.AnnouncementChange{Text: &text, Starts: &starts, Ends: &ends, AllDay: form.Checked(c, "all_day")}
	if len(errs) > 0 {
		return change, errs
	}
	now := c.Opts.Now()
	switch {
	case !*form.Checked(c, "publish"):
		from = time.Time{}
	case !from.IsZero():
	case before != nil && !before.Published.IsZero() && !before.Published.After(now):
		return change, nil // since it was published
	default:
		from = now
	}
	change.Published = &from
	return change, nil
}

func (h *Pages) createAnnouncement(c *page.Context) (string, error) {
	change, err := typedAnnouncement(c, nil)
	if err == nil {
		_, err = h.Announcing.Write(c.Request.Context(), c.Actor(), 0, change)
	}
	return form.Saved(paths.AdminAnnouncements), err
}

// announcementInPath returns the announcement in the path.
func (h *Pages) announcementInPath(c *page.Context) (*linnet.Announcement, error) {
	id, _ := linnet.ParseID(c.Request.PathValue("id"))
	all, err := h.Announcing.All(c.Request.Context(), c.Actor())
	if err != nil {
		return nil, err
	}
	for i := range all {
		if all[i].ID == id {
			return &all[i], nil
		}
	}
	return nil, page.NotFound()
}

func (h *Pages) announcement(c *page.Context) (*form.Page, error) {
	a, err := h.announcementInPath(c)
	if err != nil {
		return nil, err
	}
	path, f := paths.AdminAnnouncement(a.ID), announcementForm(c, a)
	away, publish := form.Button(c, path, c.Tr("Delete"), "", "do", "delete"), form.Button(c, path, c.Tr("Publish now"), "", "do", "publish")
	away.Grave = true
	if a.ShownAt(c.Opts.Now()) {
		publish = form.Button(c, path, c.Tr("Unpublish"), "", "do", "unpublish")
	}
	return &form.Page{Title: c.Tr("Announcement"), Path: paths.AdminAnnouncements, Form: f, Back: &form.Link{Path: paths.AdminAnnouncements, Text: c.Tr("All announcements")}, Parts: []form.Section{
		{Facts: []form.Fact{{Name: c.Tr("Status"), Is: form.TextCell(announcementState(c, a))}}, Form: f},
		{Title: c.Tr("Publish"), Text: c.Tr("If you unpublish the announcement, it stays here and you can publish it again."), Form: publish},
		{Title: c.Tr("Delete"), Text: c.Tr("Reactions to the announcement are deleted too."), Form: away}}}, nil
}

func (h *Pages) changeAnnouncement(c *page.Context) (string, error) {
	a, err := h.announcementInPath(c)
	if err != nil {
		return "", err
	}
	var change linnet.AnnouncementChange
	switch c.Typed("do") {
	case "delete":
		return form.Saved(paths.AdminAnnouncements), h.Announcing.Delete(c.Request.Context(), c.Actor(), a.ID)
	case "publish":
		now := c.Opts.Now()
		change.Published = &now
	case "unpublish":
		change.Published = &time.Time{}
	default:
		if change, err = typedAnnouncement(c, a); err != nil {
			return "", err
		}
	}
	_, err = h.Announcing.Write(c.Request.Context(), c.Actor(), a.ID, change)
	return form.Saved(paths.AdminAnnouncements), err
}
