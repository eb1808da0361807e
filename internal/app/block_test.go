package app_test

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
func TestBlock(t *testing.T) { onEngines(t, block) }

func block(w *world) {
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	w.follow(ann, bob)
	w.follow(bob, ann)
	w.follow(ann, cat)
	w.follow(bob, cat)
	lists := map[linnet.ID]linnet.ID{ann: w.list(ann, linnet.ListChange{}), bob: w.list(bob, linnet.ListChange{})}
	w.addTo(ann, lists[ann], bob)
	w.addTo(ann, lists[ann], cat)
	w.addTo(bob, lists[bob], ann)
	w.addTo(bob, lists[bob], cat)
	root := w.post(cat, "root")
	by := map[linnet.ID]linnet.StatusView{}
	for _, id := range []linnet.ID{ann, bob} {
		by[id] = w.draft(id, linnet.Draft{Text: "words #tag @ann @bob", InReplyTo: root.ID})
		w.draft(id, linnet.Draft{Text: "public #tag"})
		must(w.Posting.Repost(w.ctx, cat, by[id].ID, nil))(w)
	}
	must(w.Posting.Marks.Favourite(w.ctx, bob, by[ann].ID))(w)
	must(w.Posting.Marks.Favourite(w.ctx, ann, by[bob].ID))(w)
	must(w.Social.Block(w.ctx, ann, bob))(w)
	for way, shown := range w.ways(bob, lists[bob], ann, root.ID, by[ann]) {
		if shown {
			w.Errorf("who is blocked sees a status by %s", way)
		}
	}
	for act, err := range w.acts(bob, by[ann].ID) {
		if linnet.KindOf(err) != linnet.NotFound {
			w.Errorf("who is blocked may %s: %v", act, err)
		}
	}
	named := []string{"status", "its thread", "who favourited it", "who reposted it", "statuses", "profile", "address", "favourites"}
	for way, shown := range w.ways(ann, lists[ann], bob, root.ID, by[bob]) {
		if shown != slices.Contains(named, way) {
			w.Errorf("whether who blocks sees a status by %s is %v", way, shown)
		}
	}
	w.drain()
	equal(w, "home of who blocks", texts(w.home(ann, 2)), []string{"public #tag", "words #tag @ann @bob", "root"})
	equal(w, "home of who is blocked", texts(w.home(bob, 2)), []string{"public #tag", "words #tag @ann @bob", "root"})
	blockedPeople(w, ann, bob, cat, lists, by)
	v := w.post(bob, "hello @ann")
	if len(v.Mentions) != 0 {
		w.Error("who is blocked mentions who blocks")
	}
	w.drain()
	w.check()
	must(w.Social.Unblock(w.ctx, ann, bob))(w)
	w.drain()
	w.check()
	must(w.View.Status(w.ctx, bob, by[ann].ID))(w)
	w.follow(bob, ann)
}

// TestBlockEndsRequests checks that a block in either direction ends follow requests between the
// two users, and that unblocking does not restore them.
func TestBlockEndsRequests(t *testing.T) { onEngines(t, blockEndsRequests) }

func blockEndsRequests(w *world) {
	for name, byAsked := range map[string]bool{"asked": true, "asking": false} {
		me, to := w.person("me_"+name), w.person("to_"+name)
		must(w.Social.Profiles.Update(w.ctx, to, linnet.ProfileChange{Locked: new(true)}))(w)
		must(w.Social.Follow(w.ctx, me, to, linnet.FollowOptions{}))(w)
		w.drain()
		if n := len(must(w.Social.FollowRequests(w.ctx, to, linnet.Page{}))(w).Items); n != 1 {
			w.Fatalf("%d requests before the block", n)
		}
		blocker, blocked := me, to
		if byAsked {
			blocker, blocked = to, me
		}
		for _, act := range []func() (linnet.Relationship, error){
			func() (linnet.Relationship, error) { return w.Social.Block(w.ctx, blocker, blocked) },
			func() (linnet.Relationship, error) { return w.Social.Unblock(w.ctx, blocker, blocked) },
		} {
			must(act())(w)
			w.drain()
			w.check()
			mine, theirs := must(w.Social.Relationships(w.ctx, me, []linnet.ID{to}))(w)[0], must(w.Social.Relationships(w.ctx, to, []linnet.ID{me}))(w)[0]
			list, u := must(w.Social.FollowRequests(w.ctx, to, linnet.Page{}))(w).Items, must(w.View.User(w.ctx, to, to))(w)
			if mine.Requested || mine.Following || theirs.RequestedBy || len(list) != 0 || u.Requests != 0 {
				w.Errorf("the %s one blocks: %+v, %+v, %d requests listed, %d counted", name, mine, theirs, len(list), u.Requests)
			}
			_, err := w.Social.AcceptRequest(w.ctx, to, me)
			kindIs(w, err, linnet.NotFound)
		}
	}
}

// blockedPeople looks for ann and bob in each other's lists of accounts.
func blockedPeople(w *world, ann, bob, cat linnet.ID, lists map[linnet.ID]linnet.ID, by map[linnet.ID]linnet.StatusView) {
	for me, other := range map[linnet.ID]linnet.ID{ann: bob, bob: ann} {
		_, err := w.Social.Follow(w.ctx, me, other, linnet.FollowOptions{})
		kindIs(w, err, linnet.Forbidden)
		for _, list := range []linnet.Slice[linnet.UserView]{
			must(w.Lists.ListMembers(w.ctx, me, lists[me], linnet.Page{Limit: 9}))(w), must(w.Posting.Marks.FavouritedBy(w.ctx, me, by[me].ID, linnet.Page{}))(w),
			must(w.View.Followers(w.ctx, me, cat, linnet.Page{}))(w), must(w.View.Followers(w.ctx, me, other, linnet.Page{}))(w)} {
			if slices.ContainsFunc(list.Items, func(u linnet.UserView) bool { return u.ID == other }) {
				w.Errorf("a list of people names who is at the other side of a block")
			}
		}
	}
}

// TestStreamsOfBlocks checks that streams skip blocked and muted authors as soon as the block or
// mute is answered, until it ends.
func TestStreamsOfBlocks(t *testing.T) {
	w := memWorld(t)
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	w.follow(ann, cat)
	w.follow(bob, cat)
	all := []linnet.Stream{stream(linnet.StreamUser), stream(linnet.StreamPublic), {Kind: linnet.StreamTag, Tag: "x"}}
	atAnn, atBob := w.listen(session(ann), all...), w.listen(session(bob), all...)
	must(w.Social.Block(w.ctx, ann, bob))(t)
	a, b := w.post(ann, "by ann #x"), w.post(bob, "by bob #x @ann")
	must(w.Posting.Repost(w.ctx, cat, a.ID, nil))(t)
	must(w.Posting.Repost(w.ctx, cat, b.ID, nil))(t)
	w.post(cat, "to @bob")
	must(w.Social.Mute(w.ctx, bob, cat, linnet.MuteOptions{}))(t)
	w.post(cat, "muted")
	w.post(bob, "mine")
	atBob.until("user update mine")
	must(w.Social.Unmute(w.ctx, bob, cat))(t)
	w.post(cat, "last")
	for _, e := range []*ear{atAnn, atBob} {
		e.until("user update last")
	}
	for e, other := range map[*ear]string{atAnn: "bob", atBob: "ann"} {
		for _, word := range e.words() {
			if strings.Contains(word, "by "+other) || e == atAnn && strings.Contains(word, "to @bob") || e == atBob && strings.Contains(word, "muted") {
				t.Errorf("who shares a block with %s, or mutes, hears %q", other, word)
			}
		}
	}
	must(w.Social.Unblock(w.ctx, ann, bob))(t)
	w.post(bob, "again")
	atAnn.until("public update again")
}

// TestMuteEnds checks that a mute with a duration expires, and that its record is deleted later.
func TestMuteEnds(t *testing.T) {
	clock := &clocked{}
	w := worldOf(t, memkv.New(memkv.Options{Now: clock.now}), store.Options{Now: clock.now})
	me, bob, cat := w.person("me"), w.person("bob"), w.person("cat")
	w.follow(me, bob)
	w.post(bob, "by bob")
	muted := func() string {
		r := must(w.Social.Relationships(w.ctx, me, []linnet.ID{bob}))(t)[0]
		return fmt.Sprint(r.Muting, r.MutingNotices, r.MutedUntil.IsZero(), len(w.home(me, 5)), len(must(w.Social.Mutes(w.ctx, me, linnet.Page{}))(t).Items))
	}
	equal(t, "before", []string{muted()}, []string{"false false true 1 0"})
	must(w.Social.Mute(w.ctx, me, bob, linnet.MuteOptions{Notices: true, For: time.Hour}))(t)
	equal(t, "muted", []string{muted()}, []string{"true true false 0 1"})
	clock.set(time.Hour + time.Second)
	equal(t, "ended", []string{muted()}, []string{"false false true 1 0"})
	must(w.Social.Mute(w.ctx, me, cat, linnet.MuteOptions{}))(t)
	equal(t, "cleared", []string{fmt.Sprint(must(w.store.All(w.ctx, record.MutesKey(me), 9))(t))}, []string{fmt.Sprint([]linnet.ID{cat})})
	w.check()
}

// TestBlockedByMany checks that the rules are the same for a user with more relationship flags than
// one read returns.
func TestBlockedByMany(t *testing.T) {
	w := memWorld(t)
	me, crowd := w.person("me"), w.people(270)
	for _, id := range crowd[10:] {
		must(w.Social.Block(w.ctx, id, me))(t)
	}
	must(w.Social.Mute(w.ctx, me, crowd[1], linnet.MuteOptions{}))(t)
	at := w.listen(session(me), stream(linnet.StreamPublic))
	for _, id := range crowd[:20] {
		w.post(id, "by %v", id)
	}
	w.post(crowd[2], "to @user1")
	w.post(crowd[0], "last")
	w.drain()
	public := w.pages(4, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Reading.Public(w.ctx, me, linnet.PublicQuery{}, p)
	})
	if len(public) != 10 {
		t.Errorf("%d statuses: %v", len(public), texts(public))
	}
	at.until("public update last")
	if n := len(at.words()); n != 10 {
		t.Errorf("%d are heard", n)
	}
	w.check()
}

// TestPagesWithoutTheMuted checks that pages are full although muted entries are hidden.
func TestPagesWithoutTheMuted(t *testing.T) {
	w := memWorld(t)
	me, loud, quiet := w.person("me"), w.person("loud"), w.person("quiet")
	must(w.Social.Mute(w.ctx, me, loud, linnet.MuteOptions{}))(t)
	for i := range 15 {
		w.post(quiet, "#t %d", i)
		for range 5 {
			w.post(loud, "#t loud")
		}
	}
	w.drain()
	for name, read := range map[string]func(linnet.Page) (linnet.Slice[linnet.StatusView], error){
		"public": func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Public(w.ctx, me, linnet.PublicQuery{}, p)
		},
		"tag": func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			return w.Reading.Tag(w.ctx, me, linnet.TagQuery{Tag: "t"}, p)
		},
	} {
		if first := must(read(linnet.Page{Limit: 7}))(t); len(first.Items) != 7 {
			t.Errorf("%s: a page of %d", name, len(first.Items))
		}
		if all := w.pages(7, read); len(all) != 15 {
			t.Errorf("%s: %d in all", name, len(all))
		}
	}
}

// TestDeletionsUnderBlocks checks that a user blocked by an author receives no deletion events for
// that author's statuses. Users who block or mute the author receive them.
func TestDeletionsUnderBlocks(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
		must(w.Social.Block(w.ctx, ann, bob))(w)
		must(w.Social.Block(w.ctx, cat, ann))(w)
		ears := map[linnet.ID]*ear{0: nil, bob: nil, cat: nil, ann: nil}
		for id := range ears {
			who := linnet.Session{}
			if id != 0 {
				who = session(id)
			}
			ears[id] = w.listen(who, stream(linnet.StreamPublic))
		}
		s := w.post(ann, "#tea").ID
		ears[0].until("public update #tea")
		must(w.Posting.Delete(w.ctx, ann, s))(w)
		ears[0].until("public delete")
		w.post(w.person("dan"), "the last")
		for id, e := range ears {
			e.until("public update the last")
			if got, want := slices.Contains(e.words(), "public delete"), id != bob; got != want {
				w.Errorf("user %v: told of the deletion: %v, want %v", id, got, want)
			}
		}
	})
}

// TestNoticesUnderMutes checks that actions during a block, or during a mute with notifications,
// never cause a notification, not even after its end. A mute without notifications suppresses none.
func TestNoticesUnderMutes(t *testing.T) { onEngines(t, noticesUnderMutes) }

func noticesUnderMutes(w *world) {
	me, ann := w.person("me"), w.person("ann")
	must(w.Social.Follow(w.ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(w)
	s := w.post(me, "mine").ID
	acts := func(when string) {
		w.Helper()
		must(w.Posting.Marks.Favourite(w.ctx, ann, s))(w)
		must(w.Posting.Repost(w.ctx, ann, s, nil))(w)
		w.follow(ann, me)
		w.post(ann, "%s, @me", when)
		w.nextMillisecond() // notifications of one millisecond have no order
		w.post(ann, "%s", when)
		w.drain()
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
		must(w.Social.Mute(w.ctx, me, ann, c.mute))(w)
		for range 2 { // first from the store, then from the cache
			acts(c.when)
			must(w.Posting.Marks.Unfavourite(w.ctx, ann, s))(w)
			must(w.Posting.Unrepost(w.ctx, ann, s))(w)
			must(w.Social.Unfollow(w.ctx, ann, me))(w)
			w.home(me, 5)
		}
		w.did(w.Notify.ClearNotifications(w.ctx, me))
		acts(c.when)
		must(w.Social.Unmute(w.ctx, me, ann))(w)
		if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{Held: true}, 40)); got != c.want {
			w.Errorf("%s: %s", c.when, got)
		}
		must(w.Posting.Marks.Unfavourite(w.ctx, ann, s))(w)
		must(w.Posting.Unrepost(w.ctx, ann, s))(w)
		must(w.Social.Unfollow(w.ctx, ann, me))(w)
		w.did(w.Notify.ClearNotifications(w.ctx, me))
	}
	acts("heard")
	if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{}, 40)); got != told("heard") {
		w.Errorf("afterwards: %s", got)
	}
	w.check()
}

// TestNoticesUnderBlocks checks that an action before a block causes no notification if it is
// processed during the block, not even after the block ends.
func TestNoticesUnderBlocks(t *testing.T) {
	for name, blocker := range map[string]string{"by who is told": "me", "by who acts": "ann"} {
		t.Run(name, func(t *testing.T) {
			e := faultkv.New(memkv.New(memkv.Options{}))
			w := idleWorld(t, e, store.Options{})
			me, ann := w.person("me"), w.person("ann")
			must(w.Social.Follow(w.ctx, me, ann, linnet.FollowOptions{Notify: new(true)}))(t)
			for _, said := range []string{"before the block, @me", "before the block"} {
				e.Reset()
				e.FailAt(2, faultkv.Before) // leaves a task that notifies later
				w.post(ann, "%s", said)
			}
			e.Reset()
			by, of := me, ann
			if blocker == "ann" {
				by, of = ann, me
			}
			blockedElsewhere(t, e, by, of)
			w = serve(t, e, store.Options{})
			must(w.Social.Unblock(w.ctx, by, of))(t)
			if got := noticeText(w.noticesOf(me, linnet.NotificationFilter{Held: true}, 40)); got != "[]" {
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
	s := must(app.New(st, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet()}))(t)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); s.Run(ctx) }()
	defer func() { stop(); <-done }()
	must(s.Social.Block(ctx, by, of))(t)
	(&world{T: t, App: s, ctx: ctx, store: st}).drain()
}
