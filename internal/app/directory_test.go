package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// clockWorld returns an app over memory with a clock that the test moves. It starts at a full hour.
func clockWorld(t *testing.T) (*world, *clocked) {
	c := &clocked{}
	c.set(time.Until(time.Now().Truncate(time.Hour).Add(time.Hour)))
	return worldOf(t, memkv.New(memkv.Options{Now: c.now}), store.Options{Now: c.now}), c
}

func (w *world) directory(viewer linnet.ID, q linnet.DirectoryQuery) string {
	w.Helper()
	w.drain()
	if err := w.Trends.HandOn(w.ctx); err != nil {
		w.Fatal(err)
	}
	return strings.Trim(logins(must(w.Discovery.Directory(w.ctx, viewer, q))(w)), "[]")
}

// TestDirectory checks that the directory lists exactly the discoverable users, ordered by last
// status or by sign-up.
func TestDirectory(t *testing.T) {
	w, clock := clockWorld(t)
	var ids []linnet.ID
	for _, login := range []string{"ann", "bob", "cat", "dan", "eve"} {
		clock.turn(time.Minute)
		ids = append(ids, w.user(login))
	}
	ann, bob, cat, dan, eve := ids[0], ids[1], ids[2], ids[3], ids[4]
	is := func(viewer linnet.ID, q linnet.DirectoryQuery, want string) {
		t.Helper()
		if got := w.directory(viewer, q); got != want {
			t.Errorf("%+v: %q, want %q", q, got, want)
		}
	}
	active, fresh := linnet.DirectoryQuery{}, linnet.DirectoryQuery{Order: linnet.DirectoryNew}
	is(0, active, "eve dan cat bob ann")
	clock.turn(time.Hour)
	said := w.draft(bob, linnet.Draft{Text: "hello", Visibility: new(linnet.Private)})
	w.draft(cat, linnet.Draft{Text: "psst @ann", Visibility: new(linnet.Direct)})
	is(0, active, "bob eve dan cat ann")
	is(0, fresh, "eve dan cat bob ann")
	if u := must(w.Discovery.Directory(w.ctx, 0, active))(t)[0]; !u.LastStatusAt.Equal(said.ID.Time()) {
		t.Errorf("last status at %v, want %v", u.LastStatusAt, said.ID.Time())
	}
	w.post(ann, "once")
	is(0, active, "ann bob eve dan cat")
	clock.turn(time.Minute)
	w.post(bob, "again, within the hour")
	is(0, active, "ann bob eve dan cat")
	clock.turn(time.Hour)
	w.post(bob, "again")
	is(0, active, "bob ann eve dan cat")
	is(0, linnet.DirectoryQuery{Offset: 1, Limit: 2}, "ann eve")
	is(0, linnet.DirectoryQuery{Offset: linnet.MaxDirectory}, "")

	must(w.Social.Block(w.ctx, ann, bob))(t)
	is(ann, fresh, "eve dan cat ann")
	is(bob, fresh, "eve dan cat bob")
	must(w.Social.Profiles.Update(w.ctx, eve, linnet.ProfileChange{Discoverable: new(false)}))(t)
	is(0, fresh, "dan cat bob ann")
	must(w.Social.Profiles.Update(w.ctx, eve, linnet.ProfileChange{Discoverable: new(true)}))(t)
	is(0, fresh, "eve dan cat bob ann")
	w.did(w.moderate(linnet.Operator(), eve, linnet.Silence))
	w.did(w.moderate(linnet.Operator(), dan, linnet.Suspend))
	w.post(eve, "louder")
	is(0, active, "bob ann cat")
	w.check()
	w.did(w.moderate(linnet.Operator(), eve, linnet.Unsilence))
	is(0, active, "eve bob ann cat")
	if err := w.Social.Deletion.DeleteUser(w.ctx, cat); err != nil {
		t.Fatal(err)
	}
	is(0, fresh, "eve bob ann")
	w.check()
}

// TestDirectorySlices checks that users of all slices are listed in order.
func TestDirectorySlices(t *testing.T) { onEngines(t, directorySlices) }

func directorySlices(w *world) {
	people := w.people(40)
	for _, id := range people {
		w.post(id, "I am here")
	}
	slices.Sort(people)
	slices.Reverse(people)
	w.drain()
	w.did(w.Trends.HandOn(w.ctx))
	for offset := 0; offset < 40; offset += 15 {
		got := must(w.Discovery.Directory(w.ctx, 0, linnet.DirectoryQuery{Order: linnet.DirectoryNew, Offset: offset, Limit: 15}))(w)
		want := people[offset:min(offset+15, 40)]
		if !slices.EqualFunc(got, want, func(u linnet.UserView, id linnet.ID) bool { return u.ID == id }) {
			w.Errorf("from %d: %s", offset, logins(got))
		}
	}
}
