package web

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/uploads"
)

// Statuses that are written anew, in the place of what was posted.

// redraftForm holds a status's own text, to be posted in its place.
func (c *call) redraftForm(old linnet.StatusView) (composeForm, error) {
	f := c.newForm()
	f.Text, f.Warning, f.Visibility, f.Language, f.Redraft = old.Text, old.Warning, old.Visibility, old.Language, old.ID
	f.Media = old.Media
	f.Poll = pollAnew(&old.Status)
	f.QuotePolicy, f.Quote = old.QuotePolicy, old.Quote.Shown()
	if old.InReplyTo != 0 {
		if gone, err := c.takeAnswered(&f, old.InReplyTo); !gone {
			return f, err
		}
	}
	if old.ForMembers() { // and nobody else is to read it now
		return f, c.draftInto(&f, old.Group)
	}
	return f, nil
}

// checkAnew says what would be refused of what takes the place of something that is deleted for it,
// but for limits on how many posts there may be.
func (c *call) checkAnew(f *composeForm, d linnet.Draft) error {
	if err := c.svc.Posting.Check(c.r.Context(), c.me.ID, d, c.scheduledFor(f)); err != nil {
		return err
	}
	return uploads.Check(f.Media)
}

// sentRedraft takes over which status is written anew, if that is there still.
func (c *call) sentRedraft(f *composeForm, digits string) error {
	if digits == "" {
		return nil
	}
	old, err := c.statusNamed(digits)
	if isKind(err, linnet.NotFound) || err == nil && old.Author != c.me.ID {
		return nil
	}
	f.Redraft, f.Old = old.ID, &old
	return err
}

// freePictures deletes the status that is written anew, if it has pictures: until then
// they are its own. What would be refused of the new one is refused before, see checkAnew.
func (c *call) freePictures(f *composeForm, d linnet.Draft) error {
	if f.Old == nil || len(f.Old.Media) == 0 {
		return nil
	}
	if err := c.checkAnew(f, d); err != nil {
		return err
	}
	if _, err := c.svc.Posting.DeleteToRedraft(c.r.Context(), c.me.ID, f.Old.ID); err != nil && !isKind(err, linnet.NotFound) {
		return err
	}
	if err := c.describeFreed(f); err != nil {
		return err
	}
	f.Marked = f.Old.Sensitive && f.Old.Warning == ""
	f.Redraft, f.Old = 0, nil
	return nil
}

// replace deletes the status that was written anew, once what takes its place is posted as st, or
// scheduled (0).
func (c *call) replace(f composeForm, st linnet.ID) error {
	if f.Redraft == 0 || f.Redraft == st {
		return nil
	}
	if _, err := c.svc.Posting.DeleteStatus(c.r.Context(), c.me.ID, f.Redraft); err != nil && !isKind(err, linnet.NotFound) {
		return fmt.Errorf("delete the redrafted post: %w", err)
	}
	return nil
}

// describeFreed says of pictures that belonged to what the form replaces what it says of them.
func (c *call) describeFreed(f *composeForm) error {
	for _, a := range f.Media {
		if _, own := f.pictureOfEdited(a.ID); !own {
			continue
		}
		if _, err := c.svc.Uploads.Describe(c.r.Context(), c.me.ID, a.ID, nil, linnet.AttachmentChange{Description: &a.Description}); err != nil && !isKind(err, linnet.NotFound) {
			return err
		}
	}
	return nil
}
