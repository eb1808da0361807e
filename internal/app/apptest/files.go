package apptest

import (
	"bytes"
	"image"
	"image/png"
	"path/filepath"
	"testing"
	"time"

	"linnet/internal/blob"
	"linnet/internal/linnet"
	"linnet/internal/media"
)

// Files returns the media store of a test. It is the same for each call, so that a restarted server
// finds its files.
func Files(t testing.TB) blob.Store {
	t.Helper()
	d, err := blob.NewDir(filepath.Join(filepath.Dir(t.TempDir()), "media"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

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

// ExpectServed checks that all of the named files are served to anyone, or none.
func (w *World) ExpectServed(when string, names []string, want bool) {
	w.Helper()
	for _, name := range names {
		f, err := w.Uploads.Open(w.Ctx, name)
		if err == nil {
			f.Close()
		} else {
			WantKind(w, err, linnet.NotFound)
		}
		if (err == nil) != want {
			w.Errorf("%s: the server sends %s: %v, want %v", when, name, err == nil, want)
		}
	}
}

// FilesOfAll gives a user files of every kind, and returns the names of the visible ones.
func (w *World) FilesOfAll(me linnet.ID) (names []string) {
	w.Helper()
	for _, shape := range []media.Shape{media.Avatar, media.Banner} {
		f := Must(w.Uploads.Receive(bytes.NewReader(Picture(60, 50))))(w)
		w.OK(w.Social.Profiles.SetPicture(w.Ctx, me, shape, f))
		f.Close()
	}
	u := Must(w.Store.UserNow(w.Ctx, me))(w)
	names = append(names, u.Avatar, u.Banner)
	add := func() linnet.ID {
		a := Must(w.uploadOf(me, 60, 50))(w) // without a preview, which takes long with the race detector
		names = append(names, a.Files()...)
		return a.ID
	}
	add() // unattached
	for _, v := range []linnet.Visibility{linnet.Public, linnet.Private, linnet.Direct} {
		large := Must(w.Upload(me))(w)
		names = append(names, large.Files()...)
		Must(w.Posting.Post(w.Ctx, me, linnet.Draft{Text: "look", Visibility: &v, Media: []linnet.ID{add(), large.ID}}))(w)
	}
	edited := Must(w.Posting.Post(w.Ctx, me, linnet.Draft{Text: "before", Media: []linnet.ID{add()}}))(w)
	Must(w.Posting.Edit(w.Ctx, me, edited.ID, linnet.Edit{Text: "after", Media: []linnet.ID{add()}}))(w)
	Must(w.Posting.Scheduled.Create(w.Ctx, me, linnet.Draft{Text: "later", Media: []linnet.ID{add()}}, w.Store.Now().Add(time.Hour)))(w)
	w.Draft(me, linnet.Draft{Text: "unfinished", Media: []linnet.ID{add()}})
	for i := range 120 { // more than one batch
		w.Post(me, "words %d", i)
	}
	return names
}
