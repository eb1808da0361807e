package web

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

func (h *composePages) scheduledRoutes() []route {
	return []route{
		{pattern: paths.Scheduled, get: own(h.scheduled)},
		{pattern: paths.Scheduled + "/{id}", post: own(h.changeScheduled)},
	}
}

// timeInput is the format of a datetime-local input. Times of scheduled posts are in the reader's
// zone, like all times on pages. Those of staff forms are in UTC.
const timeInput = "2006-01-02T15:04"

func inputTime(c *call, t time.Time) string { return t.In(c.zone()).Format(timeInput) }

// scheduleTime reads such a time; the zero Time if it is none.
func scheduleTime(c *call, s string) time.Time {
	for _, form := range [...]string{timeInput, timeInput + ":05"} {
		if t, err := time.ParseInLocation(form, s, c.zone()); err == nil {
			return t
		}
	}
	return time.Time{}
}

const noTime = "Enter a date and time, such as 2030-12-24T18:00."

// scheduledRow is something that is scheduled, with a form for its time.
type scheduledRow struct {
	linnet.Scheduled
	Typed string // value of the input
	Wrong string // its error
}

// Audience returns who can read it.
func (r scheduledRow) Audience(ctx context.Context) string {
	if r.Group != 0 {
		return ui.Tr(ctx, "Group members")
	}
	return ui.Tr(ctx, audienceChoices()[min(*r.Draft.Visibility, linnet.Direct)].Text)
}

// About returns who can read it, and its parent and quoted status.
func (r scheduledRow) About(ctx context.Context) string {
	return ui.JoinNonEmpty(ui.Comma(ctx), r.Audience(ctx), ui.If(r.Draft.InReplyTo != 0, ui.Tr(ctx, "a reply")), ui.If(r.Draft.QuoteOf != 0, ui.Tr(ctx, "quotes a post")))
}

// Path is where its forms lead.
func (r scheduledRow) Path() string { return paths.Scheduled + "/" + r.ID.String() }

type scheduledPage struct {
	Done  string
	Rows  []scheduledRow
	Pager ui.Pager
}

// scheduledShown is the number of scheduled posts per page.
const scheduledShown = 20

func (h *composePages) scheduled(c *call) error {
	from, _ := strconv.Atoi(c.r.URL.Query().Get("from")) // otherwise the beginning
	return h.showScheduled(c, http.StatusOK, max(from, 0), nil)
}

// showScheduled shows scheduled posts, next due first. refused is a row with its submitted time and
// error.
func (h *composePages) showScheduled(c *call, code, from int, refused *scheduledRow) error {
	all, of, err := h.posting.ScheduledSoonest(c.r.Context(), c.me.ID, from, scheduledShown)
	if err != nil {
		return fmt.Errorf("read scheduled posts: %w", err)
	}
	m := scheduledPage{Done: map[string]string{"scheduled": c.tr("Scheduled."), "moved": c.tr("Time changed."), "deleted": c.tr("Deleted.")}[c.r.URL.Query().Get("done")]}
	for _, s := range all {
		row := scheduledRow{Scheduled: s, Typed: inputTime(c, s.At)}
		if refused != nil && refused.ID == s.ID {
			row.Typed, row.Wrong = refused.Typed, refused.Wrong
		}
		m.Rows = append(m.Rows, row)
	}
	if from > 0 {
		m.Pager.Newer = fmt.Sprintf("%s?from=%d", paths.Scheduled, max(from-scheduledShown, 0))
	}
	if next := from + scheduledShown; next < of {
		m.Pager.Older = fmt.Sprintf("%s?from=%d", paths.Scheduled, next)
	}
	return c.render(code, page{Title: c.tr("Scheduled posts"), Here: "/compose", Body: scheduledView(c, m)})
}

// scheduledNamed is what the path names.
func (h *composePages) scheduledNamed(c *call, digits string) (*linnet.Scheduled, error) {
	id, ok := linnet.ParseID(digits)
	if !ok {
		return nil, errNowhere()
	}
	s, err := h.posting.Scheduled(c.r.Context(), c.me.ID, id)
	if err != nil {
		return nil, notThere(err, "look up what is scheduled")
	}
	return s, nil
}

// changeScheduled gives something another time, or deletes it.
func (h *composePages) changeScheduled(c *call) error {
	s, err := h.scheduledNamed(c, c.r.PathValue("id"))
	if err != nil {
		return err
	}
	ctx, in := c.r.Context(), c.r.PostForm
	if in.Get("do") == "delete" {
		if err := h.posting.Unschedule(ctx, c.me.ID, s.ID); err != nil && !isKind(err, linnet.NotFound) {
			return fmt.Errorf("delete a scheduled post: %w", err)
		}
		return c.seeOther(ui.WithDone(paths.Scheduled, "deleted"))
	}
	row := &scheduledRow{Scheduled: *s, Typed: in.Get("scheduled_at")}
	if at := scheduleTime(c, row.Typed); at.IsZero() {
		row.Wrong = c.tr(noTime)
	} else if _, err := h.posting.Reschedule(ctx, c.me.ID, s.ID, at); err != nil {
		errs := fieldErrors{}
		if !errs.add(c, err, map[string]formField{"scheduled_at": {"", c.tr("The time")}}) {
			return fmt.Errorf("reschedule: %w", err)
		}
		row.Wrong = errs[""]
	}
	if row.Wrong != "" {
		from, err := h.placeOf(c, s.ID)
		if err != nil {
			return err
		}
		return h.showScheduled(c, http.StatusUnprocessableEntity, from, row)
	}
	return c.seeOther(ui.WithDone(paths.Scheduled, "moved"))
}

// placeOf returns the offset of the page with a scheduled post.
func (h *composePages) placeOf(c *call, id linnet.ID) (int, error) {
	all, _, err := h.posting.ScheduledSoonest(c.r.Context(), c.me.ID, 0, linnet.MaxScheduled)
	for i, s := range all {
		if s.ID == id {
			return i / scheduledShown * scheduledShown, err
		}
	}
	return 0, err
}

// planForm returns the form to edit a scheduled post.
func (h *composePages) planForm(c *call, s *linnet.Scheduled) (composeForm, error) {
	f, d := newForm(c), &s.Draft
	f.Plan, f.Text, f.Warning, f.Visibility, f.Language, f.Media = s, d.Text, d.Warning, *d.Visibility, d.Language, s.Media
	f.Schedule = inputTime(c, s.At)
	if p := d.Poll; p != nil {
		copy(f.Poll.Options[:], p.Options)
		f.Poll.Seconds, f.Poll.Multiple, f.Poll.HideTotals = p.Seconds, p.Multiple, p.HideTotals
	}
	f.QuotePolicy = *d.QuotePolicy
	if d.QuoteOf != 0 {
		if err := h.takeQuoted(c, &f, d.QuoteOf.String()); err != nil {
			return f, err
		}
	}
	members := s.Group != 0 && !s.IsDraft() // it is for them alone, whatever its author prefers
	if members {
		f.Visibility = max(f.Visibility, linnet.Private)
	}
	if d.InReplyTo != 0 {
		gone, err := h.takeAnswered(c, &f, d.InReplyTo)
		if !gone {
			return f, err
		}
		f.Errors[""] = c.tr("The post you're replying to was deleted. You can post this without it.")
		f.narrow()
	}
	if members {
		return f, h.draftInto(c, &f, s.Group)
	}
	return f, nil
}

// takeAnswered sets the parent of the form, if it isn't deleted.
func (h *composePages) takeAnswered(c *call, f *composeForm, id linnet.ID) (gone bool, err error) {
	to, err := h.view.Status(c.r.Context(), c.me.ID, id)
	if isKind(err, linnet.NotFound) {
		return true, nil
	}
	if err == nil {
		f.ReplyTo = &to
	}
	return false, err
}

// sentPlan takes over which scheduled post the composer changes, and the time.
func (h *composePages) sentPlan(c *call, f *composeForm) error {
	if f.Schedule = c.typed("scheduled_at"); f.Schedule != "" && scheduleTime(c, f.Schedule).IsZero() {
		f.Errors["schedule"] = c.tr(noTime)
	}
	digits := c.r.PostForm.Get("plan")
	if digits == "" {
		return nil
	}
	s, err := h.scheduledNamed(c, digits)
	if isKind(err, linnet.NotFound) {
		f.Errors[""] = c.tr("The scheduled post was already published or deleted. You can post this as a new one.")
		return nil
	}
	f.Plan = s
	return err
}

// scheduledFor is when what the form holds is to be published; nil: at once.
func scheduledFor(c *call, f *composeForm) *time.Time {
	if f.Schedule == "" {
		return nil
	}
	at := scheduleTime(c, f.Schedule)
	return &at
}

// freePlan deletes the scheduled post that is replaced, so that the new one can use its pictures.
// The new one must have been checked.
func (h *composePages) freePlan(c *call, f *composeForm, d linnet.Draft) error {
	if f.Plan == nil {
		return nil
	}
	if err := h.checkAnew(c, f, d); err != nil {
		return err
	}
	if err := h.posting.Unschedule(c.r.Context(), c.me.ID, f.Plan.ID); err != nil && !isKind(err, linnet.NotFound) {
		return err
	}
	if err := h.describeFreed(c, f); err != nil {
		return err
	}
	f.Plan = nil
	return nil
}
