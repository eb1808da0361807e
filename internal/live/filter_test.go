package live_test

import (
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestFiltersInStreams checks that streams apply the listener's filters by context, and report
// changes to them.
func TestFiltersInStreams(t *testing.T) {
	w := apptest.InMemory(t)
	me, bob := w.Person("me"), w.Person("bob")
	w.Follow(me, bob)
	w.Filter(me, linnet.FilterHome, "word")
	e := w.Listen(linnet.Session{User: me}, linnet.Stream{Kind: linnet.StreamUser}, linnet.Stream{Kind: linnet.StreamPublic})
	other := w.Listen(linnet.Session{User: bob}, linnet.Stream{Kind: linnet.StreamUser}, linnet.Stream{Kind: linnet.StreamUserNotification})
	w.Post(bob, "a word")
	e.WaitFor("user update a word")
	e.WaitFor("public update a word")
	other.WaitFor("user update a word")
	w.Filter(me, linnet.FilterPublic, "second")
	e.WaitFor("user filters_changed")
	w.Post(bob, "second")
	e.WaitFor("user update second")
	e.WaitFor("public update second")
	other.WaitFor("user update second")
	for _, ear := range []*apptest.Listener{e, other} {
		for _, ev := range ear.Seen() {
			if ev.Status == nil {
				continue
			}
			found := ev.Status.Filtered != nil
			want := ear == e && (ev.Stream.Kind == linnet.StreamUser) == (ev.Status.Text == "a word")
			if found != want {
				t.Errorf("%s: filtered: %v", apptest.EventText(ev), found)
			}
		}
	}
	for _, words := range other.Words() {
		if words == "user filters_changed" {
			t.Error("somebody else was told")
		}
	}
}
