package app_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/store"
	"linnet/internal/task"
)

// expectServed checks that all of the named files are served to anyone, or none.
func (w *world) expectServed(when string, names []string, want bool) {
	w.Helper()
	for _, name := range names {
		f, err := w.Uploads.Open(w.ctx, name)
		if err == nil {
			f.Close()
		} else {
			kindIs(w, err, linnet.NotFound)
		}
		if (err == nil) != want {
			w.Errorf("%s: %s is sent: %v, want %v", when, name, err == nil, want)
		}
	}
}

// filesOfAll gives a user files of every kind, and returns the names of the visible ones.
func (w *world) filesOfAll(me linnet.ID) (names []string) {
	w.Helper()
	for _, shape := range []media.Shape{media.Avatar, media.Banner} {
		f := must(w.Uploads.Receive(bytes.NewReader(aPicture(60, 50))))(w)
		w.did(w.Social.Profiles.SetPicture(w.ctx, me, shape, f))
		f.Close()
	}
	u := must(w.store.UserNow(w.ctx, me))(w)
	names = append(names, u.Avatar, u.Banner)
	add := func() linnet.ID {
		a := must(w.uploadOf(me, 60, 50))(w) // without a preview, which takes long with the race detector
		names = append(names, a.Files()...)
		return a.ID
	}
	add() // unattached
	for _, v := range []linnet.Visibility{linnet.Public, linnet.Private, linnet.Direct} {
		large := must(w.upload(me))(w)
		names = append(names, large.Files()...)
		must(w.Posting.Post(w.ctx, me, linnet.Draft{Text: "look", Visibility: &v, Media: []linnet.ID{add(), large.ID}}))(w)
	}
	edited := must(w.Posting.Post(w.ctx, me, linnet.Draft{Text: "before", Media: []linnet.ID{add()}}))(w)
	must(w.Posting.Edit(w.ctx, me, edited.ID, linnet.Edit{Text: "after", Media: []linnet.ID{add()}}))(w)
	must(w.Posting.Scheduled.Create(w.ctx, me, linnet.Draft{Text: "later", Media: []linnet.ID{add()}}, w.store.Now().Add(time.Hour)))(w)
	w.draft(me, linnet.Draft{Text: "unfinished", Media: []linnet.ID{add()}})
	for i := range 120 { // more than one batch
		w.post(me, "words %d", i)
	}
	return names
}

// TestSuspensionWithholdsFiles checks that the files of a suspended account are withheld and return
// with it. The last of several decisions applies. Files detached for a redraft stay withheld.
func TestSuspensionWithholdsFiles(t *testing.T) {
	onEngines(t, func(w *world) {
		eve, ann := w.person("eve"), w.person("ann")
		left := must(w.upload(eve))(w)
		must(w.Posting.DeleteToRedraft(w.ctx, eve, must(w.Posting.Post(w.ctx, eve, linnet.Draft{Media: []linnet.ID{left.ID}}))(w).ID))(w)
		names, others := w.filesOfAll(eve), must(w.upload(ann))(w).Files()
		w.expectServed("at first", names, true)
		for _, acts := range [][]linnet.Moderation{
			{linnet.Suspend}, {linnet.Unsuspend}, {linnet.Suspend, linnet.Unsuspend}, {linnet.Suspend, linnet.Unsuspend, linnet.Suspend},
			{linnet.Silence}, {linnet.Unsuspend, linnet.Suspend, linnet.Unsuspend},
		} {
			for _, act := range acts {
				w.did(w.moderate(linnet.Operator(), eve, act))
			}
			w.drain()
			when := fmt.Sprintf("after %v", acts)
			w.expectServed(when, names, !must(w.store.UserNow(w.ctx, eve))(w).Suspended)
			w.expectServed(when+", of a redraft", left.Files(), false)
			w.expectServed(when+", of another account", others, true)
			w.check()
		}
		w.did(w.moderate(linnet.Operator(), eve, linnet.Suspend))
		w.drain()
		w.did(w.Social.Deletion.DeleteUser(w.ctx, eve))
		w.drain()
		if got := w.files(); !slices.Equal(got, slices.Sorted(slices.Values(others))) {
			w.Errorf("after the account was deleted, files are stored: %v", got)
		}
		w.check()
	})
}

// TestDeletionRemovesFiles checks that the files of a deleted post are deleted at once. "Delete and
// redraft" leaves them to the author only, and attaching them again publishes them.
func TestDeletionRemovesFiles(t *testing.T) {
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		post := func(all ...*linnet.Attachment) linnet.StatusView {
			d := linnet.Draft{Text: "look"}
			for _, a := range all {
				d.Media = append(d.Media, a.ID)
			}
			return must(w.Posting.Post(w.ctx, ann, d))(w)
		}
		gone, old, new := must(w.upload(ann))(w), must(w.upload(ann))(w), must(w.upload(ann))(w)
		st := post(gone, old)
		must(w.Posting.Edit(w.ctx, ann, st.ID, linnet.Edit{Text: "other", Media: []linnet.ID{gone.ID, new.ID}}))(w)
		w.drain()
		must(w.Posting.Delete(w.ctx, ann, st.ID))(w)
		if got := w.files(); len(got) != 0 {
			w.Errorf("after the deletion, files are stored: %v", got)
		}
		_, err := w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "again", Media: []linnet.ID{gone.ID}})
		kindIs(w, err, linnet.Invalid)

		a, b := must(w.upload(ann))(w), must(w.upload(ann))(w)
		st = post(a, b)
		for range 3 {
			must(w.Posting.DeleteToRedraft(w.ctx, ann, st.ID))(w)
			w.expectServed("left for a redraft", append(a.Files(), b.Files()...), false)
			st = post(a)
			w.expectServed("attached again", a.Files(), true)
			w.drain()
			w.expectServed("after all tasks", a.Files(), true)
			w.expectServed("not attached again", b.Files(), false)
			w.check()
		}
		must(w.Posting.Delete(w.ctx, ann, st.ID))(w)
		w.did(w.Uploads.Remove(w.ctx, ann, b.ID))
		if got := w.files(); len(got) != 0 {
			w.Errorf("in the end, files are stored: %v", got)
		}
		w.drain()
		w.check()
	})
}

// TestTasksFinishDeletions checks that tasks complete a deletion after a crash right behind its
// transaction.
func TestTasksFinishDeletions(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := idleWorld(t, e, store.Options{})
	ann := w.person("ann")
	gone, left := must(w.upload(ann))(w), must(w.upload(ann))(w)
	for _, a := range []*linnet.Attachment{gone, left} {
		st := must(w.Posting.Post(w.ctx, ann, linnet.Draft{Media: []linnet.ID{a.ID}}))(w)
		erase := must(task.New(ann.Shard(), "erase", map[string]any{"status": st.ID, "by": ann}, w.store.Now().Add(-time.Hour)))(t)
		if !must(w.store.Statuses.DeleteStatus(w.ctx, must(w.store.Statuses.Status(w.ctx, st.ID))(t), nil, a == left, erase))(t) {
			t.Fatal("not deleted")
		}
	}
	w = closes(t, e, store.Options{})
	w.expectServed("left for a redraft", left.Files(), false)
	if got, want := w.files(), slices.Sorted(slices.Values(left.Files())); !slices.Equal(got, want) {
		t.Errorf("files are stored: %v, want %v", got, want)
	}
	w.check()
}
