package social_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// TestBlock checks that blocked users see nothing of each other on any page once the block is
// answered. Another user's repost does not show them to each other either.
func TestBlock(t *testing.T) { apptest.OnEngines(t, block) }

func block(w *apptest.World) {
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Follow(ann, bob)
	w.Follow(bob, ann)
	w.Follow(ann, cat)
	w.Follow(bob, cat)
	lists := map[linnet.ID]linnet.ID{ann: w.List(ann, linnet.ListChange{}), bob: w.List(bob, linnet.ListChange{})}
	w.AddTo(ann, lists[ann], bob)
	w.AddTo(ann, lists[ann], cat)
	w.AddTo(bob, lists[bob], ann)
	w.AddTo(bob, lists[bob], cat)
	root := w.Post(cat, "root")
	by := map[linnet.ID]linnet.StatusView{}
	for _, id := range []linnet.ID{ann, bob} {
		by[id] = w.Draft(id, linnet.Draft{Text: "words #tag @ann @bob", InReplyTo: root.ID})
		w.Draft(id, linnet.Draft{Text: "public #tag"})
		apptest.Must(w.Posting.Repost(w.Ctx, cat, by[id].ID, nil))(w)
	}
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, bob, by[ann].ID))(w)
	apptest.Must(w.Posting.Marks.Favourite(w.Ctx, ann, by[bob].ID))(w)
	apptest.Must(w.Social.Block(w.Ctx, ann, bob))(w)
	for way, shown := range w.TryReads(bob, lists[bob], ann, root.ID, by[ann]) {
		if shown {
			w.Errorf("who is blocked sees a status by %s", way)
		}
	}
	for act, err := range w.TryActs(bob, by[ann].ID) {
		if linnet.KindOf(err) != linnet.NotFound {
			w.Errorf("who is blocked may %s: %v", act, err)
		}
	}
	named := []string{"status", "its thread", "who favourited it", "who reposted it", "statuses", "profile", "address", "favourites"}
	for way, shown := range w.TryReads(ann, lists[ann], bob, root.ID, by[bob]) {
		if shown != slices.Contains(named, way) {
			w.Errorf("whether who blocks sees a status by %s is %v", way, shown)
		}
	}
	w.Drain()
	apptest.Equal(w, "home of who blocks", apptest.Texts(w.Home(ann, 2)), []string{"public #tag", "words #tag @ann @bob", "root"})
	apptest.Equal(w, "home of who is blocked", apptest.Texts(w.Home(bob, 2)), []string{"public #tag", "words #tag @ann @bob", "root"})
	blockedPeople(w, ann, bob, cat, lists, by)
	v := w.Post(bob, "hello @ann")
	if len(v.Mentions) != 0 {
		w.Error("who is blocked mentions who blocks")
	}
	w.Drain()
	w.Check()
	apptest.Must(w.Social.Unblock(w.Ctx, ann, bob))(w)
	w.Drain()
	w.Check()
	apptest.Must(w.View.Status(w.Ctx, bob, by[ann].ID))(w)
	w.Follow(bob, ann)
}

// TestBlockEndsRequests checks that a block in either direction ends follow requests between the
// two users, and that unblocking does not restore them.
func TestBlockEndsRequests(t *testing.T) { apptest.OnEngines(t, blockEndsRequests) }

func blockEndsRequests(w *apptest.World) {
	for name, byAsked := range map[string]bool{"asked": true, "asking": false} {
		me, to := w.Person("me_"+name), w.Person("to_"+name)
		apptest.Must(w.Social.Profiles.Update(w.Ctx, to, linnet.ProfileChange{Locked: new(true)}))(w)
		apptest.Must(w.Social.Follow(w.Ctx, me, to, linnet.FollowOptions{}))(w)
		w.Drain()
		if n := len(apptest.Must(w.Social.FollowRequests(w.Ctx, to, linnet.Page{}))(w).Items); n != 1 {
			w.Fatalf("%d requests before the block", n)
		}
		blocker, blocked := me, to
		if byAsked {
			blocker, blocked = to, me
		}
		for _, act := range []func() (linnet.Relationship, error){
			func() (linnet.Relationship, error) { return w.Social.Block(w.Ctx, blocker, blocked) },
			func() (linnet.Relationship, error) { return w.Social.Unblock(w.Ctx, blocker, blocked) },
		} {
			apptest.Must(act())(w)
			w.Drain()
			w.Check()
			mine, theirs := apptest.Must(w.Social.Relationships(w.Ctx, me, []linnet.ID{to}))(w)[0], apptest.Must(w.Social.Relationships(w.Ctx, to, []linnet.ID{me}))(w)[0]
			list, u := apptest.Must(w.Social.FollowRequests(w.Ctx, to, linnet.Page{}))(w).Items, apptest.Must(w.View.User(w.Ctx, to, to))(w)
			if mine.Requested || mine.Following || theirs.RequestedBy || len(list) != 0 || u.Requests != 0 {
				w.Errorf("the %s one blocks: %+v, %+v, %d requests listed, %d counted", name, mine, theirs, len(list), u.Requests)
			}
			_, err := w.Social.AcceptRequest(w.Ctx, to, me)
			apptest.WantKind(w, err, linnet.NotFound)
		}
	}
}

// blockedPeople looks for ann and bob in each other's lists of accounts.
func blockedPeople(w *apptest.World, ann, bob, cat linnet.ID, lists map[linnet.ID]linnet.ID, by map[linnet.ID]linnet.StatusView) {
	for me, other := range map[linnet.ID]linnet.ID{ann: bob, bob: ann} {
		_, err := w.Social.Follow(w.Ctx, me, other, linnet.FollowOptions{})
		apptest.WantKind(w, err, linnet.Forbidden)
		for _, list := range []linnet.Slice[linnet.UserView]{
			apptest.Must(w.Lists.ListMembers(w.Ctx, me, lists[me], linnet.Page{Limit: 9}))(w), apptest.Must(w.Posting.Marks.FavouritedBy(w.Ctx, me, by[me].ID, linnet.Page{}))(w),
			apptest.Must(w.View.Followers(w.Ctx, me, cat, linnet.Page{}))(w), apptest.Must(w.View.Followers(w.Ctx, me, other, linnet.Page{}))(w)} {
			if slices.ContainsFunc(list.Items, func(u linnet.UserView) bool { return u.ID == other }) {
				w.Errorf("a list of people names who is at the other side of a block")
			}
		}
	}
}

// TestStreamsOfBlocks checks that streams skip blocked and muted authors as soon as the block or
// mute is answered, until it ends.
func TestStreamsOfBlocks(t *testing.T) {
	w := apptest.InMemory(t)
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	w.Follow(ann, cat)
	w.Follow(bob, cat)
	all := []linnet.Stream{apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamPublic), {Kind: linnet.StreamTag, Tag: "x"}}
	atAnn, atBob := w.Listen(apptest.Session(ann), all...), w.Listen(apptest.Session(bob), all...)
	apptest.Must(w.Social.Block(w.Ctx, ann, bob))(t)
	a, b := w.Post(ann, "by ann #x"), w.Post(bob, "by bob #x @ann")
	apptest.Must(w.Posting.Repost(w.Ctx, cat, a.ID, nil))(t)
	apptest.Must(w.Posting.Repost(w.Ctx, cat, b.ID, nil))(t)
	w.Post(cat, "to @bob")
	apptest.Must(w.Social.Mute(w.Ctx, bob, cat, linnet.MuteOptions{}))(t)
	w.Post(cat, "muted")
	w.Post(bob, "mine")
	atBob.WaitFor("user update mine")
	apptest.Must(w.Social.Unmute(w.Ctx, bob, cat))(t)
	w.Post(cat, "last")
	for _, e := range []*apptest.Listener{atAnn, atBob} {
		e.WaitFor("user update last")
	}
	for e, other := range map[*apptest.Listener]string{atAnn: "bob", atBob: "ann"} {
		for _, word := range e.Words() {
			if strings.Contains(word, "by "+other) || e == atAnn && strings.Contains(word, "to @bob") || e == atBob && strings.Contains(word, "muted") {
				t.Errorf("who shares a block with %s, or mutes, hears %q", other, word)
			}
		}
	}
	apptest.Must(w.Social.Unblock(w.Ctx, ann, bob))(t)
	w.Post(bob, "again")
	atAnn.WaitFor("public update again")
}

// TestMuteEnds checks that a mute with a duration expires, and that its record is deleted later.
func TestMuteEnds(t *testing.T) {
	clock := &apptest.Clock{}
	w := apptest.NewWith(t, memkv.New(memkv.Options{Now: clock.Now}), store.Options{Now: clock.Now})
	me, bob, cat := w.Person("me"), w.Person("bob"), w.Person("cat")
	w.Follow(me, bob)
	w.Post(bob, "by bob")
	muted := func() string {
		r := apptest.Must(w.Social.Relationships(w.Ctx, me, []linnet.ID{bob}))(t)[0]
		return fmt.Sprint(r.Muting, r.MutingNotices, r.MutedUntil.IsZero(), len(w.Home(me, 5)), len(apptest.Must(w.Social.Mutes(w.Ctx, me, linnet.Page{}))(t).Items))
	}
	apptest.Equal(t, "before", []string{muted()}, []string{"false false true 1 0"})
	apptest.Must(w.Social.Mute(w.Ctx, me, bob, linnet.MuteOptions{Notices: true, For: time.Hour}))(t)
	apptest.Equal(t, "muted", []string{muted()}, []string{"true true false 0 1"})
	clock.Set(time.Hour + time.Second)
	apptest.Equal(t, "ended", []string{muted()}, []string{"false false true 1 0"})
	apptest.Must(w.Social.Mute(w.Ctx, me, cat, linnet.MuteOptions{}))(t)
	apptest.Equal(t, "cleared", []string{fmt.Sprint(apptest.Must(w.Store.All(w.Ctx, record.MutesKey(me), 9))(t))}, []string{fmt.Sprint([]linnet.ID{cat})})
	w.Check()
}

// TestBlockedByMany checks that the rules are the same for a user with more relationship flags than
// one read returns.
func TestBlockedByMany(t *testing.T) {
	w := apptest.InMemory(t)
	me, crowd := w.Person("me"), w.People(270)
	for _, id := range crowd[10:] {
		apptest.Must(w.Social.Block(w.Ctx, id, me))(t)
	}
	apptest.Must(w.Social.Mute(w.Ctx, me, crowd[1], linnet.MuteOptions{}))(t)
	at := w.Listen(apptest.Session(me), apptest.Stream(linnet.StreamPublic))
	for _, id := range crowd[:20] {
		w.Post(id, "by %v", id)
	}
	w.Post(crowd[2], "to @user1")
	w.Post(crowd[0], "last")
	w.Drain()
	public := w.Pages(4, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Reading.Public(w.Ctx, me, linnet.PublicQuery{}, p)
	})
	if len(public) != 10 {
		t.Errorf("%d statuses: %v", len(public), apptest.Texts(public))
	}
	at.WaitFor("public update last")
	if n := len(at.Words()); n != 10 {
		t.Errorf("%d are heard", n)
	}
	w.Check()
}

// TestPagesWithoutTheMuted checks that pages are full although muted entries are hidden.
func TestPagesWithoutTheMuted(t *testing.T) {
	w := apptest.InMemory(t)
	me, loud, quiet := w.Person("me"), w.Person("loud"), w.Person("quiet")
	apptest.Must(w.Social.Mute(w.Ctx, me, loud, linnet.MuteOptions{}))(t)
	for i := range 15 {
		w.Post(quiet, "#t %d", i)
		for range 5 {
			w.Post(loud, "#t loud")
		}
	}
	w.Drain()
	for name, read := range map[string]func(linnet.Page) (linnet.Slice[linnet.StatusView], error){
		"public": func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Public(w.Ctx, me, linnet.PublicQuery{}, p)
		},
		"tag": func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Tag(w.Ctx, me, linnet.TagQuery{Tag: "t"}, p)
		},
	} {
		if first := apptest.Must(read(linnet.Page{Limit: 7}))(t); len(first.Items) != 7 {
			t.Errorf("%s: a page of %d", name, len(first.Items))
		}
		if all := w.Pages(7, read); len(all) != 15 {
			t.Errorf("%s: %d in all", name, len(all))
		}
	}
}

// TestDeletionsUnderBlocks checks that a user blocked by an author receives no deletion events for
// that author's statuses. Users who block or mute the author receive them.
func TestDeletionsUnderBlocks(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
		apptest.Must(w.Social.Block(w.Ctx, ann, bob))(w)
		apptest.Must(w.Social.Block(w.Ctx, cat, ann))(w)
		ears := map[linnet.ID]*apptest.Listener{0: nil, bob: nil, cat: nil, ann: nil}
		for id := range ears {
			who := linnet.Session{}
			if id != 0 {
				who = apptest.Session(id)
			}
			ears[id] = w.Listen(who, apptest.Stream(linnet.StreamPublic))
		}
		s := w.Post(ann, "#tea").ID
		ears[0].WaitFor("public update #tea")
		apptest.Must(w.Posting.Delete(w.Ctx, ann, s))(w)
		ears[0].WaitFor("public delete")
		w.Post(w.Person("dan"), "the last")
		for id, e := range ears {
			e.WaitFor("public update the last")
			if got, want := slices.Contains(e.Words(), "public delete"), id != bob; got != want {
				w.Errorf("user %v: told of the deletion: %v, want %v", id, got, want)
			}
		}
	})
}

// TestNoticesUnderMutes checks that actions during a block, or during a mute with notifications,
// never cause a notification, not even after its end. A mute without notifications suppresses none.
func TestNoticesUnderMutes(t *testing.T) { apptest.OnEngines(t, noticesUnderMutes) }

func noticesUnderMutes(w *apptest.World) {
	me, ann := w.Person("me"), w.Person("ann")
	apptest.Must(w.Social.Follow(w.Ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(w)
	s := w.Post(me, "mine").ID
	acts := func(when string) {
		w.Helper()
		apptest.Must(w.Posting.Marks.Favourite(w.Ctx, ann, s))(w)
		apptest.Must(w.Posting.Repost(w.Ctx, ann, s, nil))(w)
		w.Follow(ann, me)
		w.Post(ann, "%s, @me", when)
		w.NextMillisecond() // notifications of one millisecond have no order
		w.Post(ann, "%s", when)
		w.Drain()
	}
	told := func(when string) string {
		return fmt.Sprintf("[status by ann: %[1]s mention by ann: %[1]s, @me follow by ann reblog by ann: mine favourite by ann: mine]", when)
	}
	for _, c := range []struct {
		when string
		mute linnet.MuteOptions
		want string
	}{{"muted", linnet.MuteOptions{Notices: true}, "[]"}, {"for a while", linnet.MuteOptions{Notices: true, For: time.Hour}, "[]"},
		{"half muted", linnet.MuteOptions{}, told("half muted")}} {
		apptest.Must(w.Social.Mute(w.Ctx, me, ann, c.mute))(w)
		for range 2 { // first from the store, then from the cache
			acts(c.when)
			apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, ann, s))(w)
			apptest.Must(w.Posting.Unrepost(w.Ctx, ann, s))(w)
			apptest.Must(w.Social.Unfollow(w.Ctx, ann, me))(w)
			w.Home(me, 5)
		}
		w.OK(w.Notify.ClearNotifications(w.Ctx, me))
		acts(c.when)
		apptest.Must(w.Social.Unmute(w.Ctx, me, ann))(w)
		if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{Held: true}, 40)); got != c.want {
			w.Errorf("%s: %s", c.when, got)
		}
		apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, ann, s))(w)
		apptest.Must(w.Posting.Unrepost(w.Ctx, ann, s))(w)
		apptest.Must(w.Social.Unfollow(w.Ctx, ann, me))(w)
		w.OK(w.Notify.ClearNotifications(w.Ctx, me))
	}
	acts("heard")
	if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{}, 40)); got != told("heard") {
		w.Errorf("afterwards: %s", got)
	}
	w.Check()
}

// TestNoticesUnderBlocks checks that an action before a block causes no notification if it is
// processed during the block, not even after the block ends.
func TestNoticesUnderBlocks(t *testing.T) {
	for name, blocker := range map[string]string{"by who is told": "me", "by who acts": "ann"} {
		t.Run(name, func(t *testing.T) {
			e := faultkv.New(memkv.New(memkv.Options{}))
			w := apptest.Idle(t, e, store.Options{})
			me, ann := w.Person("me"), w.Person("ann")
			apptest.Must(w.Social.Follow(w.Ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(t)
			for _, said := range []string{"before the block, @me", "before the block"} {
				e.Reset()
				e.FailAt(2, faultkv.Before) // leaves a task that notifies later
				w.Post(ann, "%s", said)
			}
			e.Reset()
			by, of := me, ann
			if blocker == "ann" {
				by, of = ann, me
			}
			blockedElsewhere(t, e, by, of)
			w = apptest.Serve(t, e, store.Options{})
			apptest.Must(w.Social.Unblock(w.Ctx, by, of))(t)
			if got := apptest.NoticeText(w.NoticesOf(me, linnet.NotificationFilter{Held: true}, 40)); got != "[]" {
				t.Error(got)
			}
		})
	}
}

// blockedElsewhere blocks on a server that does not run the tasks of others, and waits for the
// tasks of the block.
func blockedElsewhere(t *testing.T, e kv.Engine, by, of linnet.ID) {
	t.Helper()
	st := store.New(e, store.Options{Shared: true})
	s := apptest.Must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet()}))(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	defer func() { stop(); <-done }()
	apptest.Must(s.Social.Block(ctx, by, of))(t)
	(&apptest.World{T: t, App: s, Ctx: ctx, Store: st}).Drain()
}
