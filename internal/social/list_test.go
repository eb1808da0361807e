package social_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/app/apptest"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// TestListTimeline checks that a list shows past and new statuses of its members, whether or not
// the owner follows them, and none of removed members.
func TestListTimeline(t *testing.T) { apptest.OnEngines(t, listTimeline) }

func listTimeline(w *apptest.World) {
	me, ann, bob, cat := w.Person("me"), w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Post(ann, "ann before")
	list := w.List(me, linnet.ListChange{})
	if got := w.ListPage(me, list); got != "[]" {
		w.Errorf("empty list: %v", got)
	}
	w.AddTo(me, list, ann, bob, ann)
	w.Post(bob, "bob after")
	w.Post(cat, "cat")
	w.Draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	w.Draft(ann, linnet.Draft{Text: "direct @me", Visibility: new(linnet.Direct)})
	apptest.Must(w.Posting.Repost(w.Ctx, ann, w.Post(cat, "cat again").ID, nil))(w)
	for range 2 {
		if got := w.ListPage(me, list); got != "[RT cat again bob after ann before]" {
			w.Errorf("list: %v", got)
		}
		if err := w.Store.Feeds.ForgetFeeds(w.Ctx, record.ListFeedKey(list)); err != nil {
			w.Fatal(err)
		}
	}
	w.Follow(me, ann)
	if got := w.ListPage(me, list); got != "[RT cat again private bob after ann before]" {
		w.Errorf("with the private ones of whom one follows: %v", got)
	}
	members := apptest.Must(w.Lists.ListMembers(w.Ctx, me, list, linnet.Page{}))(w)
	if len(members.Items) != 2 {
		w.Errorf("%d members", len(members.Items))
	}
	if err := w.Lists.RemoveFromList(w.Ctx, me, list, []linnet.ID{ann}); err != nil {
		w.Fatal(err)
	}
	w.Post(ann, "ann gone")
	if got := w.ListPage(me, list); got != "[bob after]" {
		w.Errorf("without ann: %v", got)
	}
	if with := apptest.Must(w.Lists.ListsWith(w.Ctx, me, bob))(w); len(with) != 1 {
		w.Errorf("lists with bob: %v", with)
	}
	w.Drain()
	w.Check()
	if err := w.Lists.DeleteList(w.Ctx, me, list); err != nil {
		w.Fatal(err)
	}
	_, err := w.Feeds.ListTimeline(w.Ctx, me, list, linnet.Page{})
	apptest.WantKind(w, err, linnet.NotFound)
	if with := apptest.Must(w.Lists.ListsWith(w.Ctx, me, bob))(w); len(with) != 0 {
		w.Errorf("a deleted list contains bob: %v", with)
	}
	w.Drain()
	w.Check()
}

func TestListReplies(t *testing.T) {
	w := apptest.InMemory(t)
	me, ann, bob, cat, dan := w.Person("me"), w.Person("ann"), w.Person("bob"), w.Person("cat"), w.Person("dan")
	w.Follow(me, cat)
	list := w.List(me, linnet.ListChange{})
	w.AddTo(me, list, ann, bob)
	for who, name := range map[linnet.ID]string{ann: "self", bob: "member", cat: "followed", dan: "stranger", me: "me"} {
		s := w.Post(who, "from")
		w.Draft(ann, linnet.Draft{Text: name, InReplyTo: s.ID})
		if who == ann || who == bob { // so that only replies are left
			apptest.Must(w.Posting.Delete(w.Ctx, who, s.ID))(t)
		}
	}
	for p, want := range map[linnet.RepliesPolicy]string{linnet.RepliesToList: "me member self", linnet.RepliesToFollowed: "followed me self", linnet.RepliesNone: "me self"} {
		apptest.Must(w.Lists.UpdateList(w.Ctx, me, list, linnet.ListChange{Replies: &p}))(t)
		got := apptest.Sorted(strings.Fields(strings.Trim(w.ListPage(me, list), "[]")))
		if fmt.Sprint(got) != "["+want+"]" {
			t.Errorf("%v: %v", p, got)
		}
	}
}

// TestListRules checks that only the owner can read and change a list, and that lists have limits.
func TestListRules(t *testing.T) {
	w := apptest.InMemory(t)
	me, ann := w.Person("me"), w.Person("ann")
	list := w.List(me, linnet.ListChange{})
	w.AddTo(me, list, ann)
	_, err := w.Lists.List(w.Ctx, ann, list)
	apptest.WantKind(t, err, linnet.NotFound)
	_, err = w.Lists.UpdateList(w.Ctx, ann, list, linnet.ListChange{Title: new("mine")})
	apptest.WantKind(t, err, linnet.NotFound)
	_, err = w.Feeds.ListTimeline(w.Ctx, ann, list, linnet.Page{})
	apptest.WantKind(t, err, linnet.NotFound)
	_, err = w.Lists.ListMembers(w.Ctx, ann, list, linnet.Page{})
	apptest.WantKind(t, err, linnet.NotFound)
	apptest.WantKind(t, w.Lists.DeleteList(w.Ctx, ann, list), linnet.NotFound)
	apptest.WantKind(t, w.Lists.AddToList(w.Ctx, ann, list, []linnet.ID{ann}), linnet.NotFound)
	apptest.WantKind(t, w.Lists.RemoveFromList(w.Ctx, ann, list, []linnet.ID{ann}), linnet.NotFound)
	apptest.WantKind(t, w.Lists.AddToList(w.Ctx, me, list, []linnet.ID{12345}), linnet.NotFound)
	apptest.WantKind(t, w.Lists.AddToList(w.Ctx, me, list, make([]linnet.ID, 10_000)), linnet.Invalid)
	for _, title := range []string{"", " \n", strings.Repeat("x", 256), "a" + strings.Repeat("\u0301", 5000)} {
		_, err := w.Lists.CreateList(w.Ctx, me, linnet.ListChange{Title: &title})
		apptest.WantKind(t, err, linnet.Invalid)
	}
	for range linnet.MaxLists - 1 {
		w.List(me, linnet.ListChange{})
	}
	_, err = w.Lists.CreateList(w.Ctx, me, linnet.ListChange{Title: new("one more")})
	apptest.WantKind(t, err, linnet.Invalid)
	if lists := apptest.Must(w.Lists.Lists(w.Ctx, me))(t); len(lists) != linnet.MaxLists || lists[0].ID != list {
		t.Errorf("%d lists", len(lists))
	}
}

// TestExclusiveList checks that home hides members of an exclusive list, but not others' reposts of
// them. The list shows them.
func TestExclusiveList(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		me, ann, bob := w.Person("me"), w.Person("ann"), w.Person("bob")
		w.Follow(me, ann)
		w.Follow(me, bob)
		s := w.Post(ann, "ann")
		apptest.Must(w.Posting.Repost(w.Ctx, ann, w.Post(w.Person("cat"), "cat").ID, nil))(w)
		apptest.Must(w.Posting.Repost(w.Ctx, bob, s.ID, nil))(w)
		list := w.List(me, linnet.ListChange{Exclusive: new(true)})
		w.AddTo(me, list, ann, me)
		w.Post(me, "mine")
		see := func(want string) {
			w.Helper()
			if got := fmt.Sprint(apptest.Texts(w.Home(me, 2))); got != want {
				w.Errorf("home: %v, want %v", got, want)
			}
		}
		see("[mine RT ann]")
		if got := w.ListPage(me, list); got != "[mine RT cat ann]" {
			w.Errorf("list: %v", got)
		}
		apptest.Must(w.Lists.UpdateList(w.Ctx, me, list, linnet.ListChange{Exclusive: new(false)}))(w)
		see("[mine RT cat ann]")
		apptest.Must(w.Lists.UpdateList(w.Ctx, me, list, linnet.ListChange{Exclusive: new(true)}))(w)
		see("[mine RT ann]")
		if err := w.Lists.DeleteList(w.Ctx, me, list); err != nil {
			w.Fatal(err)
		}
		see("[mine RT cat ann]")
	})
}
