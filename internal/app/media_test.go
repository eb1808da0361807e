package app_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"slices"
	"testing"
	"time"

	"linnet/internal/blob"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// aPicture returns a PNG image of the given size.
func aPicture(w, h int) []byte {
	var b bytes.Buffer
	_ = png.Encode(&b, image.NewGray(image.Rect(0, 0, w, h))) // writing to a buffer does not fail
	return b.Bytes()
}

// upload uploads an image that is just large enough to have a preview.
func (w *world) upload(me linnet.ID) (*linnet.Attachment, error) { return w.uploadOf(me, 640, 361) }

// uploadOf uploads an image of a size.
func (w *world) uploadOf(me linnet.ID, width, height int) (*linnet.Attachment, error) {
	f, err := w.Uploads.Receive(bytes.NewReader(aPicture(width, height)))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return w.Uploads.Upload(w.ctx, me, f, nil, linnet.AttachmentChange{})
}

// files returns the names of all stored files.
func (w *world) files() (names []string) {
	if err := w.Files().Walk(w.ctx, func(i blob.Info) error { names = append(names, i.Name); return nil }); err != nil {
		panic(err)
	}
	return names
}

// TestAttachmentsGo checks that unattached media expire after a day, media detached for a redraft
// after a week, also after restarts. Attached media stay.
func TestAttachmentsGo(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann := w.person("ann")
	left, kept, gone := must(w.upload(ann))(t), must(w.upload(ann))(t), must(w.upload(ann))(t)
	post := func(a *linnet.Attachment) linnet.ID {
		return must(w.Posting.Post(w.ctx, ann, linnet.Draft{Media: []linnet.ID{a.ID}}))(t).ID
	}
	post(kept)
	must(w.Posting.DeleteToRedraft(w.ctx, ann, post(gone)))(t)
	expect := func(when string, all ...*linnet.Attachment) {
		t.Helper()
		w = closes(t, e, opt)
		var want []string
		for _, a := range all {
			want = append(want, a.Files()...)
		}
		slices.Sort(want)
		if got := w.files(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
		w.check()
	}
	expect("at first", left, kept, gone)
	clock.turn(linnet.AttachmentLife - time.Hour)
	expect("before a day has passed", left, kept, gone)
	clock.turn(2 * time.Hour)
	expect("after a day", kept, gone)
	_, err := w.Uploads.Attachment(w.ctx, ann, left.ID)
	kindIs(t, err, linnet.NotFound)
	clock.turn(linnet.DetachedLife)
	expect("after a week", kept)
}

// mediaActs are actions on media, for the fault tests.
func mediaActs() map[string]faultyAct {
	return map[string]faultyAct{"attach": {
		do: func(s *stage) error {
			a, err := s.upload(s.ann)
			if err != nil {
				return err
			}
			return second(s.Posting.Post(s.ctx, s.ann, linnet.Draft{Text: "look", Media: []linnet.ID{a.ID}, IdempotencyKey: "look"}))
		},
		want: func(s *stage) string {
			found := 0
			for _, v := range s.home(s.ann, 9) {
				if v.Text != "look" {
					continue
				}
				if found++; len(v.Media) != 1 {
					return fmt.Sprintf("%d pictures", len(v.Media))
				}
				for _, name := range v.Media[0].Files() {
					f, err := s.Uploads.Open(s.ctx, name)
					if err != nil {
						return err.Error()
					}
					f.Close()
				}
			}
			return differs(fmt.Sprint(found), "1")
		},
	}}
}
