package uploads_test

import (
	"slices"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestAttachmentsGo checks that unattached media expire after a day, media detached for a redraft
// after a week, also after restarts. Attached media stay.
func TestAttachmentsGo(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann := w.Person("ann")
	left, kept, gone := apptest.Must(w.Upload(ann))(t), apptest.Must(w.Upload(ann))(t), apptest.Must(w.Upload(ann))(t)
	post := func(a *linnet.Attachment) linnet.ID {
		return apptest.Must(w.Posting.Post(w.Ctx, ann, linnet.Draft{Media: []linnet.ID{a.ID}}))(t).ID
	}
	post(kept)
	apptest.Must(w.Posting.DeleteToRedraft(w.Ctx, ann, post(gone)))(t)
	expect := func(when string, all ...*linnet.Attachment) {
		t.Helper()
		w = apptest.ServeDue(t, e, opt)
		var want []string
		for _, a := range all {
			want = append(want, a.Files()...)
		}
		slices.Sort(want)
		if got := w.FileNames(); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", when, got, want)
		}
		w.Check()
	}
	expect("at first", left, kept, gone)
	clock.Advance(linnet.AttachmentLife - time.Hour)
	expect("before a day has passed", left, kept, gone)
	clock.Advance(2 * time.Hour)
	expect("after a day", kept, gone)
	_, err := w.Uploads.Attachment(w.Ctx, ann, left.ID)
	apptest.WantKind(t, err, linnet.NotFound)
	clock.Advance(linnet.DetachedLife)
	expect("after a week", kept)
}
