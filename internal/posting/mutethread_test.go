package posting_test

import (
	"fmt"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
)

// TestMutedThread checks that a muted thread causes no new notifications of any kind. Earlier ones
// stay, and mentions are still recorded.
func TestMutedThread(t *testing.T) { apptest.OnEngines(t, mutedThread) }

func mutedThread(w *apptest.World) {
	me, ann := w.Person("me"), w.Person("ann")
	root := w.Post(me, "root")
	other := w.Post(me, "other")
	answer := func(to linnet.ID, text string) linnet.ID {
		return w.Draft(ann, linnet.Draft{Text: text, InReplyTo: to}).ID
	}
	first := answer(root.ID, "@me before")
	deep := answer(first, "no name")
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, ann, root.ID))(w)
	if v := apptest.Must(w.Posting.Marks.MuteThread(w.Ctx, me, deep))(w); !v.Muted || v.ID != deep {
		w.Errorf("muted: %v of %v", v.Muted, v.ID)
	}
	apptest.Must(w.Posting.Marks.MuteThread(w.Ctx, me, root.ID))(w)
	answer(deep, "@me during")
	apptest.Must(w.Posting.Repost(w.Ctx, ann, root.ID, nil))(w)
	answer(other.ID, "@me elsewhere")
	w.Drain()
	want := "[mention by ann: @me elsewhere favourite by ann: root mention by ann: @me before]"
	if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{}, 40)); got != want {
		w.Errorf("got  %s\nwant %s", got, want)
	}
	apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, ann, root.ID))(w)
	for id, muted := range map[linnet.ID]bool{root.ID: true, first: true, deep: true, other.ID: false} {
		if v := apptest.Must(w.View.Status(w.Ctx, me, id))(w); v.Muted != muted {
			w.Errorf("%s: muted is %v", v.Text, v.Muted)
		}
		if v := apptest.Must(w.View.Status(w.Ctx, ann, id))(w); v.Muted {
			w.Errorf("%s is muted for others too", v.Text)
		}
	}
	rt := apptest.Must(w.Posting.Repost(w.Ctx, me, first, nil))(w)
	if !rt.Muted || !rt.Repost.Muted {
		w.Error("a repost of a muted status is not muted")
	}
	if v := apptest.Must(w.Posting.Marks.UnmuteThread(w.Ctx, me, rt.ID))(w); v.Muted {
		w.Error("still muted")
	}
	answer(first, "@me after")
	w.Drain()
	want = "[mention by ann: @me after mention by ann: @me elsewhere mention by ann: @me before]"
	if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{}, 40)); got != want {
		w.Errorf("got  %s\nwant %s", got, want)
	}
	mentions := w.Pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) { return w.Reading.Mentions(w.Ctx, me, p) })
	if got := fmt.Sprint(apptest.Texts(mentions)); got != "[@me after @me elsewhere @me during @me before]" {
		w.Errorf("mentions: %s", got)
	}
	w.Check()
}

// TestMutedThreadOfSomebodyWatched checks that a watcher receives no notification of an author's
// post in a muted thread.
func TestMutedThreadOfSomebodyWatched(t *testing.T) {
	w := apptest.InMemory(t)
	me, ann := w.Person("me"), w.Person("ann")
	apptest.Must(w.Social.Follow(w.Ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(w)
	a, b := w.Post(ann, "a"), w.Post(ann, "b")
	apptest.Must(w.Posting.Marks.MuteThread(w.Ctx, me, a.ID))(w)
	w.Draft(ann, linnet.Draft{Text: "more of a", InReplyTo: a.ID})
	w.Draft(ann, linnet.Draft{Text: "more of b", InReplyTo: b.ID})
	w.Drain()
	if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{}, 40)); got != "[status by ann: more of b status by ann: b status by ann: a]" {
		t.Error(got)
	}
}

// TestManyMutedThreads checks that the result is the same with many muted threads, which are
// queried by name.
func TestManyMutedThreads(t *testing.T) {
	w := apptest.InMemory(t)
	me := w.Person("me")
	var ids []linnet.ID
	for i := range 300 {
		ids = append(ids, w.Post(me, "x").ID)
		if i%3 != 0 {
			apptest.Must(w.Posting.Marks.MuteThread(w.Ctx, me, ids[i]))(w)
		}
	}
	other := w.Person("other")
	for range 2 { // queried, then cached
		for i, v := range w.Home(me, 40) {
			if n := len(ids) - 1 - i; v.ID != ids[n] || v.Muted != (n%3 != 0) {
				t.Fatalf("status %d: muted is %v", n, v.Muted)
			}
		}
		apptest.Must(w.Posting.Marks.MuteThread(w.Ctx, me, w.Post(other, "x").ID))(w)
	}
	for i := range ids {
		apptest.Must(w.Posting.Marks.UnmuteThread(w.Ctx, me, ids[i]))(w)
	}
	for _, v := range w.Home(me, 40) {
		if v.Muted {
			t.Fatal("still muted")
		}
	}
	w.Check()
}
