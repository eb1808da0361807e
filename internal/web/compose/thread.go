package compose

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// CanBeThread reports whether more posts can be added to the form. Messages and posts in groups
// have only one post.
func (f Form) CanBeThread() bool {
	return f.Edit == nil && f.Plan == nil && f.Redraft == 0 && f.Group == nil && len(f.To) == 0 && !f.InConversation && f.Then != "talk" &&
		(f.ReplyTo == nil || f.ReplyTo.Visibility != linnet.Direct)
}

func threadPath(name string) string { return paths.Compose + "?thread=" + url.QueryEscape(name) }

// thread shows the composer below the parts of a thread.
func (h *Pages) thread(c *page.Context, name string) error {
	f, err := h.threadForm(c, name)
	if err != nil {
		return err
	}
	if f.Thread == "" { // it was posted or deleted
		return c.Redirect(paths.Compose)
	}
	for _, r := range SaveResults() {
		if r.done == c.Request.URL.Query().Get("done") {
			f.Errors[""] = c.Tr(r.Text)
		}
	}
	return h.Show(c, http.StatusOK, f)
}

// threadForm returns the form for the next part of a thread, or with its last part if that is
// unfinished. Without parts it isn't a thread.
func (h *Pages) threadForm(c *page.Context, name string) (Form, error) {
	parts, err := h.Posting.Threads.Parts(c.Request.Context(), c.Me.ID, name)
	if err != nil || len(parts) == 0 {
		return New(c), err
	}
	last := parts[len(parts)-1]
	if last.Part == 0 {
		return h.draftForm(c, last.ID.String())
	}
	f := New(c)
	f.Thread, f.Visibility, f.Language, f.Warning, f.QuotePolicy = name, *last.Draft.Visibility, last.Draft.Language, last.Draft.Warning, *last.Draft.QuotePolicy
	if to := parts[0].Draft.InReplyTo; to != 0 {
		_, err = h.takeAnswered(c, &f, to)
	}
	return f, err
}

// loadParts loads the other parts of the thread. The first part determines the audience.
func (h *Pages) loadParts(c *page.Context, f *Form) error {
	if f.Thread == "" {
		return nil
	}
	parts, err := h.Posting.Threads.Parts(c.Request.Context(), c.Me.ID, f.Thread)
	if err != nil {
		return fmt.Errorf("read the parts of a thread: %w", err)
	}
	f.Parts, f.Position = nil, len(parts)
	for _, p := range parts {
		if p.ID == f.From.ID || f.From.ID == 0 && p.Draft.IdempotencyKey == f.Key {
			f.Position = len(f.Parts)
			continue
		}
		f.Parts = append(f.Parts, draftRow{Scheduled: p})
	}
	if f.Position = min(f.Position, len(f.Parts)); f.Position > 0 {
		f.Visibility = *f.Parts[0].Draft.Visibility
	}
	return nil
}

// saveOpen saves the text of the composer as an unfinished part. A part that is empty now is
// deleted.
func (h *Pages) saveOpen(c *page.Context, f *Form) error {
	if !f.Nothing() {
		_, _, err := h.Posting.Drafts.Save(c.Request.Context(), c.Me.ID, f.Unfinished())
		return err
	}
	if f.Draft == nil {
		return nil
	}
	err := h.Posting.Drafts.Delete(c.Request.Context(), c.Me.ID, f.From)
	if page.IsKind(err, linnet.NotFound) {
		return nil
	}
	return err
}

// leavePart saves the text of the composer, and opens or deletes another part.
func (h *Pages) leavePart(c *page.Context, f Form, do, name string) error {
	part := draftNamed(name)
	if err := h.saveOpen(c, &f); err != nil {
		return h.refusedPost(c, f, err)
	}
	if do == "edit" {
		return c.Redirect(paths.Compose + "?draft=" + part.ID.String())
	}
	if err := h.Posting.Drafts.Delete(c.Request.Context(), c.Me.ID, part); err != nil && !page.IsKind(err, linnet.NotFound) {
		return h.refusedPost(c, f, err)
	}
	return c.Redirect(threadPath(f.Thread))
}

// sendThread saves the form as a part of its thread, and opens an empty composer for another part
// or posts them all.
func (h *Pages) sendThread(c *page.Context, f Form) error {
	started, empty := f.Thread != "", f.Nothing()
	if err := h.loadParts(c, &f); err != nil {
		return err
	}
	if empty && (f.Adding || len(f.Parts) == 0 && f.Draft != nil) {
		f.Errors["text"] = c.Tr("Write something first.")
		return h.Show(c, http.StatusUnprocessableEntity, f)
	}
	if empty {
		if err := h.saveOpen(c, &f); err != nil {
			return h.refusedPost(c, f, err)
		}
	} else {
		in := f.Unfinished()
		if !started {
			in.Thread = f.Key
		}
		sc, as, err := h.Posting.Threads.Add(c.Request.Context(), c.Me.ID, in)
		done := SaveResults()[as].done
		switch {
		case err != nil:
			return h.refusedPost(c, f, err)
		case f.Adding && sc == nil:
			return c.Redirect(ui.WithDone(paths.Drafts, done))
		case as == posting.SavedSeparately, f.Adding && as != posting.SavedHere: // otherwise both versions would be posted
			return c.Redirect(threadPath(in.Thread) + "&done=" + done)
		case f.Adding:
			return c.Redirect(threadPath(in.Thread))
		case sc != nil:
			f.Draft, f.From = sc, draftIDOf(sc)
		}
	}
	st, err := h.Posting.Threads.Post(c.Request.Context(), c.Me.ID, f.Thread, f.Key)
	if err != nil {
		return h.refusedThread(c, f, err)
	}
	return c.Redirect(paths.Post(st) + "#p" + st.ID.String())
}

// refusedThread shows the composer of a thread again with the error of the refused part.
func (h *Pages) refusedThread(c *page.Context, f Form, err error) error {
	var part *posting.PartError
	if !errors.As(err, &part) || part.Posted == 0 && part.Draft == f.From.ID {
		return h.refusedPost(c, f, err)
	}
	e := page.Refusal(part.Err)
	if e == nil {
		return fmt.Errorf("post a thread: %w", err)
	}
	reason := c.ErrorText(e)
	if len(e.Fields) > 0 && e.Fields[0].Name == "in_reply_to_id" {
		reason = c.Tr("The post you're replying to was deleted, or you can no longer see it.")
	} else if len(e.Fields) > 0 {
		reason = c.FieldErrorText(draftFields(c)[e.Fields[0].Name].Subject, e.Fields[0])
	}
	if part.Posted > 0 { // the form continues the rest
		if f, err = h.threadForm(c, f.Thread); err != nil {
			return err
		}
		f.Errors[""] = c.Tr("We posted %d of %d posts. The next post couldn't be posted: %s", part.Posted, part.Total, reason)
	} else {
		f.Errors[""] = c.Tr("Post %d: %s", part.Number, reason)
	}
	page.SetRetryAfter(c.Writer.Header(), e)
	return h.Show(c, page.StatusCode(e.Kind), f)
}
