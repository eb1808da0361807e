package compose

import (
	"fmt"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/uploads"
	"linnet/internal/web/page"
)

// redraftForm returns the form for a redraft: a new post that replaces a deleted one.
func (h *Pages) redraftForm(c *page.Context, old linnet.StatusView) (Form, error) {
	f := New(c)
	f.Text, f.Warning, f.Visibility, f.Language, f.Redraft = old.Text, old.Warning, old.Visibility, old.Language, old.ID
	f.Media = old.Media
	f.Poll = pollLike(&old.Status)
	f.QuotePolicy, f.Quote = old.QuotePolicy, old.Quote.Shown()
	if old.InReplyTo != 0 {
		if gone, err := h.takeAnswered(c, &f, old.InReplyTo); !gone {
			return f, err
		}
	}
	if old.ForMembers() { // its audience can't read the new post
		return f, h.draftInto(c, &f, old.Group)
	}
	return f, nil
}

// checkReplacement returns the error that posting the replacement of a status would return, before
// the status is deleted. It doesn't check rate limits.
func (h *Pages) checkReplacement(c *page.Context, f *Form, d linnet.Draft) error {
	var at *time.Time // nil for now
	if f.Schedule != "" {
		t := scheduleTime(c, f.Schedule)
		at = &t
	}
	if err := h.Posting.Scheduled.Check(c.Request.Context(), c.Me.ID, d, at); err != nil {
		return err
	}
	return uploads.Check(f.Media)
}

// sentRedraft sets the redrafted status of the form, if it still exists.
func (h *Pages) sentRedraft(c *page.Context, f *Form, digits string) error {
	if digits == "" {
		return nil
	}
	old, err := h.Posts.StatusNamed(c, digits)
	if page.IsKind(err, linnet.NotFound) || err == nil && old.Author != c.Me.ID {
		return nil
	}
	f.Redraft, f.Old = old.ID, &old
	return err
}

// freePictures deletes the redrafted status if it has pictures, so that the new one can use them.
// checkReplacement must have been called.
func (h *Pages) freePictures(c *page.Context, f *Form, d linnet.Draft) error {
	if f.Old == nil || len(f.Old.Media) == 0 {
		return nil
	}
	if err := h.checkReplacement(c, f, d); err != nil {
		return err
	}
	if _, err := h.Posting.DeleteToRedraft(c.Request.Context(), c.Me.ID, f.Old.ID); err != nil && !page.IsKind(err, linnet.NotFound) {
		return err
	}
	if err := h.describeFreed(c, f); err != nil {
		return err
	}
	f.Marked = f.Old.Sensitive && f.Old.Warning == ""
	f.Redraft, f.Old = 0, nil
	return nil
}

// replace deletes the redrafted status. Its replacement is st, or 0 if that is scheduled.
func (h *Pages) replace(c *page.Context, f Form, st linnet.ID) error {
	if f.Redraft == 0 || f.Redraft == st {
		return nil
	}
	if _, err := h.Posting.Delete(c.Request.Context(), c.Me.ID, f.Redraft); err != nil && !page.IsKind(err, linnet.NotFound) {
		return fmt.Errorf("delete the redrafted post: %w", err)
	}
	return nil
}

// describeFreed sets the new descriptions and focus of the replaced status's pictures.
func (h *Pages) describeFreed(c *page.Context, f *Form) error {
	for _, a := range f.Media {
		if _, own := f.PictureOfEdited(a.ID); !own {
			continue
		}
		if _, err := h.Uploads.Describe(c.Request.Context(), c.Me.ID, a.ID, nil, linnet.AttachmentChange{Description: &a.Description, Focus: &a.Focus}); err != nil && !page.IsKind(err, linnet.NotFound) {
			return err
		}
	}
	return nil
}
