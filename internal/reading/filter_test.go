package reading_test

import (
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestFilters checks that filters apply as soon as they change.
func TestFilters(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, bob := w.Person("me"), w.Person("bob")
		w.Follow(me, bob)
		w.Post(bob, "one")
		w.Post(bob, "two")
		w.Drain()
		if got := w.Found(me); got != "--" {
			t.Fatal(got)
		}
		f := w.Filter(me, linnet.FilterHome, "One")
		if got := w.Found(me); got != "-[One]" {
			t.Fatal(got)
		}
		k := apptest.Must(w.Reading.AddFilterKeyword(w.Ctx, me, f.ID, linnet.KeywordChange{Keyword: new("two")}))(t)
		if got := w.Found(me); got != "[two][One]" {
			t.Fatal(got)
		}
		if err := w.Reading.DeleteFilterKeyword(w.Ctx, me, k.ID); err != nil || w.Found(me) != "-[One]" {
			t.Fatal(w.Found(me), err)
		}
		apptest.Must(w.Reading.UpdateFilter(w.Ctx, me, f.ID, linnet.FilterChange{Context: new(linnet.FilterPublic)}))(t)
		if got := w.Found(me); got != "--" {
			t.Fatal(got)
		}
		w.Check()
	})
}

// TestFiltersDescriptions checks that filters match the descriptions of media, also after an edit.
func TestFiltersDescriptions(t *testing.T) {
	w := apptest.Idle(t, memkv.New(memkv.Options{}), store.Options{})
	me, bob := w.Person("me"), w.Person("bob")
	pic := apptest.Must(w.Upload(bob))(t)
	post := linnet.Draft{Text: "look", Media: []linnet.ID{pic.ID}}
	st := w.Draft(bob, post)
	w.Filter(me, linnet.FilterEverywhere, "spider")
	finds := func() bool { return apptest.Must(w.View.Status(w.Ctx, me, st.ID))(t).Filtered != nil }
	if finds() {
		t.Error("found without a word")
	}
	for says, want := range map[string]bool{"a SPIDER in its web": true, "a cat": false} {
		e := linnet.Edit{Text: "look", Media: []linnet.ID{pic.ID}, Describe: map[linnet.ID]linnet.AttachmentChange{pic.ID: {Description: &says}}}
		apptest.Must(w.Posting.Edit(w.Ctx, bob, st.ID, e))(t)
		if got := finds(); got != want {
			t.Errorf("described as %q: found is %v", says, got)
		}
	}
}

// TestFiltersForgetDeletedStatuses checks that a deleted status is removed from its filters in the
// background.
func TestFiltersForgetDeletedStatuses(t *testing.T) {
	w := apptest.Idle(t, memkv.New(memkv.Options{}), store.Options{})
	me, bob := w.Person("me"), w.Person("bob")
	gone, stays := w.Post(bob, "one"), w.Post(bob, "two")
	f := w.Filter(me, linnet.FilterHome)
	for _, st := range []linnet.ID{gone.ID, stays.ID} {
		apptest.Must(w.Reading.AddFilterStatus(w.Ctx, me, f.ID, st))(t)
	}
	apptest.Must(w.Posting.Delete(w.Ctx, bob, gone.ID))(t)
	if found := apptest.Must(w.Reading.Filter(w.Ctx, me, f.ID))(t).Statuses; len(found) != 1 || found[0].Status != stays.ID {
		t.Errorf("the filter names %v", found)
	}
}

// TestFiltersExpire checks that an expired filter stays and matches nothing.
func TestFiltersExpire(t *testing.T) {
	now := time.Now()
	w := apptest.Idle(t, memkv.New(memkv.Options{}), store.Options{Now: func() time.Time { return now }})
	me, bob := w.Person("me"), w.Person("bob")
	s := w.Post(bob, "word")
	f := w.Filter(me, linnet.FilterEverywhere, "word")
	apptest.Must(w.Reading.UpdateFilter(w.Ctx, me, f.ID, linnet.FilterChange{ExpiresIn: new(time.Minute)}))(t)
	for after, want := range map[time.Duration]bool{0: true, 59 * time.Second: true, time.Minute: false, time.Hour: false} {
		begun := now
		now = now.Add(after)
		if got := apptest.Must(w.View.Status(w.Ctx, me, s.ID))(t).Filtered != nil; got != want {
			t.Errorf("%v after it was made the filter finds: %v", after, got)
		}
		now = begun
	}
	if all := apptest.Must(w.Reading.Filters(w.Ctx, me))(t); len(all) != 1 {
		t.Error(all)
	}
}

// TestFilterCost checks that filters cost nothing on a warm page of home, and one more query after
// a change.
func TestFilterCost(t *testing.T) {
	c := apptest.NewCosts(t)
	reader := c.Crossroads(10, 20)
	for range 2 {
		c.Home(reader, 20)
		if s := c.Of("home with filters, warm", func() { apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{}))(t) }); s.RoundTrips() > 2 || s.Queries > 2 {
			t.Errorf("warm: %+v", s)
		}
		c.Filter(reader, linnet.FilterHome, "strange", "answer")
	}
	c.Home(reader, 20)
	post := apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{}))(t).Items[5]
	apptest.Must(c.Posting.Marks.Favourite(c.Ctx, reader, post.ID))(t)
	before := c.Of("home after a favourite", func() { apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{}))(t) })
	c.Filter(reader, linnet.FilterHome, "more")
	after := c.Of("home after a filter", func() { apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{}))(t) })
	if after.RoundTrips() > before.RoundTrips() || after.Queries > 3 {
		t.Errorf("after a filter: %+v, after a favourite: %+v", after, before)
	}
}

// TestFilterFaults checks that a failed write of a filter is stored completely or not at all.
func TestFilterFaults(t *testing.T) {
	for _, after := range []faultkv.When{faultkv.Before, faultkv.After} {
		e := faultkv.New(memkv.New(memkv.Options{}))
		w := apptest.Idle(t, e, store.Options{})
		me := w.Person("me")
		w.Filter(me, linnet.FilterHome, "a")
		e.Reset()
		e.FailAt(1, after)
		_, err := w.Reading.CreateFilter(w.Ctx, me, linnet.FilterChange{Title: new("U"), Context: new(linnet.FilterHome)})
		want := 1
		if after == faultkv.After {
			want = 2
		}
		if all := apptest.Must(w.Reading.Filters(w.Ctx, me))(t); err == nil || len(all) != want {
			t.Errorf("failing after the write: %v: %v, %d filters", after, err, len(all))
		}
	}
}
