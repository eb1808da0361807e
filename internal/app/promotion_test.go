package app_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/store/statuses"
	"linnet/internal/task"
)

// ballot is a world with votes for ann's statuses. me follows ann, eve follows the first voter, and
// sam follows no one.
type ballot struct {
	*world
	ann, me, eve, sam linnet.ID
	voters            []linnet.ID
}

func newBallot(w *world) ballot {
	b := ballot{w, w.person("ann"), w.person("me"), w.person("eve"), w.person("sam"), w.people(12)}
	w.follow(b.me, b.ann)
	w.follow(b.eve, b.voters[0])
	return b
}

func (b ballot) favour(st linnet.ID, voters ...linnet.ID) {
	b.Helper()
	for _, v := range voters {
		must(b.Posting.Marks.Favourite(b.ctx, v, st))(b)
	}
	b.drain()
}

func (w *world) top(me linnet.ID) []linnet.StatusView {
	w.Helper()
	return w.pages(2, func(p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
		return w.Feeds.ListTimeline(w.ctx, me, linnet.TopList, p)
	})
}

func (w *world) tops(me linnet.ID, want ...string) {
	w.Helper()
	if got := texts(w.top(me)); !slices.Equal(got, want) {
		w.Errorf("Top of %v: %q, want %q", me, got, want)
	}
}

// TestPromotion checks that a status that passes a level enters the Top of followers of its author
// and voters, for warm and cold feeds. The next level moves it up.
func TestPromotion(t *testing.T) { onEngines(t, promotion) }

func promotion(w *world) {
	b := newBallot(w)
	st := w.post(b.ann, "good").ID
	w.tops(b.me) // warm
	b.favour(st, b.voters[:3]...)
	w.tops(b.me)
	b.favour(st, b.voters[3])
	for _, reader := range []linnet.ID{b.me, b.eve, b.voters[0]} {
		w.tops(b.eve, "RT good")
		if err := w.store.Feeds.ForgetFeeds(w.ctx, record.TopKey(reader)); err != nil {
			w.Fatal(err)
		}
	}
	w.tops(b.me, "RT good")
	w.tops(b.eve, "RT good")
	w.tops(b.sam)
	w.tops(b.ann)
	first := w.top(b.eve)[0]
	resolves(b, first, st)
	other := w.post(b.ann, "other").ID
	b.favour(other, b.voters[:4]...)
	w.tops(b.me, "RT other", "RT good")
	b.favour(st, b.voters[4:9]...) // ten points with ann's repost and favourite
	moved(b, first, st)
	must(w.Posting.Marks.Unfavourite(w.ctx, b.voters[0], st))(w)
	b.favour(st, b.voters[0]) // a level is passed once
	w.tops(b.me, "RT good", "RT other")
	must(w.Posting.Delete(w.ctx, b.ann, other))(w)
	must(w.Social.Unfollow(w.ctx, b.me, b.ann))(w)
	w.drain()
	w.tops(b.me)
	w.follow(b.me, b.voters[7])
	w.drain()
	w.tops(b.me, "RT good")
	w.check()
	first = w.top(b.eve)[0]
	must(w.Posting.Delete(w.ctx, b.ann, st))(w)
	w.drain()
	w.tops(b.me)
	w.tops(b.eve)
	if _, err := w.View.Status(w.ctx, b.me, first.ID); linnet.KindOf(err) != linnet.NotFound {
		w.Errorf("the promotion of a deleted status: %v", err)
	}
	w.check()
}

// moved checks that a promoted status is above another for followers of its author and of an early
// voter. It reads warm and rebuilt feeds and checks that the earlier promotion is deleted.
func moved(b ballot, before linnet.StatusView, st linnet.ID) {
	b.Helper()
	for _, reader := range []linnet.ID{b.me, b.eve} {
		b.tops(reader, "RT good", "RT other")
		if err := b.store.Feeds.ForgetFeeds(b.ctx, record.TopKey(reader)); err != nil {
			b.Fatal(err)
		}
		b.tops(reader, "RT good", "RT other")
	}
	if _, err := b.View.Status(b.ctx, b.me, before.ID); linnet.KindOf(err) != linnet.NotFound {
		b.Errorf("the promotion before: %v", err)
	}
	if all := must(b.store.Statuses.PromotionsOf(b.ctx, st))(b); len(all) != 1 || all[0] <= before.ID {
		b.Errorf("promotions %v, the first was %v", all, before.ID)
	}
	after := must(b.Feeds.ListTimeline(b.ctx, b.me, linnet.TopList, linnet.Page{Since: linnet.CursorOf(before.ID)}))(b)
	if got := texts(after.Items); !slices.Equal(got, []string{"RT good", "RT other"}) {
		b.Errorf("since the promotion before: %q", got)
	}
	b.check()
}

// resolves checks that actions accept the id of a promotion for its status.
func resolves(b ballot, p linnet.StatusView, of linnet.ID) {
	v := must(b.View.Status(b.ctx, b.sam, p.ID))(b)
	if v.By.Login != "top" || v.Repost.ID != of || v.ID == of || v.ID.Shard() != of.Shard() {
		b.Errorf("promotion: %+v", v.Status)
	}
	answer := b.draft(b.sam, linnet.Draft{Text: "answer", InReplyTo: p.ID})
	if answer.InReplyTo != of || len(must(b.Reading.Thread(b.ctx, b.sam, p.ID, linnet.ThreadQuery{}))(b).Descendants) != 1 {
		b.Errorf("answer: %+v", answer.Status)
	}
	if v := must(b.Posting.Marks.Bookmark(b.ctx, b.sam, p.ID))(b); v.ID != of || !v.Bookmarked {
		b.Errorf("bookmark: %+v", v)
	}
	if _, err := b.Posting.Delete(b.ctx, b.ann, p.ID); linnet.KindOf(err) != linnet.NotFound {
		b.Errorf("delete: %v", err)
	}
}

// TestPromotionOfWhatIsNotWanted checks that private statuses and statuses of silenced authors are
// not promoted, and that no reader sees muted or blocked authors.
func TestPromotionOfWhatIsNotWanted(t *testing.T) {
	b := newBallot(memWorld(t))
	for _, v := range b.voters {
		b.follow(v, b.ann)
	}
	private := b.draft(b.ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)}).ID
	unlisted := b.draft(b.ann, linnet.Draft{Text: "unlisted", Visibility: new(linnet.Unlisted)}).ID
	b.favour(private, b.voters[:8]...)
	b.favour(unlisted, b.voters[:8]...)
	b.tops(b.me, "RT unlisted")
	must(b.Social.Mute(b.ctx, b.me, b.ann, linnet.MuteOptions{}))(b)
	b.tops(b.me)
	must(b.Social.Block(b.ctx, b.ann, b.eve))(b)
	b.drain()
	b.tops(b.eve)
	must(b.Social.Unmute(b.ctx, b.me, b.ann))(b)
	must(b.Social.Mute(b.ctx, b.me, linnet.TopAccount, linnet.MuteOptions{}))(b)
	b.tops(b.me)
	must(b.Social.Unmute(b.ctx, b.me, linnet.TopAccount))(b)
	b.did(b.operate("ann", linnet.Measure{Act: linnet.Silence}))
	b.drain()
	b.follow(b.sam, b.voters[0])
	b.drain()
	b.tops(b.me, "RT unlisted") // me follows ann
	b.tops(b.sam)
	hushed := b.post(b.ann, "hushed").ID
	b.favour(hushed, b.voters...)
	b.tops(b.me, "RT unlisted")
	b.check()
}

// TestPromotionVotes checks that an author's own vote counts once, and that replies count no more
// than other votes.
func TestPromotionVotes(t *testing.T) {
	b := newBallot(memWorld(t))
	own := b.post(b.sam, "own").ID
	must(b.Posting.Marks.Favourite(b.ctx, b.sam, own))(t)
	b.favour(own, b.voters[:3]...)
	b.follow(b.me, b.sam)
	b.drain()
	b.tops(b.me)
	quarrel := b.post(b.sam, "quarrel").ID
	for range 9 { // many replies
		b.draft(b.eve, linnet.Draft{Text: "no", InReplyTo: quarrel})
	}
	b.draft(b.eve, linnet.Draft{Text: "yes", InReplyTo: own})
	b.drain()
	b.tops(b.me, "RT own")
	b.check()
}

// TestPromotionAtOnce checks that a level is passed once by concurrent votes.
func TestPromotionAtOnce(t *testing.T) {
	b := newBallot(memWorld(t))
	st := b.post(b.ann, "good").ID
	crowd := slices.Concat(b.voters, []linnet.ID{b.me, b.eve, b.sam})
	for range 4 {
		crowd = append(crowd, b.person(fmt.Sprintf("more%d", len(crowd))))
	}
	var all sync.WaitGroup
	for _, v := range crowd {
		all.Go(func() { must(b.Posting.Marks.Favourite(b.ctx, v, st))(t) })
	}
	all.Wait()
	b.drain()
	levels := map[int]bool{}
	for _, v := range b.top(b.me) {
		if levels[v.Level] {
			t.Errorf("level %d twice", v.Level)
		}
		levels[v.Level] = true
	}
	if len(levels) != 1 || !levels[3] { // 20 points: the levels are at 5, 10 and 20
		t.Errorf("levels %v", levels)
	}
	b.check()
}

// TestPromotionCost checks that a vote below a level costs the same as a vote for a status that
// cannot be promoted. A vote that passes a level costs little more.
func TestPromotionCost(t *testing.T) {
	c := newCosts(t)
	b := newBallot(c.world)
	for _, v := range b.voters {
		b.follow(v, b.ann)
	}
	open := b.post(b.ann, "open").ID
	closed := b.draft(b.ann, linnet.Draft{Text: "closed", Visibility: new(linnet.Private)}).ID
	for i, v := range b.voters {
		vote := func(what string, st linnet.ID) faultkv.Stats {
			must(b.View.Status(b.ctx, v, st))(t) // fills both caches
			return c.of(what, func() { must(b.Posting.Marks.Favourite(b.ctx, v, st))(t) })
		}
		private, public := vote("favourite of a private status", closed), vote(fmt.Sprint("favourite ", i+1), open)
		const removal = 1 // a worker removes the finished task
		switch passes := i+1 == 4 || i+1 == 9; {
		case passes && (public.Reads > private.Reads+7+2*i || public.Writes() > private.Writes()+6+2*i):
			t.Errorf("a promotion of %d voters takes %+v", i, public)
		case !passes && (public.Reads != private.Reads || public.Queries != private.Queries || public.Writes() > private.Writes()+removal):
			t.Errorf("favourite %d takes %+v, that of a private status %+v", i+1, public, private)
		}
	}
	b.tops(b.me, "RT open")
}

// TestPromotionByManyFollowed checks that promotions are not pushed to the followers of a voter
// with too many of them. Their Top reads the voter's promotions.
func TestPromotionByManyFollowed(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := &world{T: t, ctx: t.Context(), store: store.New(e, store.Options{})}
	w.App = must(app.New(w.store, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: quiet(), Exclusive: true, PullAbove: 1}))(t)
	b := newBallot(w)
	b.tops(b.eve) // warm
	must(0, w.store.Feeds.PullAuthor(w.ctx, b.voters[0], 1))(t)
	must(0, w.Reload(w.ctx))(t)
	st := b.post(b.ann, "good").ID
	for _, v := range b.voters[:4] {
		must(b.Posting.Marks.Favourite(b.ctx, v, st))(t)
	}
	for range 2 {
		b.tops(b.eve, "RT good")
		must(0, w.store.Feeds.ForgetFeeds(w.ctx, record.TopKey(b.eve)))(t)
	}
	w.check()
}

// TestTopAccount checks that the account of promotions is not counted, not found, and refuses all
// actions.
func TestTopAccount(t *testing.T) {
	b := newBallot(memWorld(t))
	before := must(b.Settings.Instance(b.ctx))(t).People
	b.favour(b.post(b.ann, "good").ID, b.voters...)
	top := linnet.TopAccount
	if u := must(b.View.UserByLogin(b.ctx, 0, "top"))(t); u.ID != top || !u.Bot || u.Statuses != 0 {
		t.Errorf("%+v", u)
	}
	if found := must(b.Discovery.SearchUsers(b.ctx, b.me, searchFor("top")))(t); len(found) != 0 {
		t.Errorf("found: %+v", found)
	}
	if now := must(b.Settings.Instance(b.ctx))(t).People; now != before {
		t.Errorf("%d users, before %d", now, before)
	}
	for _, err := range []error{
		second(b.Social.Follow(b.ctx, b.me, top, linnet.FollowOptions{})), second(b.Social.Block(b.ctx, b.me, top)),
		b.Lists.AddToList(b.ctx, b.me, b.list(b.me, linnet.ListChange{}), []linnet.ID{top}),
		second(b.Moderation.Report(b.ctx, b.me, linnet.ReportDraft{On: top})), b.Social.Deletion.DeleteUser(b.ctx, top),
		b.Identity.SetPassword(b.ctx, linnet.Operator(), "top", "correct horse"), b.giveRole("top", linnet.Admin), b.operate("top", linnet.Measure{Act: linnet.Suspend}),
	} {
		kindIs(t, err, linnet.Forbidden)
	}
	kindIs(t, second(b.Identity.Authenticate(b.ctx, "top", "")), linnet.Unauthenticated)
	if v := b.post(b.me, "dear @top"); len(v.Mentions) != 0 {
		t.Errorf("mentions %+v", v.Mentions)
	}
	b.check()
}

// TestTopList checks that Top is listed for users who have turned it on, and that it is read-only.
func TestTopList(t *testing.T) {
	b := newBallot(memWorld(t))
	l := must(b.Lists.List(b.ctx, b.me, linnet.TopList))(t)
	if all := must(b.Lists.Lists(b.ctx, b.me))(t); len(all) != 0 {
		t.Errorf("lists of somebody who made none: %+v", all)
	}
	if s := must(b.Lists.SetShownLists(b.ctx, b.me, linnet.ShownListsChange{Top: new(true)}))(t); !s.Top {
		t.Error("it is not shown")
	}
	if all := must(b.Lists.Lists(b.ctx, b.me))(t); len(all) != 1 || all[0] != l || !l.ReadOnly() || l.Title != "Top" {
		t.Errorf("lists: %+v", all)
	}
	kindIs(t, second(b.Lists.UpdateList(b.ctx, b.me, l.ID, linnet.ListChange{Title: new("x")})), linnet.Forbidden)
	kindIs(t, b.Lists.AddToList(b.ctx, b.me, l.ID, []linnet.ID{b.ann}), linnet.Forbidden)
	kindIs(t, b.Lists.RemoveFromList(b.ctx, b.me, l.ID, []linnet.ID{b.ann}), linnet.Forbidden)
	if m := must(b.Lists.ListMembers(b.ctx, b.me, l.ID, linnet.Page{}))(t); len(m.Items) != 0 {
		t.Errorf("members: %+v", m)
	}
	b.did(b.Lists.DeleteList(b.ctx, b.me, l.ID))
	if all := must(b.Lists.Lists(b.ctx, b.me))(t); len(all) != 0 {
		t.Errorf("lists: %+v", all)
	}
	b.tops(b.me)
	b.tops(b.eve)
}

// TestPromotionOfEachLevel checks that several promotions per status, which earlier releases
// stored, are shown as the last one, in feeds and on pages. The next promotion replaces them.
func TestPromotionOfEachLevel(t *testing.T) { onEngines(t, promotionOfEachLevel) }

func promotionOfEachLevel(w *world) {
	b := newBallot(w)
	st := w.post(b.ann, "good").ID
	b.favour(st, b.voters[:4]...)
	b.tops(b.me, "RT good")
	other := w.post(b.ann, "other").ID
	b.favour(other, b.voters[:4]...)
	standing := must(w.store.Statuses.PromotionData(w.ctx, st, b.ann, 0))(w)
	by := &linnet.Status{Author: linnet.TopAccount, RepostOf: st, RepostAuthor: b.ann, Level: 2, Promoters: b.voters[:1], Version: 1}
	_, ok, err := w.store.Statuses.Promote(w.ctx, standing.Status, statuses.Promoting{Level: 2, Bar: 20, By: by,
		Carry: func(linnet.ID) ([]task.Task, error) { return nil, nil }})
	if err != nil || !ok || len(must(w.store.Statuses.PromotionsOf(w.ctx, st))(w)) != 2 {
		w.Fatalf("a second promotion: %v, %v", ok, err)
	}
	must(0, w.store.Statuses.AddPromotion(w.ctx, by.ID, b.voters[0]))(w)
	for _, reader := range []linnet.ID{b.me, b.eve} {
		must(0, w.store.Feeds.ForgetFeeds(w.ctx, record.TopKey(reader)))(w)
		b.tops(reader, "RT good", "RT other")
		if all := w.top(reader); all[0].ID != by.ID {
			w.Errorf("Top shows the promotion %v, want the last, %v", all[0].ID, by.ID)
		}
		if page := must(w.Feeds.ListTimeline(w.ctx, reader, linnet.TopList, linnet.Page{Max: linnet.CursorOf(by.ID)}))(w); !slices.Equal(texts(page.Items), []string{"RT other"}) {
			w.Errorf("below it: %q", texts(page.Items))
		}
	}
	w.check()
	for i := range 8 {
		b.favour(st, w.person(fmt.Sprint("late", i)))
	}
	b.favour(st, b.voters[4:]...)
	b.tops(b.me, "RT good", "RT other")
	if all := must(w.store.Statuses.PromotionsOf(w.ctx, st))(w); len(all) != 1 || all[0] <= by.ID {
		w.Errorf("promotions %v", all)
	}
	w.check()
}

// TestPromotionOfTheSilenced checks that a promoted status of a silenced author moves for the
// author's followers only.
func TestPromotionOfTheSilenced(t *testing.T) {
	b := newBallot(memWorld(t))
	st := b.post(b.ann, "good").ID
	b.favour(st, b.voters[:4]...)
	b.did(b.operate("ann", linnet.Measure{Act: linnet.Silence}))
	b.drain()
	b.favour(st, b.voters[4:10]...)
	b.tops(b.me, "RT good")
	b.tops(b.eve)
	b.did(b.operate("ann", linnet.Measure{Act: linnet.Unsilence}))
	b.drain()
	b.tops(b.me, "RT good")
	b.tops(b.eve, "RT good")
	b.check()
}

// TestPromotionMovesOnStreams checks that another promotion moves a status on an open stream of
// Top: one new event and one deletion, with the ids of the pages.
func TestPromotionMovesOnStreams(t *testing.T) {
	b := newBallot(memWorld(t))
	e := b.listen(session(b.me), linnet.Stream{Kind: linnet.StreamList, List: linnet.TopList}, stream(linnet.StreamPublic))
	st := b.post(b.ann, "good").ID
	b.favour(st, b.voters[:4]...)
	e.until("list update RT good")
	before := b.top(b.me)[0].ID
	b.favour(st, b.voters[4:9]...)
	e.until("list delete")
	after := b.top(b.me)[0].ID
	b.post(b.ann, "end")
	e.until("public update end")
	var heard []string
	for _, ev := range e.seen() {
		switch {
		case ev.Stream.Kind != linnet.StreamList:
		case ev.Type == linnet.EventUpdate:
			heard = append(heard, fmt.Sprint("update ", ev.Status.ID))
		default:
			heard = append(heard, fmt.Sprint("delete ", ev.Deleted))
		}
	}
	move := []string{fmt.Sprint("delete ", before), fmt.Sprint("update ", after)} // in any order
	want := append([]string{fmt.Sprint("update ", before)}, move...)
	if len(heard) > 0 {
		slices.Sort(heard[1:])
	}
	if before == after || !slices.Equal(heard, want) {
		t.Errorf("heard %q, want %q", heard, want)
	}
}

// TestPromotionStreams checks that a promotion and its deletion are streamed to the readers whose
// Top contains it.
func TestPromotionStreams(t *testing.T) {
	b := newBallot(memWorld(t))
	top := linnet.Stream{Kind: linnet.StreamList, List: linnet.TopList}
	ears := map[linnet.ID]*ear{}
	for _, who := range []linnet.ID{b.me, b.eve, b.sam, b.ann} {
		ears[who] = b.listen(session(who), top, stream(linnet.StreamUser), stream(linnet.StreamPublic))
	}
	st := b.post(b.ann, "good").ID
	b.favour(st, b.voters[:4]...)
	b.drain()
	for _, who := range []linnet.ID{b.me, b.eve} { // a promotion deleted before its event is not sent
		ears[who].until("list update RT good")
	}
	must(b.Posting.Delete(b.ctx, b.ann, st))(t)
	b.drain()
	b.post(b.ann, "end")
	for who, e := range ears {
		e.until("public update end")
		var of []string
		for _, ev := range e.words() {
			if ev == "list update RT good" || ev == "list delete" || ev == "user update RT good" {
				of = append(of, ev)
			}
		}
		want := map[linnet.ID]string{b.me: "[list update RT good list delete]", b.eve: "[list update RT good list delete]"}[who]
		if got := fmt.Sprint(of); got != want && (got != "[]" || want != "") {
			t.Errorf("%v heard %v", who, e.words())
		}
	}
}
