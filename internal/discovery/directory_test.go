package discovery_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

func directory(w *apptest.World, viewer linnet.ID, q linnet.DirectoryQuery) string {
	w.Helper()
	w.Drain()
	if err := w.Trends.HandOn(w.Ctx); err != nil {
		w.Fatal(err)
	}
	return strings.Trim(apptest.Logins(apptest.Must(w.Discovery.Directory(w.Ctx, viewer, q))(w)), "[]")
}

// TestDirectory checks that the directory lists exactly the discoverable users, ordered by last
// status or by sign-up.
func TestDirectory(t *testing.T) {
	w, clock := apptest.WithClock(t)
	var ids []linnet.ID
	for _, login := range []string{"ann", "bob", "cat", "dan", "eve"} {
		clock.Advance(time.Minute)
		ids = append(ids, w.User(login))
	}
	ann, bob, cat, dan, eve := ids[0], ids[1], ids[2], ids[3], ids[4]
	is := func(viewer linnet.ID, q linnet.DirectoryQuery, want string) {
		t.Helper()
		if got := directory(w, viewer, q); got != want {
			t.Errorf("%+v: %q, want %q", q, got, want)
		}
	}
	active, fresh := linnet.DirectoryQuery{}, linnet.DirectoryQuery{Order: linnet.DirectoryNew}
	is(0, active, "eve dan cat bob ann")
	clock.Advance(time.Hour)
	said := w.Draft(bob, linnet.Draft{Text: "hello", Visibility: new(linnet.Private)})
	w.Draft(cat, linnet.Draft{Text: "psst @ann", Visibility: new(linnet.Direct)})
	is(0, active, "bob eve dan cat ann")
	is(0, fresh, "eve dan cat bob ann")
	if u := apptest.Must(w.Discovery.Directory(w.Ctx, 0, active))(t)[0]; !u.LastStatusAt.Equal(said.ID.Time()) {
		t.Errorf("last status at %v, want %v", u.LastStatusAt, said.ID.Time())
	}
	w.Post(ann, "once")
	is(0, active, "ann bob eve dan cat")
	clock.Advance(time.Minute)
	w.Post(bob, "again, within the hour")
	is(0, active, "ann bob eve dan cat")
	clock.Advance(time.Hour)
	w.Post(bob, "again")
	is(0, active, "bob ann eve dan cat")
	is(0, linnet.DirectoryQuery{Offset: 1, Limit: 2}, "ann eve")
	is(0, linnet.DirectoryQuery{Offset: linnet.MaxDirectory}, "")

	apptest.Must(w.Social.Block(w.Ctx, ann, bob))(t)
	is(ann, fresh, "eve dan cat ann")
	is(bob, fresh, "eve dan cat bob")
	apptest.Must(w.Social.Profiles.Update(w.Ctx, eve, linnet.ProfileChange{Discoverable: new(false)}))(t)
	is(0, fresh, "dan cat bob ann")
	apptest.Must(w.Social.Profiles.Update(w.Ctx, eve, linnet.ProfileChange{Discoverable: new(true)}))(t)
	is(0, fresh, "eve dan cat bob ann")
	w.OK(w.Moderate(linnet.Operator(), eve, linnet.Silence))
	w.OK(w.Moderate(linnet.Operator(), dan, linnet.Suspend))
	w.Post(eve, "louder")
	is(0, active, "bob ann cat")
	w.Check()
	w.OK(w.Moderate(linnet.Operator(), eve, linnet.Unsilence))
	is(0, active, "eve bob ann cat")
	if err := w.Social.Deletion.DeleteUser(w.Ctx, cat); err != nil {
		t.Fatal(err)
	}
	is(0, fresh, "eve bob ann")
	w.Check()
}

// TestDirectorySlices checks that users of all slices are listed in order.
func TestDirectorySlices(t *testing.T) { apptest.OnEngines(t, directorySlices) }

func directorySlices(w *apptest.World) {
	people := w.People(40)
	for _, id := range people {
		w.Post(id, "I am here")
	}
	slices.Sort(people)
	slices.Reverse(people)
	w.Drain()
	w.OK(w.Trends.HandOn(w.Ctx))
	for offset := 0; offset < 40; offset += 15 {
		got := apptest.Must(w.Discovery.Directory(w.Ctx, 0, linnet.DirectoryQuery{Order: linnet.DirectoryNew, Offset: offset, Limit: 15}))(w)
		want := people[offset:min(offset+15, 40)]
		if !slices.EqualFunc(got, want, func(u linnet.UserView, id linnet.ID) bool { return u.ID == id }) {
			w.Errorf("from %d: %s", offset, apptest.Logins(got))
		}
	}
}
