package apptest

import (
	"bytes"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"time"
)

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
			w.Errorf("%s: %s is sent: %v, want %v", when, name, err == nil, want)
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
