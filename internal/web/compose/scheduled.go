package compose

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// timeInput is the format of a datetime-local input. Times of scheduled posts are in the reader's
// zone, like all times on pages. Staff forms use UTC.
const timeInput = "2006-01-02T15:04"

// inputTime formats a time for an input.
func inputTime(c *page.Context, t time.Time) string { return t.In(c.Zone()).Format(timeInput) }

// scheduleTime parses the value of a time input. It returns the zero time if the value is invalid.
func scheduleTime(c *page.Context, s string) time.Time {
	for _, form := range [...]string{timeInput, timeInput + ":05"} {
		if t, err := time.ParseInLocation(form, s, c.Zone()); err == nil {
			return t
		}
	}
	return time.Time{}
}

const noTime = "Enter a date and time, such as 2030-12-24T18:00."

// scheduledRow is a scheduled post with a form for its time.
type scheduledRow struct {
	linnet.Scheduled
	Typed string // value of the input
	Wrong string // error of the input
}

// Audience returns the audience of the post.
func (r scheduledRow) Audience(ctx context.Context) string {
	if r.Group != 0 {
		return ui.Tr(ctx, "Group members")
	}
	return ui.Tr(ctx, audienceChoices()[min(*r.Draft.Visibility, linnet.Direct)].Text)
}

// About describes the audience of the post, and whether it is a reply or a quote.
func (r scheduledRow) About(ctx context.Context) string {
	return ui.JoinNonEmpty(ui.Comma(ctx), r.Audience(ctx), ui.If(r.Draft.InReplyTo != 0, ui.Tr(ctx, "a reply")), ui.If(r.Draft.QuoteOf != 0, ui.Tr(ctx, "quotes a post")))
}

// Path returns the action of its forms.
func (r scheduledRow) Path() string { return paths.Scheduled + "/" + r.ID.String() }

type scheduledPage struct {
	Done  string
	Rows  []scheduledRow
	Pager ui.Pager
}

// scheduledShown is the number of scheduled posts per page.
const scheduledShown = 20

func (h *Pages) scheduled(c *page.Context) error {
	from, _ := strconv.Atoi(c.Request.URL.Query().Get("from")) // otherwise the beginning
	return h.showScheduled(c, http.StatusOK, max(from, 0), nil)
}

// showScheduled shows scheduled posts, the next one first. refused is a row with its submitted time
// and error, or nil.
func (h *Pages) showScheduled(c *page.Context, code, from int, refused *scheduledRow) error {
	all, of, err := h.Posting.Scheduled.Soonest(c.Request.Context(), c.Me.ID, from, scheduledShown)
	if err != nil {
		return fmt.Errorf("read scheduled posts: %w", err)
	}
	m := scheduledPage{Done: map[string]string{"scheduled": c.Tr("Scheduled."), "moved": c.Tr("Time changed."), "deleted": c.Tr("Deleted.")}[c.Request.URL.Query().Get("done")]}
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
	return c.Render(code, page.Page{Title: c.Tr("Scheduled posts"), Here: "/compose", Sheet: "single.css", Body: scheduledView(c, m)})
}

// scheduledNamed returns the scheduled post with an id.
func (h *Pages) scheduledNamed(c *page.Context, digits string) (*linnet.Scheduled, error) {
	id, ok := linnet.ParseID(digits)
	if !ok {
		return nil, page.NotFound()
	}
	s, err := h.Posting.Scheduled.Get(c.Request.Context(), c.Me.ID, id)
	if err != nil {
		return nil, page.OrNotFound(err, "look up what is scheduled")
	}
	return s, nil
}

// changeScheduled reschedules or deletes a scheduled post.
func (h *Pages) changeScheduled(c *page.Context) error {
	s, err := h.scheduledNamed(c, c.Request.PathValue("id"))
	if err != nil {
		return err
	}
	ctx, in := c.Request.Context(), c.Request.PostForm
	if in.Get("do") == "delete" {
		if err := h.Posting.Scheduled.Cancel(ctx, c.Me.ID, s.ID); err != nil && !page.IsKind(err, linnet.NotFound) {
			return fmt.Errorf("delete a scheduled post: %w", err)
		}
		return c.Redirect(ui.WithDone(paths.Scheduled, "deleted"))
	}
	row := &scheduledRow{Scheduled: *s, Typed: in.Get("scheduled_at")}
	if at := scheduleTime(c, row.Typed); at.IsZero() {
		row.Wrong = c.Tr(noTime)
	} else if _, err := h.Posting.Scheduled.Reschedule(ctx, c.Me.ID, s.ID, at); err != nil {
		errs := page.FieldErrors{}
		if !errs.Add(c, err, map[string]page.FormField{"scheduled_at": {Name: "", Subject: c.Tr("The time")}}) {
			return fmt.Errorf("reschedule a post: %w", err)
		}
		row.Wrong = errs[""]
	}
	if row.Wrong != "" {
		from, err := h.scheduledOffset(c, s.ID)
		if err != nil {
			return err
		}
		return h.showScheduled(c, http.StatusUnprocessableEntity, from, row)
	}
	return c.Redirect(ui.WithDone(paths.Scheduled, "moved"))
}

// scheduledOffset returns the offset of the page with a scheduled post.
func (h *Pages) scheduledOffset(c *page.Context, id linnet.ID) (int, error) {
	all, _, err := h.Posting.Scheduled.Soonest(c.Request.Context(), c.Me.ID, 0, linnet.MaxScheduled)
	for i, s := range all {
		if s.ID == id {
			return i / scheduledShown * scheduledShown, err
		}
	}
	return 0, err
}

// planForm returns the form to edit a scheduled post.
func (h *Pages) planForm(c *page.Context, s *linnet.Scheduled) (Form, error) {
	f, d := New(c), &s.Draft
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
	members := s.Group != 0 && !s.IsDraft() // only group members can read it
	if members {
		f.Visibility = max(f.Visibility, linnet.Private)
	}
	if d.InReplyTo != 0 {
		gone, err := h.takeAnswered(c, &f, d.InReplyTo)
		if !gone {
			return f, err
		}
		f.Errors[""] = c.Tr("The post you're replying to was deleted, or you can no longer see it. You can still post this, but not as a reply.")
		f.narrow()
	}
	if members {
		return f, h.draftInto(c, &f, s.Group)
	}
	return f, nil
}

// takeAnswered sets the parent of the form. It returns true if the parent is deleted.
func (h *Pages) takeAnswered(c *page.Context, f *Form, id linnet.ID) (gone bool, err error) {
	to, err := h.View.Status(c.Request.Context(), c.Me.ID, id)
	if page.IsKind(err, linnet.NotFound) {
		return true, nil
	}
	if err == nil {
		f.ReplyTo = &to
	}
	return false, err
}

// sentPlan sets the scheduled post that the form replaces, and its time.
func (h *Pages) sentPlan(c *page.Context, f *Form) error {
	if f.Schedule = c.Typed("scheduled_at"); f.Schedule != "" && scheduleTime(c, f.Schedule).IsZero() {
		f.Errors["schedule"] = c.Tr(noTime)
	}
	digits := c.Request.PostForm.Get("plan")
	if digits == "" {
		return nil
	}
	s, err := h.scheduledNamed(c, digits)
	if page.IsKind(err, linnet.NotFound) {
		f.Errors[""] = c.Tr("The scheduled post was already published or deleted. You can still post this as a new post.")
		return nil
	}
	f.Plan = s
	return err
}

// freePlan deletes the scheduled post that the form replaces, so that the new one can use its
// pictures. It checks the new one first.
func (h *Pages) freePlan(c *page.Context, f *Form, d linnet.Draft) error {
	if f.Plan == nil {
		return nil
	}
	if err := h.checkReplacement(c, f, d); err != nil {
		return err
	}
	if err := h.Posting.Scheduled.Cancel(c.Request.Context(), c.Me.ID, f.Plan.ID); err != nil && !page.IsKind(err, linnet.NotFound) {
		return err
	}
	if err := h.describeFreed(c, f); err != nil {
		return err
	}
	f.Plan = nil
	return nil
}
