package compose

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/posting"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// draftName formats the id and version of a draft for an input; "" for none.
func draftName(d linnet.DraftID) string {
	switch {
	case !d.Given():
		return ""
	case d.Key != "":
		return fmt.Sprintf("%v.%d.%s", d.ID, d.Version, d.Key)
	}
	return fmt.Sprintf("%v.%d", d.ID, d.Version)
}

// draftNamed parses a value of draftName. It returns the zero value for other texts.
func draftNamed(s string) (d linnet.DraftID) {
	parts := strings.SplitN(s, ".", 3)
	if len(parts) < 2 {
		return d
	}
	d.ID, _ = linnet.ParseID(parts[0])
	d.Version, _ = strconv.ParseUint(parts[1], 10, 64)
	if len(parts) == 3 && len(parts[2]) <= linnet.MaxIdempotencyKey {
		d.Key = parts[2]
	}
	return d
}

// draftIDOf returns the id and version of a draft.
func draftIDOf(d *linnet.Scheduled) linnet.DraftID {
	return linnet.DraftID{ID: d.ID, Version: d.Version}
}

// CanBeDraft reports whether the form can be saved as a draft. The draft of an edit has the edited
// status, and the draft of a redraft becomes a new post next to the old one.
func (f Form) CanBeDraft() bool { return f.Plan == nil }

// Nothing reports whether the form is empty.
func (f Form) Nothing() bool {
	typed := strings.TrimSpace(f.Text)
	warned := f.Warning != "" && f.Thread == "" // parts begin with the warning of the part before
	if f.ReplyTo != nil {
		asked := NewReply(f.c, *f.ReplyTo)
		warned = warned && f.Warning != asked.Warning
		if typed == strings.TrimSpace(asked.Text) {
			typed = ""
		}
	}
	return (typed == "" || f.blank()) && !warned && len(f.Media) == 0 && len(f.c.Request.PostForm["media"]) == 0 && !f.Poll.Given() && (f.Quote == nil || f.Edit != nil)
}

// Unfinished returns the content of the form as a draft.
func (f Form) Unfinished() linnet.Unfinished {
	in := linnet.Unfinished{Draft: f.draft(), PublishAt: scheduleTime(f.c, f.Schedule), Thread: f.Thread}
	if f.Draft != nil && f.Draft.Thread == f.Thread {
		in.Part = f.Draft.Part
	}
	if in.Draft.Text = f.Text; f.Edit == nil && len(f.To) > 0 { // drafts have no other field for recipients
		in.Draft.Text = f.addressed()
	}
	if f.Group != nil {
		in.Group = f.Group.ID
	}
	if f.Edit != nil { // the pictures belong to the edited post
		in.Edits, in.Draft.Media = f.Edit.ID, nil
	}
	return in
}

// sentDraft reads which draft the composer continues.
func (h *Pages) sentDraft(c *page.Context, f *Form) (err error) {
	if !c.Request.PostForm.Has("draft") || !f.CanBeDraft() {
		return nil
	}
	if f.From = draftNamed(c.Request.PostForm.Get("draft")); !f.From.Given() {
		f.From.Key = f.Key // a draft that the script saved without getting the response
	}
	f.Draft, err = h.Posting.Drafts.Find(c.Request.Context(), c.Me.ID, f.From)
	return err
}

// saveDraft saves the form as a draft.
func (h *Pages) saveDraft(c *page.Context, f Form) error {
	delete(f.Errors, "text")
	delete(f.Errors, "visibility")
	if f.Nothing() {
		f.Errors["text"] = c.Tr("Write something first.")
	}
	if len(f.Errors) > 0 {
		return h.Show(c, http.StatusUnprocessableEntity, f)
	}
	_, as, err := h.Posting.Drafts.Save(c.Request.Context(), c.Me.ID, f.Unfinished())
	if err != nil {
		return h.refusedPost(c, f, err)
	}
	done := SaveResults()[as].done
	if as == posting.SavedHere && f.Edit != nil {
		done = "edit"
	} else if as == posting.SavedHere && f.Redraft != 0 {
		done = "redraft"
	}
	return c.Redirect(ui.WithDone(paths.Drafts, done))
}

// saveResult describes the result of saving a draft, as a word in an address and as a sentence.
type saveResult struct{ done, Text string }

// SaveResults returns the descriptions of the results of saving a draft.
func SaveResults() map[posting.SavedAs]saveResult {
	return map[posting.SavedAs]saveResult{
		posting.SavedHere:       {"saved", locale.Mark("Draft saved.")},
		posting.SavedAgain:      {"anew", locale.Mark("The draft was already posted or deleted. We saved your text as a new draft.")},
		posting.SavedSeparately: {"aside", locale.Mark("The draft was changed elsewhere. We saved your text as a second draft. The pictures are still in the other draft.")},
		posting.SavedNever:      {"posted", locale.Mark("Your text has already been posted.")},
	}
}

// autosave is saveDraft for the script, which gets the draft's name. It ignores ticks that remove
// pictures. An emptied draft is deleted.
func (h *Pages) autosave(c *page.Context) error {
	f, err := h.SentForm(c)
	if err != nil {
		return err
	}
	if why := f.Errors[""]; why != "" || !f.CanBeDraft() {
		return &page.Error{Code: http.StatusUnprocessableEntity, Localized: why, Msg: "There's nothing here to save as a draft."}
	}
	var out struct {
		Draft string `json:"draft"`
		Says  string `json:"says"`
	}
	if f.Nothing() {
		err := h.Posting.Drafts.Delete(c.Request.Context(), c.Me.ID, f.From)
		if err == nil {
			out.Says = c.Tr("Draft deleted.")
		} else if !page.IsKind(err, linnet.NotFound) && !errors.Is(err, posting.ErrDraftChanged) {
			return fmt.Errorf("delete an emptied draft: %w", err)
		}
	} else {
		sc, as, err := h.Posting.Drafts.Save(c.Request.Context(), c.Me.ID, unfinishedAsSent(c, f))
		if err != nil {
			return fmt.Errorf("save a draft: %w", err)
		}
		if out.Says = c.Tr(SaveResults()[as].Text); sc != nil {
			out.Draft = draftName(draftIDOf(sc))
		}
	}
	return c.JSON(out)
}

// unfinishedAsSent returns the content of the form as a draft, with the pictures sent.
func unfinishedAsSent(c *page.Context, f Form) linnet.Unfinished {
	in := f.Unfinished()
	if f.Edit != nil {
		return in
	}
	in.Draft.Describe = map[linnet.ID]linnet.AttachmentChange{}
	for _, digits := range c.Request.PostForm["media"] {
		if id, ok := linnet.ParseID(digits); ok {
			in.Draft.Media, in.Draft.Describe[id] = append(in.Draft.Media, id), sentChange(c.Request.PostForm, digits)
		}
	}
	return in
}

// draftRow is a row of the list of drafts. The parts of a thread are one row.
type draftRow struct {
	linnet.Scheduled
	Others  []linnet.Scheduled // the later parts of its thread
	ReplyTo *linnet.StatusView // parent; nil for none, or if it is deleted
}

// EditPath returns the path of the composer that continues it.
func (r draftRow) EditPath() string {
	if r.Thread != "" {
		return threadPath(r.Thread)
	}
	return paths.Compose + "?draft=" + r.ID.String()
}

// Changes reports whether it is the draft of an edit.
func (r draftRow) Changes() bool { return r.Edits != 0 }

// Path returns the action of its form.
func (r draftRow) Path() string { return paths.Drafts + "/" + r.ID.String() }

// Excerpt returns the beginning of the draft.
func (r draftRow) Excerpt() string {
	const most = 280
	s := []rune(r.Draft.Text)
	if len(s) > most {
		return strings.TrimSpace(string(s[:most])) + "…"
	}
	return string(s)
}

// Holds describes the parts of the draft except its text.
func (r draftRow) Holds(ctx context.Context) string {
	var all []string
	if n := len(r.Media); n > 0 {
		all = append(all, ui.Trn(ctx, int64(n), "%s picture", "%s pictures"))
	}
	if r.Draft.Poll != nil {
		all = append(all, ui.Tr(ctx, "a poll"))
	}
	if r.Draft.QuoteOf != 0 {
		all = append(all, ui.Tr(ctx, "a quote"))
	}
	if r.Draft.InReplyTo != 0 && r.ReplyTo == nil {
		all = append(all, ui.Tr(ctx, "a reply to a deleted post"))
	}
	return ui.JoinTexts(ctx, all)
}

type draftsPage struct {
	Done, Wrong string
	Rows        []draftRow
	Pager       ui.Pager
}

// draftsShown is the number of drafts per page.
const draftsShown = 20

func (h *Pages) drafts(c *page.Context) error { return h.showDrafts(c, http.StatusOK, "") }

// showDrafts shows the reader's drafts, the newest change first.
func (h *Pages) showDrafts(c *page.Context, code int, wrong string) error {
	from, _ := strconv.Atoi(c.Request.URL.Query().Get("from")) // otherwise the beginning
	from = max(from, 0)
	all, of, err := h.Posting.Drafts.List(c.Request.Context(), c.Me.ID, from, draftsShown)
	if err != nil {
		return fmt.Errorf("read drafts: %w", err)
	}
	done := map[string]string{"deleted": c.Tr("Deleted."),
		"edit":    c.Tr("Draft saved. The post doesn't change until you finish and save the edit here. Changes to its pictures aren't saved in drafts."),
		"redraft": c.Tr("Draft saved. Posting it creates a new post. The original post and its pictures stay.")}
	for _, r := range SaveResults() {
		done[r.done] = c.Tr(r.Text)
	}
	m := draftsPage{Wrong: wrong, Done: done[c.Request.URL.Query().Get("done")]}
	var answered []linnet.ID
	for _, d := range all {
		if n := len(m.Rows); n > 0 && d.Thread != "" && m.Rows[n-1].Thread == d.Thread {
			m.Rows[n-1].Others = append(m.Rows[n-1].Others, d)
			continue
		}
		m.Rows = append(m.Rows, draftRow{Scheduled: d})
		if d.Draft.InReplyTo != 0 {
			answered = append(answered, d.Draft.InReplyTo)
		}
	}
	found, err := h.View.Statuses(c.Request.Context(), c.Me.ID, answered)
	if err != nil {
		return fmt.Errorf("read the posts that drafts reply to: %w", err)
	}
	for i := range m.Rows {
		for j := range found {
			if found[j].ID == m.Rows[i].Draft.InReplyTo {
				m.Rows[i].ReplyTo = &found[j]
			}
		}
	}
	if from > 0 {
		m.Pager.Newer = fmt.Sprintf("%s?from=%d", paths.Drafts, max(from-draftsShown, 0))
	}
	if next := from + draftsShown; next < of {
		m.Pager.Older = fmt.Sprintf("%s?from=%d", paths.Drafts, next)
	}
	return c.Render(code, page.Page{Title: c.Tr("Drafts"), Here: "/compose", Sheet: "single.css", Body: draftsView(c, m)})
}

// deleteDraft deletes a draft, or the parts of a thread, as the reader has seen them.
func (h *Pages) deleteDraft(c *page.Context) error {
	names := c.Request.PostForm["draft"]
	if id, ok := linnet.ParseID(c.Request.PathValue("id")); !ok || len(names) == 0 || draftNamed(names[0]).ID != id {
		return page.NotFound()
	}
	for i, name := range names[:min(len(names), linnet.MaxThreadPosts)] {
		err := h.Posting.Drafts.Delete(c.Request.Context(), c.Me.ID, draftNamed(name))
		switch {
		case errors.Is(err, posting.ErrDraftChanged):
			return h.showDrafts(c, http.StatusUnprocessableEntity, c.Tr("This draft was changed elsewhere. Check it before you delete it."))
		case err != nil && (i == 0 || !page.IsKind(err, linnet.NotFound)):
			return page.OrNotFound(err, "delete a draft")
		}
	}
	return c.Redirect(ui.WithDone(paths.Drafts, "deleted"))
}

// draftForm returns a form with a draft to continue.
func (h *Pages) draftForm(c *page.Context, digits string) (Form, error) {
	id, ok := linnet.ParseID(digits)
	if !ok {
		return Form{}, page.NotFound()
	}
	d, err := h.Posting.Drafts.Get(c.Request.Context(), c.Me.ID, id)
	if err != nil {
		return Form{}, page.OrNotFound(err, "look up a draft")
	}
	f, err := h.planForm(c, d)
	if err != nil {
		return f, err
	}
	f.Plan, f.Draft, f.From, f.Schedule, f.Thread = nil, d, draftIDOf(d), "", d.Thread
	if !d.PublishAt.IsZero() {
		f.Schedule = inputTime(c, d.PublishAt)
	}
	if d.Edits != 0 {
		return h.unfinishedEdit(c, f, d.Edits)
	}
	if d.Group != 0 {
		err = h.draftInto(c, &f, d.Group)
	}
	return f, err
}

// unfinishedEdit continues an edit of a status, whose draft has the content of f.
func (h *Pages) unfinishedEdit(c *page.Context, f Form, of linnet.ID) (Form, error) {
	old, err := h.edited(c, of.String())
	if page.IsKind(err, linnet.NotFound) {
		f.Errors[""] = c.Tr("The post you're editing was deleted. You can still post this as a new post.")
		f.narrow()
		return f, nil
	}
	if err != nil {
		return f, err
	}
	e := editForm(c, old)
	e.Text, e.Warning, e.Language, e.Poll, e.QuotePolicy, e.Draft, e.From = f.Text, f.Warning, f.Language, f.Poll, f.QuotePolicy, f.Draft, f.From
	return e, nil
}

// draftInto sets the group of a draft, or an error if the writer can't post in it anymore.
func (h *Pages) draftInto(c *page.Context, f *Form, id linnet.ID) error {
	who, err := h.View.User(c.Request.Context(), c.Me.ID, id)
	if err == nil {
		err = h.sentInto(c, f, who.Login)
		delete(f.Errors, "text") // it isn't submitted yet
		return err
	}
	if page.IsKind(err, linnet.NotFound) {
		f.Errors[""], err = c.Tr("The group was deleted, or you can no longer see it. You can still post this outside the group."), nil
		f.narrow()
	}
	return err
}

// draftMoved updates the form after its draft was changed elsewhere. The form shows the current
// draft, so that the writer replaces it only knowingly.
func (h *Pages) draftMoved(c *page.Context, f *Form, err error) error {
	was := f.From
	f.Draft, f.From = nil, linnet.DraftID{}
	if errors.Is(err, posting.ErrDraftDeleted) {
		return nil
	}
	d, err := h.Posting.Drafts.Find(c.Request.Context(), c.Me.ID, was)
	if err == nil && d != nil {
		f.Draft, f.From, f.DraftChanged = d, draftIDOf(d), true
	}
	return err
}
