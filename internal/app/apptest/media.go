package apptest

import (
	"bytes"
	"image"
	"image/png"
	"linnet/internal/blob"
	"linnet/internal/linnet"
)

// Picture returns a PNG image of the given size.
func Picture(w, h int) []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))) // writing to a buffer does not fail
	return b.Bytes()
}

// Upload uploads an image that is just large enough to have a preview.
func (w *World) Upload(me linnet.ID) (*linnet.Attachment, error) { return w.uploadOf(me, 640, 361) }

// uploadOf uploads an image of a size.
func (w *World) uploadOf(me linnet.ID, width, height int) (*linnet.Attachment, error) {
	f, err := w.Uploads.Receive(bytes.NewReader(Picture(width, height)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return w.Uploads.Upload(w.Ctx, me, f, nil, linnet.AttachmentChange{})
}

// Files returns the names of all stored files.
func (w *World) FileNames() (names []string) {
	if err := w.App.Files().Walk(w.Ctx, func(i blob.Info) error { names = append(names, i.Name); return nil }); err != nil {
		panic(err)
	}
	return names
}
