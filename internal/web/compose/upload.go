package compose

import (
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// Attach uploads the pictures of the form, in addition to its existing ones.
func (h *Pages) Attach(c *page.Context, f *Form) error {
	for _, sent := range c.Files["pictures"] {
		err := sent.Err
		if err == nil && len(f.Media) == linnet.MaxAttachments {
			err = linnet.Errorf(linnet.Invalid, "A post can have at most %d attachments.", linnet.MaxAttachments)
		}
		if err == nil {
			err = c.CountAs(core.RateMedia)
		}
		var a *linnet.Attachment
		if err == nil {
			a, err = h.Uploads.Upload(c.Request.Context(), c.Me.ID, sent.File, nil, linnet.AttachmentChange{})
		}
		if err == nil {
			f.Media = append(f.Media, *a)
			continue
		}
		e := page.Refusal(err)
		if e == nil {
			return err
		}
		if f.Errors["pictures"] = c.ErrorText(e); len(e.Fields) > 0 {
			f.Errors["pictures"] = c.FieldErrorText(c.Tr("The file"), e.Fields[0])
		}
	}
	return nil
}

// attachedPictures loads the attached pictures of the form, with their descriptions, without the
// one that the writer removes.
func (h *Pages) attachedPictures(c *page.Context, f *Form) error {
	in := c.Request.PostForm
	for _, digits := range in["media"] {
		id, ok := linnet.ParseID(digits)
		if !ok || len(f.Media) == linnet.MaxAttachments {
			continue
		}
		change, drop := sentChange(in, digits), in.Get("do") == "drop "+digits
		if own, ok := f.PictureOfEdited(id); ok {
			if own.Description = *change.Description; change.Focus != nil {
				own.Focus = *change.Focus
			}
			if !drop {
				f.Media = append(f.Media, own)
			}
			continue
		}
		if drop {
			if err := h.Uploads.Remove(c.Request.Context(), c.Me.ID, id); err != nil && !page.IsKind(err, linnet.NotFound) {
				return err
			}
			continue
		}
		a, err := h.Uploads.Describe(c.Request.Context(), c.Me.ID, id, nil, change)
		switch {
		case page.IsKind(err, linnet.NotFound):
			f.Errors["pictures"] = c.Tr("A picture was deleted. Choose it again.")
		case page.IsKind(err, linnet.Invalid):
			f.Errors["pictures"] = c.ErrorText(page.Refusal(err))
			if a, err = h.Uploads.Attachment(c.Request.Context(), c.Me.ID, id); err == nil {
				a.Description = *change.Description // as it was typed
				f.Media = append(f.Media, *a)
			}
		case err != nil:
			return err
		default:
			f.Media = append(f.Media, *a)
		}
	}
	return nil
}

// arrange moves an attachment by one position, or opens the first missing description.
func (f *Form) arrange(do, digits string) {
	id, _ := linnet.ParseID(digits)
	at := slices.IndexFunc(f.Media, func(a linnet.Attachment) bool { return a.ID == id })
	switch {
	case do == "attach":
		f.Describe = f.undescribed()
	case do == "earlier" && at > 0:
		f.Media[at-1], f.Media[at] = f.Media[at], f.Media[at-1]
	case do == "later" && at >= 0 && at < len(f.Media)-1:
		f.Media[at+1], f.Media[at] = f.Media[at], f.Media[at+1]
	}
}

// undescribed returns the first attachment without a description, or 0.
func (f *Form) undescribed() linnet.ID {
	for _, a := range f.Media {
		if strings.TrimSpace(a.Description) == "" {
			return a.ID
		}
	}
	return 0
}
