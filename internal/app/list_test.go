package app_test

import (
	"fmt"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/record"
)

func (w *world) listPage(me, list linnet.ID) string {
	w.Helper()
	return fmt.Sprint(texts(w.pages(3, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Feeds.ListTimeline(w.ctx, me, list, p)
	})))
}

func (w *world) list(me linnet.ID, c linnet.ListChange) linnet.ID {
	w.Helper()
	if c.Title == nil {
		c.Title = new("list")
	}
	return must(w.Lists.CreateList(w.ctx, me, c))(w).ID
}

func (w *world) addTo(me, list linnet.ID, users ...linnet.ID) {
	w.Helper()
	if err := w.Lists.AddToList(w.ctx, me, list, users); err != nil {
		w.Fatal(err)
	}
}

// TestListTimeline checks that a list shows past and new statuses of its members, whether or not
// the owner follows them, and none of removed members.
func TestListTimeline(t *testing.T) { onEngines(t, listTimeline) }

func listTimeline(w *world) {
	me, ann, bob, cat := w.person("me"), w.person("ann"), w.person("bob"), w.person("cat")
	w.post(ann, "ann before")
	list := w.list(me, linnet.ListChange{})
	if got := w.listPage(me, list); got != "[]" {
		w.Errorf("empty list: %v", got)
	}
	w.addTo(me, list, ann, bob, ann)
	w.post(bob, "bob after")
	w.post(cat, "cat")
	w.draft(ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)})
	w.draft(ann, linnet.Draft{Text: "direct @me", Visibility: new(linnet.Direct)})
	must(w.Posting.Repost(w.ctx, ann, w.post(cat, "cat again").ID, nil))(w)
	for range 2 {
		if got := w.listPage(me, list); got != "[RT cat again bob after ann before]" {
			w.Errorf("list: %v", got)
		}
		if err := w.store.Feeds.ForgetFeeds(w.ctx, record.ListFeedKey(list)); err != nil {
			w.Fatal(err)
		}
	}
	w.follow(me, ann)
	if got := w.listPage(me, list); got != "[RT cat again private bob after ann before]" {
		w.Errorf("with the private ones of whom one follows: %v", got)
	}
	members := must(w.Lists.ListMembers(w.ctx, me, list, linnet.Page{}))(w)
	if len(members.Items) != 2 {
		w.Errorf("%d members", len(members.Items))
	}
	if err := w.Lists.RemoveFromList(w.ctx, me, list, []linnet.ID{ann}); err != nil {
		w.Fatal(err)
	}
	w.post(ann, "ann gone")
	if got := w.listPage(me, list); got != "[bob after]" {
		w.Errorf("without ann: %v", got)
	}
	if with := must(w.Lists.ListsWith(w.ctx, me, bob))(w); len(with) != 1 {
		w.Errorf("lists with bob: %v", with)
	}
	w.drain()
	w.check()
	if err := w.Lists.DeleteList(w.ctx, me, list); err != nil {
		w.Fatal(err)
	}
	_, err := w.Feeds.ListTimeline(w.ctx, me, list, linnet.Page{})
	kindIs(w, err, linnet.NotFound)
	if with := must(w.Lists.ListsWith(w.ctx, me, bob))(w); len(with) != 0 {
		w.Errorf("a deleted list contains bob: %v", with)
	}
	w.drain()
	w.check()
}

func TestListReplies(t *testing.T) {
	w := memWorld(t)
	me, ann, bob, cat, dan := w.person("me"), w.person("ann"), w.person("bob"), w.person("cat"), w.person("dan")
	w.follow(me, cat)
	list := w.list(me, linnet.ListChange{})
	w.addTo(me, list, ann, bob)
	for who, name := range map[linnet.ID]string{ann: "self", bob: "member", cat: "followed", dan: "stranger", me: "me"} {
		s := w.post(who, "from")
		w.draft(ann, linnet.Draft{Text: name, InReplyTo: s.ID})
		if who == ann || who == bob { // so that only replies are left
			must(w.Posting.Delete(w.ctx, who, s.ID))(t)
		}
	}
	for p, want := range map[linnet.RepliesPolicy]string{linnet.RepliesToList: "me member self", linnet.RepliesToFollowed: "followed me self", linnet.RepliesNone: "me self"} {
		must(w.Lists.UpdateList(w.ctx, me, list, linnet.ListChange{Replies: &p}))(t)
		got := sorted(strings.Fields(strings.Trim(w.listPage(me, list), "[]")))
		if fmt.Sprint(got) != "["+want+"]" {
			t.Errorf("%v: %v", p, got)
		}
	}
}

// TestListRules checks that only the owner can read and change a list, and that lists have limits.
func TestListRules(t *testing.T) {
	w := memWorld(t)
	me, ann := w.person("me"), w.person("ann")
	list := w.list(me, linnet.ListChange{})
	w.addTo(me, list, ann)
	_, err := w.Lists.List(w.ctx, ann, list)
	kindIs(t, err, linnet.NotFound)
	_, err = w.Lists.UpdateList(w.ctx, ann, list, linnet.ListChange{Title: new("mine")})
	kindIs(t, err, linnet.NotFound)
	_, err = w.Feeds.ListTimeline(w.ctx, ann, list, linnet.Page{})
	kindIs(t, err, linnet.NotFound)
	_, err = w.Lists.ListMembers(w.ctx, ann, list, linnet.Page{})
	kindIs(t, err, linnet.NotFound)
	kindIs(t, w.Lists.DeleteList(w.ctx, ann, list), linnet.NotFound)
	kindIs(t, w.Lists.AddToList(w.ctx, ann, list, []linnet.ID{ann}), linnet.NotFound)
	kindIs(t, w.Lists.RemoveFromList(w.ctx, ann, list, []linnet.ID{ann}), linnet.NotFound)
	kindIs(t, w.Lists.AddToList(w.ctx, me, list, []linnet.ID{12345}), linnet.NotFound)
	kindIs(t, w.Lists.AddToList(w.ctx, me, list, make([]linnet.ID, 10_000)), linnet.Invalid)
	for _, title := range []string{"", " \n", strings.Repeat("x", 256), "a" + strings.Repeat("\u0301", 5000)} {
		_, err := w.Lists.CreateList(w.ctx, me, linnet.ListChange{Title: &title})
		kindIs(t, err, linnet.Invalid)
	}
	for range linnet.MaxLists - 1 {
		w.list(me, linnet.ListChange{})
	}
	_, err = w.Lists.CreateList(w.ctx, me, linnet.ListChange{Title: new("one more")})
	kindIs(t, err, linnet.Invalid)
	if lists := must(w.Lists.Lists(w.ctx, me))(t); len(lists) != linnet.MaxLists || lists[0].ID != list {
		t.Errorf("%d lists", len(lists))
	}
}

// TestExclusiveList checks that home hides members of an exclusive list, but not others' reposts of
// them. The list shows them.
func TestExclusiveList(t *testing.T) {
	onEngines(t, func(w *world) {
		me, ann, bob := w.person("me"), w.person("ann"), w.person("bob")
		w.follow(me, ann)
		w.follow(me, bob)
		s := w.post(ann, "ann")
		must(w.Posting.Repost(w.ctx, ann, w.post(w.person("cat"), "cat").ID, nil))(w)
		must(w.Posting.Repost(w.ctx, bob, s.ID, nil))(w)
		list := w.list(me, linnet.ListChange{Exclusive: new(true)})
		w.addTo(me, list, ann, me)
		w.post(me, "mine")
		see := func(want string) {
			w.Helper()
			if got := fmt.Sprint(texts(w.home(me, 2))); got != want {
				w.Errorf("home: %v, want %v", got, want)
			}
		}
		see("[mine RT ann]")
		if got := w.listPage(me, list); got != "[mine RT cat ann]" {
			w.Errorf("list: %v", got)
		}
		must(w.Lists.UpdateList(w.ctx, me, list, linnet.ListChange{Exclusive: new(false)}))(w)
		see("[mine RT cat ann]")
		must(w.Lists.UpdateList(w.ctx, me, list, linnet.ListChange{Exclusive: new(true)}))(w)
		see("[mine RT ann]")
		if err := w.Lists.DeleteList(w.ctx, me, list); err != nil {
			w.Fatal(err)
		}
		see("[mine RT cat ann]")
	})
}
