package posting_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
)

// TestSuspensionWithholdsFiles checks that the files of a suspended account are withheld and return
// with it. The last of several decisions applies. Files detached for a redraft stay withheld.
func TestSuspensionWithholdsFiles(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		eve, ann := w.Person("eve"), w.Person("ann")
		left := apptest.Must(w.Upload(eve))(w)
		apptest.Must(w.Posting.DeleteToRedraft(w.Ctx, eve, apptest.Must(w.Posting.Post(w.Ctx, eve, linnet.Draft{Media: []linnet.ID{left.ID}}))(w).ID))(w)
		names, others := w.FilesOfAll(eve), apptest.Must(w.Upload(ann))(w).Files()
		w.ExpectServed("at first", names, true)
		for _, acts := range [][]linnet.Moderation{
			{linnet.Suspend}, {linnet.Unsuspend}, {linnet.Suspend, linnet.Unsuspend}, {linnet.Suspend, linnet.Unsuspend, linnet.Suspend},
			{linnet.Silence}, {linnet.Unsuspend, linnet.Suspend, linnet.Unsuspend},
		} {
			for _, act := range acts {
				w.OK(w.Moderate(linnet.Operator(), eve, act))
			}
			w.Drain()
			when := fmt.Sprintf("after %v", acts)
			w.ExpectServed(when, names, !apptest.Must(w.Store.UserNow(w.Ctx, eve))(w).Suspended)
			w.ExpectServed(when+", of a redraft", left.Files(), false)
			w.ExpectServed(when+", of another account", others, true)
			w.Check()
		}
		w.OK(w.Moderate(linnet.Operator(), eve, linnet.Suspend))
		w.Drain()
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, eve))
		w.Drain()
		if got := w.FileNames(); !slices.Equal(got, slices.Sorted(slices.Values(others))) {
			w.Errorf("after the account was deleted, files are stored: %v", got)
		}
		w.Check()
	})
}

// TestDeletionRemovesFiles checks that the files of a deleted post are deleted at once. "Delete and
// redraft" leaves them to the author only, and attaching them again publishes them.
func TestDeletionRemovesFiles(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		post := func(all ...*linnet.Attachment) linnet.StatusView {
			d := linnet.Draft{Text: "look"}
			for _, a := range all {
				d.Media = append(d.Media, a.ID)
			}
			return apptest.Must(w.Posting.Post(w.Ctx, ann, d))(w)
		}
		gone, old, new := apptest.Must(w.Upload(ann))(w), apptest.Must(w.Upload(ann))(w), apptest.Must(w.Upload(ann))(w)
		st := post(gone, old)
		apptest.Must(w.Posting.Edit(w.Ctx, ann, st.ID, linnet.Edit{Text: "other", Media: []linnet.ID{gone.ID, new.ID}}))(w)
		w.Drain()
		apptest.Must(w.Posting.Delete(w.Ctx, ann, st.ID))(w)
		if got := w.FileNames(); len(got) != 0 {
			w.Errorf("after the deletion, files are stored: %v", got)
		}
		_, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "again", Media: []linnet.ID{gone.ID}})
		apptest.WantKind(w, err, linnet.Invalid)

		a, b := apptest.Must(w.Upload(ann))(w), apptest.Must(w.Upload(ann))(w)
		st = post(a, b)
		for range 3 {
			apptest.Must(w.Posting.DeleteToRedraft(w.Ctx, ann, st.ID))(w)
			w.ExpectServed("left for a redraft", append(a.Files(), b.Files()...), false)
			st = post(a)
			w.ExpectServed("attached again", a.Files(), true)
			w.Drain()
			w.ExpectServed("after all tasks", a.Files(), true)
			w.ExpectServed("not attached again", b.Files(), false)
			w.Check()
		}
		apptest.Must(w.Posting.Delete(w.Ctx, ann, st.ID))(w)
		w.OK(w.Uploads.Remove(w.Ctx, ann, b.ID))
		if got := w.FileNames(); len(got) != 0 {
			w.Errorf("in the end, files are stored: %v", got)
		}
		w.Drain()
		w.Check()
	})
}

// TestTasksFinishDeletions checks that tasks complete a deletion after a crash right behind its
// transaction.
func TestTasksFinishDeletions(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.Idle(t, e, store.Options{})
	ann := w.Person("ann")
	gone, left := apptest.Must(w.Upload(ann))(w), apptest.Must(w.Upload(ann))(w)
	for _, a := range []*linnet.Attachment{gone, left} {
		st := apptest.Must(w.Posting.Post(w.Ctx, ann, linnet.Draft{Media: []linnet.ID{a.ID}}))(w)
		erase := apptest.Must(task.New(ann.Shard(), "erase", map[string]any{"status": st.ID, "by": ann}, w.Store.Now().Add(-time.Hour)))(t)
		if !apptest.Must(w.Store.Statuses.DeleteStatus(w.Ctx, apptest.Must(w.Store.Statuses.Status(w.Ctx, st.ID))(t), nil, a == left, erase))(t) {
			t.Fatal("not deleted")
		}
	}
	w = apptest.ServeDue(t, e, store.Options{})
	w.ExpectServed("left for a redraft", left.Files(), false)
	if got, want := w.FileNames(), slices.Sorted(slices.Values(left.Files())); !slices.Equal(got, want) {
		t.Errorf("files are stored: %v, want %v", got, want)
	}
	w.Check()
}
