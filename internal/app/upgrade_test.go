package app_test

import (
	"bytes"
	"slices"
	"testing"

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
func (w *world) asBefore(on linnet.ID, change func(*linnet.User)) {
	w.Helper()
	_, ok, err := w.store.Accounts.ModerateUser(w.ctx, on, task.Task{}, func(u *linnet.User) error { change(u); return nil })
	if w.did(err); !ok {
		w.Fatal("no such account")
	}
	w.did(w.store.Accounts.IndexUser(w.ctx, on))
	w.did(w.store.Accounts.IndexDirectory(w.ctx, on))
}

// A start after an upgrade withholds the files of accounts that an earlier release suspended, and
// removes the statuses of suspended and silenced accounts from public timelines. It does so once.
func TestUpgradeRechecksModeratedAccounts(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := newWorld(t, e)
	people := w.people(4)
	suspended, silenced, both, ann := people[0], people[1], people[2], people[3]
	var offline []string
	for _, id := range []linnet.ID{suspended, both} {
		offline = append(offline, w.filesOfAll(id)...)
	}
	online := append(w.filesOfAll(silenced), w.filesOfAll(ann)...)
	for _, id := range w.peopleNamed("other", 120) { // more than one batch
		w.asBefore(id, func(u *linnet.User) { u.Suspended = true })
	}
	var hers []linnet.ID
	for _, id := range people {
		st := w.post(id, "#tag").ID
		if id == ann {
			hers = append(hers, st)
		}
	}
	w.drain()
	w.asBefore(suspended, func(u *linnet.User) { u.Suspended = true })
	w.asBefore(silenced, func(u *linnet.User) { u.Silenced = true })
	w.asBefore(both, func(u *linnet.User) { u.Suspended, u.Silenced = true, true })
	w.expectServed("before the upgrade", offline, true)
	w.did(e.Apply(w.ctx, kv.Delete{Key: record.RecheckedMarkKey()}))

	w.did(w.Upgrade(w.ctx))
	w.drain()
	w.expectServed("after the upgrade", offline, false)
	w.expectServed("after the upgrade, of other accounts", online, true)
	equal(w, "tag", w.listed("tag"), hers)
	for _, id := range w.listed("public") {
		if by := must(w.store.Statuses.Status(w.ctx, id))(w).Author; by != ann {
			t.Errorf("the public timeline has a status by %d", by)
		}
	}
	w.check()

	w.asBefore(ann, func(u *linnet.User) { u.Suspended = true })
	w.did(w.Upgrade(w.ctx))
	w.drain()
	w.expectServed("at the second start", online, true)
}

// A new store needs no such task.
func TestUpgradeOfNewStore(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := idleWorld(t, e, store.Options{})
	w.did(w.store.Instance.CheckFormat(w.ctx))
	w.did(w.Upgrade(w.ctx))
	if waiting := must(task.List(w.ctx, e, false, 10))(t); len(waiting) != 0 {
		t.Errorf("tasks: %+v", waiting)
	}
}

// TestUploadsDuringSuspension checks that files stored during the suspension of their account are
// withheld in the end.
func TestUploadsDuringSuspension(t *testing.T) {
	onEngines(t, func(w *world) {
		eve := w.person("eve")
		before := must(w.upload(eve))(w)
		w.did(w.moderate(linnet.Operator(), eve, linnet.Suspend))
		w.drain()
		f := must(w.Uploads.Receive(bytes.NewReader(aPicture(60, 50))))(w)
		defer f.Close()
		for _, shape := range []media.Shape{media.Avatar, media.Banner} { // like requests that were authorized before the suspension
			w.did(w.Social.Profiles.SetPicture(w.ctx, eve, shape, f))
		}
		a := must(w.Uploads.Upload(w.ctx, eve, f, f, linnet.AttachmentChange{}))(w)
		b := must(w.Uploads.Describe(w.ctx, eve, before.ID, f, linnet.AttachmentChange{}))(w)
		u := must(w.store.UserNow(w.ctx, eve))(w)
		names := slices.Concat(a.Files(), b.Files(), []string{u.Avatar, u.Banner})
		w.expectServed("while suspended", names, false)
		w.did(w.moderate(linnet.Operator(), eve, linnet.Unsuspend))
		w.drain()
		w.expectServed("afterwards", names, true)
		w.check()
	})
}
