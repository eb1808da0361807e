package app_test

import (
	"fmt"
	"testing"

	"linnet/internal/linnet"
)

// TestMutedThread checks that a muted thread causes no new notifications of any kind. Earlier ones
// stay, and mentions are still recorded.
func TestMutedThread(t *testing.T) { onEngines(t, mutedThread) }

func mutedThread(w *world) {
	me, ann := w.person("me"), w.person("ann")
	root := w.post(me, "root")
	other := w.post(me, "other")
	answer := func(to linnet.ID, text string) linnet.ID {
		return w.draft(ann, linnet.Draft{Text: text, InReplyTo: to}).ID
	}
	first := answer(root.ID, "@me before")
	deep := answer(first, "no name")
	must(w.Posting.Marks.Favourite(w.ctx, ann, root.ID))(w)
	if v := must(w.Posting.Marks.MuteThread(w.ctx, me, deep))(w); !v.Muted || v.ID != deep {
		w.Errorf("muted: %v of %v", v.Muted, v.ID)
	}
	must(w.Posting.Marks.MuteThread(w.ctx, me, root.ID))(w)
	answer(deep, "@me during")
	must(w.Posting.Repost(w.ctx, ann, root.ID, nil))(w)
	answer(other.ID, "@me elsewhere")
	w.drain()
	want := "[mention by ann: @me elsewhere favourite by ann: root mention by ann: @me before]"
	if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{}, 40)); got != want {
		w.Errorf("got  %s\nwant %s", got, want)
	}
	must(w.Posting.Marks.Unfavourite(w.ctx, ann, root.ID))(w)
	for id, muted := range map[linnet.ID]bool{root.ID: true, first: true, deep: true, other.ID: false} {
		if v := must(w.View.Status(w.ctx, me, id))(w); v.Muted != muted {
			w.Errorf("%s: muted is %v", v.Text, v.Muted)
		}
		if v := must(w.View.Status(w.ctx, ann, id))(w); v.Muted {
			w.Errorf("%s is muted for others too", v.Text)
		}
	}
	rt := must(w.Posting.Repost(w.ctx, me, first, nil))(w)
	if !rt.Muted || !rt.Repost.Muted {
		w.Error("a repost of a muted status is not muted")
	}
	if v := must(w.Posting.Marks.UnmuteThread(w.ctx, me, rt.ID))(w); v.Muted {
		w.Error("still muted")
	}
	answer(first, "@me after")
	w.drain()
	want = "[mention by ann: @me after mention by ann: @me elsewhere mention by ann: @me before]"
	if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{}, 40)); got != want {
		w.Errorf("got  %s\nwant %s", got, want)
	}
	mentions := w.pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) { return w.Reading.Mentions(w.ctx, me, p) })
	if got := fmt.Sprint(texts(mentions)); got != "[@me after @me elsewhere @me during @me before]" {
		w.Errorf("mentions: %s", got)
	}
	w.check()
}

// TestMutedThreadOfSomebodyWatched checks that a watcher receives no notification of an author's
// post in a muted thread.
func TestMutedThreadOfSomebodyWatched(t *testing.T) {
	w := memWorld(t)
	me, ann := w.person("me"), w.person("ann")
	must(w.Social.Follow(w.ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(w)
	a, b := w.post(ann, "a"), w.post(ann, "b")
	must(w.Posting.Marks.MuteThread(w.ctx, me, a.ID))(w)
	w.draft(ann, linnet.Draft{Text: "more of a", InReplyTo: a.ID})
	w.draft(ann, linnet.Draft{Text: "more of b", InReplyTo: b.ID})
	w.drain()
	if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{}, 40)); got != "[status by ann: more of b status by ann: b status by ann: a]" {
		t.Error(got)
	}
}

// TestManyMutedThreads checks that the result is the same with many muted threads, which are
// queried by name.
func TestManyMutedThreads(t *testing.T) {
	w := memWorld(t)
	me := w.person("me")
	var ids []linnet.ID
	for i := range 300 {
		ids = append(ids, w.post(me, "x").ID)
		if i%3 != 0 {
			must(w.Posting.Marks.MuteThread(w.ctx, me, ids[i]))(w)
		}
	}
	other := w.person("other")
	for range 2 { // queried, then cached
		for i, v := range w.home(me, 40) {
			if n := len(ids) - 1 - i; v.ID != ids[n] || v.Muted != (n%3 != 0) {
				t.Fatalf("status %d: muted is %v", n, v.Muted)
			}
		}
		must(w.Posting.Marks.MuteThread(w.ctx, me, w.post(other, "x").ID))(w)
	}
	for i := range ids {
		must(w.Posting.Marks.UnmuteThread(w.ctx, me, ids[i]))(w)
	}
	for _, v := range w.home(me, 40) {
		if v.Muted {
			t.Fatal("still muted")
		}
	}
	w.check()
}
