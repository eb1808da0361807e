package app_test

import (
	"fmt"
	"testing"
	"time"

	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

func (w *world) filter(me linnet.ID, at linnet.FilterContext, keywords ...string) linnet.Filter {
	w.Helper()
	c := linnet.FilterChange{Title: new("T"), Context: &at}
	for _, k := range keywords {
		c.Keywords = append(c.Keywords, linnet.KeywordChange{Keyword: new(k)})
	}
	return must(w.Reading.CreateFilter(w.ctx, me, c))(w)
}

// found returns the keywords by which filters match the statuses at home.
func (w *world) found(me linnet.ID) string {
	w.Helper()
	out := ""
	for _, v := range w.home(me, 20) {
		if v.Filtered == nil {
			out += "-"
			continue
		}
		for _, r := range *v.Filtered {
			out += fmt.Sprint(r.Keywords)
		}
	}
	return out
}

// TestFilters checks that filters apply as soon as they change.
func TestFilters(t *testing.T) {
	onEngines(t, func(w *world) {
		me, bob := w.person("me"), w.person("bob")
		w.follow(me, bob)
		w.post(bob, "one")
		w.post(bob, "two")
		w.drain()
		if got := w.found(me); got != "--" {
			t.Fatal(got)
		}
		f := w.filter(me, linnet.FilterHome, "One")
		if got := w.found(me); got != "-[One]" {
			t.Fatal(got)
		}
		k := must(w.Reading.AddFilterKeyword(w.ctx, me, f.ID, linnet.KeywordChange{Keyword: new("two")}))(t)
		if got := w.found(me); got != "[two][One]" {
			t.Fatal(got)
		}
		if err := w.Reading.DeleteFilterKeyword(w.ctx, me, k.ID); err != nil || w.found(me) != "-[One]" {
			t.Fatal(w.found(me), err)
		}
		must(w.Reading.UpdateFilter(w.ctx, me, f.ID, linnet.FilterChange{Context: new(linnet.FilterPublic)}))(t)
		if got := w.found(me); got != "--" {
			t.Fatal(got)
		}
		w.check()
	})
}

// TestFiltersDescriptions checks that filters match the descriptions of media, also after an edit.
func TestFiltersDescriptions(t *testing.T) {
	w := idleWorld(t, memkv.New(memkv.Options{}), store.Options{})
	me, bob := w.person("me"), w.person("bob")
	pic := must(w.upload(bob))(t)
	post := linnet.Draft{Text: "look", Media: []linnet.ID{pic.ID}}
	st := w.draft(bob, post)
	w.filter(me, linnet.FilterEverywhere, "spider")
	finds := func() bool { return must(w.View.Status(w.ctx, me, st.ID))(t).Filtered != nil }
	if finds() {
		t.Error("found without a word")
	}
	for says, want := range map[string]bool{"a SPIDER in its web": true, "a cat": false} {
		e := linnet.Edit{Text: "look", Media: []linnet.ID{pic.ID}, Describe: map[linnet.ID]linnet.AttachmentChange{pic.ID: {Description: &says}}}
		must(w.Posting.Edit(w.ctx, bob, st.ID, e))(t)
		if got := finds(); got != want {
			t.Errorf("described as %q: found is %v", says, got)
		}
	}
}

// TestFiltersForgetDeletedStatuses checks that a deleted status is removed from its filters in the
// background.
func TestFiltersForgetDeletedStatuses(t *testing.T) {
	w := idleWorld(t, memkv.New(memkv.Options{}), store.Options{})
	me, bob := w.person("me"), w.person("bob")
	gone, stays := w.post(bob, "one"), w.post(bob, "two")
	f := w.filter(me, linnet.FilterHome)
	for _, st := range []linnet.ID{gone.ID, stays.ID} {
		must(w.Reading.AddFilterStatus(w.ctx, me, f.ID, st))(t)
	}
	must(w.Posting.Delete(w.ctx, bob, gone.ID))(t)
	if found := must(w.Reading.Filter(w.ctx, me, f.ID))(t).Statuses; len(found) != 1 || found[0].Status != stays.ID {
		t.Errorf("the filter names %v", found)
	}
}

// TestFiltersExpire checks that an expired filter stays and matches nothing.
func TestFiltersExpire(t *testing.T) {
	now := time.Now()
	w := idleWorld(t, memkv.New(memkv.Options{}), store.Options{Now: func() time.Time { return now }})
	me, bob := w.person("me"), w.person("bob")
	s := w.post(bob, "word")
	f := w.filter(me, linnet.FilterEverywhere, "word")
	must(w.Reading.UpdateFilter(w.ctx, me, f.ID, linnet.FilterChange{ExpiresIn: new(time.Minute)}))(t)
	for after, want := range map[time.Duration]bool{0: true, 59 * time.Second: true, time.Minute: false, time.Hour: false} {
		begun := now
		now = now.Add(after)
		if got := must(w.View.Status(w.ctx, me, s.ID))(t).Filtered != nil; got != want {
			t.Errorf("%v after it was made the filter finds: %v", after, got)
		}
		now = begun
	}
	if all := must(w.Reading.Filters(w.ctx, me))(t); len(all) != 1 {
		t.Error(all)
	}
}

// TestFilterCost checks that filters cost nothing on a warm page of home, and one more query after
// a change.
func TestFilterCost(t *testing.T) {
	c := newCosts(t)
	reader := c.crossroads(10, 20)
	for range 2 {
		c.home(reader, 20)
		if s := c.of("home with filters, warm", func() { must(c.Reading.Home(c.ctx, reader, linnet.Page{}))(t) }); s.RoundTrips() > 2 || s.Queries > 2 {
			t.Errorf("warm: %+v", s)
		}
		c.filter(reader, linnet.FilterHome, "strange", "answer")
	}
	c.home(reader, 20)
	post := must(c.Reading.Home(c.ctx, reader, linnet.Page{}))(t).Items[5]
	must(c.Posting.Marks.Favourite(c.ctx, reader, post.ID))(t)
	before := c.of("home after a favourite", func() { must(c.Reading.Home(c.ctx, reader, linnet.Page{}))(t) })
	c.filter(reader, linnet.FilterHome, "more")
	after := c.of("home after a filter", func() { must(c.Reading.Home(c.ctx, reader, linnet.Page{}))(t) })
	if after.RoundTrips() > before.RoundTrips() || after.Queries > 3 {
		t.Errorf("after a filter: %+v, after a favourite: %+v", after, before)
	}
}

// TestFilterFaults checks that a failed write of a filter is stored completely or not at all.
func TestFilterFaults(t *testing.T) {
	for _, after := range []faultkv.When{faultkv.Before, faultkv.After} {
		e := faultkv.New(memkv.New(memkv.Options{}))
		w := idleWorld(t, e, store.Options{})
		me := w.person("me")
		w.filter(me, linnet.FilterHome, "a")
		e.Reset()
		e.FailAt(1, after)
		_, err := w.Reading.CreateFilter(w.ctx, me, linnet.FilterChange{Title: new("U"), Context: new(linnet.FilterHome)})
		want := 1
		if after == faultkv.After {
			want = 2
		}
		if all := must(w.Reading.Filters(w.ctx, me))(t); err == nil || len(all) != want {
			t.Errorf("failing after the write: %v: %v, %d filters", after, err, len(all))
		}
	}
}

// TestFiltersInStreams checks that streams apply the listener's filters by context, and report
// changes to them.
func TestFiltersInStreams(t *testing.T) {
	w := memWorld(t)
	me, bob := w.person("me"), w.person("bob")
	w.follow(me, bob)
	w.filter(me, linnet.FilterHome, "word")
	e := w.listen(linnet.Session{User: me}, linnet.Stream{Kind: linnet.StreamUser}, linnet.Stream{Kind: linnet.StreamPublic})
	other := w.listen(linnet.Session{User: bob}, linnet.Stream{Kind: linnet.StreamUser}, linnet.Stream{Kind: linnet.StreamUserNotification})
	w.post(bob, "a word")
	e.until("user update a word")
	e.until("public update a word")
	other.until("user update a word")
	w.filter(me, linnet.FilterPublic, "second")
	e.until("user filters_changed")
	w.post(bob, "second")
	e.until("user update second")
	e.until("public update second")
	other.until("user update second")
	for _, ear := range []*ear{e, other} {
		for _, ev := range ear.seen() {
			if ev.Status == nil {
				continue
			}
			found := ev.Status.Filtered != nil
			want := ear == e && (ev.Stream.Kind == linnet.StreamUser) == (ev.Status.Text == "a word")
			if found != want {
				t.Errorf("%s: filtered: %v", inWords(ev), found)
			}
		}
	}
	for _, words := range other.words() {
		if words == "user filters_changed" {
			t.Error("somebody else was told")
		}
	}
}

func (e *ear) seen() []linnet.StreamEvent {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]linnet.StreamEvent(nil), e.all...)
}
