package compose

import (
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

// keptPictures loads the attached pictures of the form, with their descriptions.
func (h *Pages) keptPictures(c *page.Context, f *Form) error {
	in := c.Request.PostForm
	for _, digits := range in["media"] {
		id, ok := linnet.ParseID(digits)
		if !ok || len(f.Media) == linnet.MaxAttachments {
			continue
		}
		alt := in.Get("alt-" + digits)
		if own, ok := f.PictureOfEdited(id); ok {
			if own.Description = alt; in.Get("drop-"+digits) == "" {
				f.Media = append(f.Media, own)
			}
			continue
		}
		if in.Get("drop-"+digits) != "" {
			if err := h.Uploads.Remove(c.Request.Context(), c.Me.ID, id); err != nil && !page.IsKind(err, linnet.NotFound) {
				return err
			}
			continue
		}
		a, err := h.Uploads.Describe(c.Request.Context(), c.Me.ID, id, nil, linnet.AttachmentChange{Description: &alt})
		switch {
		case page.IsKind(err, linnet.NotFound):
			f.Errors["pictures"] = c.Tr("A picture was deleted. Choose it again.")
		case page.IsKind(err, linnet.Invalid):
			f.Errors["pictures"] = c.ErrorText(page.Refusal(err))
			if a, err = h.Uploads.Attachment(c.Request.Context(), c.Me.ID, id); err == nil {
				a.Description = alt // as it was typed
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
