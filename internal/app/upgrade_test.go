package app_test

import (
	"bytes"
	"slices"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// asBefore changes an account like an earlier release, which left its files and the public
// timelines unchanged.
func asBefore(w *apptest.World, on linnet.ID, change func(*linnet.User)) {
	w.Helper()
	_, ok, err := w.Store.Accounts.ModerateUser(w.Ctx, on, task.Task{}, func(u *linnet.User) error { change(u); return nil })
	if w.OK(err); !ok {
		w.Fatal("no such account")
	}
	w.OK(w.Store.Accounts.IndexUser(w.Ctx, on))
	w.OK(w.Store.Accounts.IndexDirectory(w.Ctx, on))
}

// A start after an upgrade withholds the files of accounts that an earlier release suspended, and
// removes the statuses of suspended and silenced accounts from public timelines. It does so once.
func TestUpgradeRechecksModeratedAccounts(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.New(t, e)
	people := w.People(4)
	suspended, silenced, both, ann := people[0], people[1], people[2], people[3]
	var offline []string
	for _, id := range []linnet.ID{suspended, both} {
		offline = append(offline, w.FilesOfAll(id)...)
	}
	online := append(w.FilesOfAll(silenced), w.FilesOfAll(ann)...)
	for _, id := range w.PeopleNamed("other", 120) { // more than one batch
		asBefore(w, id, func(u *linnet.User) { u.Suspended = true })
	}
	var hers []linnet.ID
	for _, id := range people {
		st := w.Post(id, "#tag").ID
		if id == ann {
			hers = append(hers, st)
		}
	}
	w.Drain()
	asBefore(w, suspended, func(u *linnet.User) { u.Suspended = true })
	asBefore(w, silenced, func(u *linnet.User) { u.Silenced = true })
	asBefore(w, both, func(u *linnet.User) { u.Suspended, u.Silenced = true, true })
	w.ExpectServed("before the upgrade", offline, true)
	w.OK(e.Apply(w.Ctx, kv.Delete{Key: record.RecheckedMarkKey()}))

	w.OK(w.Upgrade(w.Ctx))
	w.Drain()
	w.ExpectServed("after the upgrade", offline, false)
	w.ExpectServed("after the upgrade, of other accounts", online, true)
	apptest.Equal(w, "tag", w.Listed("tag"), hers)
	for _, id := range w.Listed("public") {
		if by := apptest.Must(w.Store.Statuses.Status(w.Ctx, id))(w).Author; by != ann {
			t.Errorf("the public timeline has a status by %d", by)
		}
	}
	w.Check()

	asBefore(w, ann, func(u *linnet.User) { u.Suspended = true })
	w.OK(w.Upgrade(w.Ctx))
	w.Drain()
	w.ExpectServed("at the second start", online, true)
}

// A new store needs no such task.
func TestUpgradeOfNewStore(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := apptest.Idle(t, e, store.Options{})
	w.OK(w.Store.Instance.CheckFormat(w.Ctx))
	w.OK(w.Upgrade(w.Ctx))
	if waiting := apptest.Must(task.List(w.Ctx, e, false, 10))(t); len(waiting) != 0 {
		t.Errorf("tasks: %+v", waiting)
	}
}

// TestUploadsDuringSuspension checks that files stored during the suspension of their account are
// withheld in the end.
func TestUploadsDuringSuspension(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		eve := w.Person("eve")
		before := apptest.Must(w.Upload(eve))(w)
		w.OK(w.Moderate(linnet.Operator(), eve, linnet.Suspend))
		w.Drain()
		f := apptest.Must(w.Uploads.Receive(bytes.NewReader(apptest.Picture(60, 50))))(w)
		defer f.Close()
		for _, shape := range []media.Shape{media.Avatar, media.Banner} { // like requests that were authorized before the suspension
			w.OK(w.Social.Profiles.SetPicture(w.Ctx, eve, shape, f))
		}
		a := apptest.Must(w.Uploads.Upload(w.Ctx, eve, f, f, linnet.AttachmentChange{}))(w)
		b := apptest.Must(w.Uploads.Describe(w.Ctx, eve, before.ID, f, linnet.AttachmentChange{}))(w)
		u := apptest.Must(w.Store.UserNow(w.Ctx, eve))(w)
		names := slices.Concat(a.Files(), b.Files(), []string{u.Avatar, u.Banner})
		w.ExpectServed("while suspended", names, false)
		w.OK(w.Moderate(linnet.Operator(), eve, linnet.Unsuspend))
		w.Drain()
		w.ExpectServed("afterwards", names, true)
		w.Check()
	})
}
