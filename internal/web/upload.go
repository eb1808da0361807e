package web

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
	"linnet/internal/web/paths"
)

// sentFile is a file of a form, or why it was not taken.
type sentFile struct {
	file *uploads.File
	err  error
	name string // from the browser
}

// readParts reads a form that can contain files. Errors of a file are shown with its input, after
// the rest of the form was read.
func (c *call) readParts() error {
	most := int64(maxForm + media.MaxFilmBytes + linnet.MaxAttachments*(media.MaxBytes+1<<10))
	if c.pattern == paths.PostsImport {
		most = maxForm + c.svc.Archives.MaxImport()
	}
	c.r.Body = http.MaxBytesReader(c.w, c.r.Body, most)
	parts, err := c.r.MultipartReader()
	if err != nil {
		return &httpError{code: http.StatusBadRequest, msg: "The form data has the wrong type."}
	}
	c.r.PostForm, c.files = url.Values{}, map[string][]sentFile{}
	left := int64(maxForm)
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err == nil && part.FileName() != "" {
			err = c.receive(part)
		} else if err == nil && part.Header.Get("Content-Type") == "" { // an empty file input has a type
			var text []byte
			text, err = io.ReadAll(io.LimitReader(part, left+1))
			if left -= int64(len(text)); left < 0 {
				return errLargeForm()
			}
			c.r.PostForm.Add(part.FormName(), string(text))
		}
		var tooLarge *http.MaxBytesError
		switch {
		case errors.As(err, &tooLarge) && c.pattern == paths.PostsImport:
			return &httpError{code: http.StatusRequestEntityTooLarge, msg: "The archive is larger than %s, the maximum this server accepts. An administrator can import it from the command line or raise the limit.", args: []any{c.fileSize(c.svc.Archives.MaxImport())}}
		case errors.As(err, &tooLarge):
			return &httpError{code: http.StatusRequestEntityTooLarge, msg: "The files are larger than one video of 99 MB and four pictures of 16 MB. Upload fewer at a time."}
		case err != nil:
			return &httpError{code: http.StatusBadRequest, msg: "The form data couldn't be read."}
		}
	}
}

// receive takes in a file of a form.
func (c *call) receive(part *multipart.Part) error {
	name := part.FormName()
	if len(c.files[name]) == linnet.MaxAttachments {
		c.files[name][0].err = linnet.Errorf(linnet.Invalid, "At most %d attachments at a time.", linnet.MaxAttachments)
		return nil
	}
	take := c.svc.Uploads.Receive
	switch c.pattern {
	case paths.Imports:
		take = c.svc.Uploads.ReceiveList
	case paths.PostsImport:
		take = c.svc.Uploads.ReceiveArchive
	}
	f, err := take(part)
	if err != nil {
		_, _ = io.Copy(io.Discard, part) // the rest of a file that is too large; the body has its own limit
	}
	c.files[name] = append(c.files[name], sentFile{f, err, part.FileName()})
	return nil
}

// closeFiles forgets the files of a form.
func (c *call) closeFiles() {
	for _, all := range c.files {
		for _, f := range all {
			f.file.Close()
		}
	}
}

// attach uploads the pictures of the form, in addition to its existing ones.
func (h *composePages) attach(c *call, f *composeForm) error {
	for _, sent := range c.files["pictures"] {
		err := sent.err
		if err == nil && len(f.Media) == linnet.MaxAttachments {
			err = linnet.Errorf(linnet.Invalid, "A post can have at most %d attachments.", linnet.MaxAttachments)
		}
		if err == nil {
			err = c.countAs(core.RateMedia)
		}
		var a *linnet.Attachment
		if err == nil {
			a, err = h.uploads.Upload(c.r.Context(), c.me.ID, sent.file, nil, linnet.AttachmentChange{})
		}
		if err == nil {
			f.Media = append(f.Media, *a)
			continue
		}
		e := refusal(err)
		if e == nil {
			return err
		}
		if f.Errors["pictures"] = c.told(e); len(e.Fields) > 0 {
			f.Errors["pictures"] = c.wrong(c.tr("The file"), e.Fields[0])
		}
	}
	return nil
}

// keptPictures loads the existing pictures of the form, with their descriptions.
func (h *composePages) keptPictures(c *call, f *composeForm) error {
	in := c.r.PostForm
	for _, digits := range in["media"] {
		id, ok := linnet.ParseID(digits)
		if !ok || len(f.Media) == linnet.MaxAttachments {
			continue
		}
		alt := in.Get("alt-" + digits)
		if own, ok := f.pictureOfEdited(id); ok {
			if own.Description = alt; in.Get("drop-"+digits) == "" {
				f.Media = append(f.Media, own)
			}
			continue
		}
		if in.Get("drop-"+digits) != "" {
			if err := h.uploads.Remove(c.r.Context(), c.me.ID, id); err != nil && !isKind(err, linnet.NotFound) {
				return err
			}
			continue
		}
		a, err := h.uploads.Describe(c.r.Context(), c.me.ID, id, nil, linnet.AttachmentChange{Description: &alt})
		switch {
		case isKind(err, linnet.NotFound):
			f.Errors["pictures"] = c.tr("A picture was deleted. Choose it again.")
		case isKind(err, linnet.Invalid):
			f.Errors["pictures"] = c.told(refusal(err))
			if a, err = h.uploads.Attachment(c.r.Context(), c.me.ID, id); err == nil {
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
