package discovery_test

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
	*apptest.World
	ann, me, eve, sam linnet.ID
	voters            []linnet.ID
}

func newBallot(w *apptest.World) ballot {
	b := ballot{w, w.Person("ann"), w.Person("me"), w.Person("eve"), w.Person("sam"), w.People(12)}
	w.Follow(b.me, b.ann)
	w.Follow(b.eve, b.voters[0])
	return b
}

func (b ballot) favour(st linnet.ID, voters ...linnet.ID) {
	b.Helper()
	for _, v := range voters {
		apptest.Must(b.Posting.Marks.Favourite(b.Ctx, v, st))(b)
	}
	b.Drain()
}

func tops(w *apptest.World, me linnet.ID, want ...string) {
	w.Helper()
	if got := apptest.Texts(w.Top(me)); !slices.Equal(got, want) {
		w.Errorf("Top of %v: %q, want %q", me, got, want)
	}
}

// TestPromotion checks that a status that passes a level enters the Top of followers of its author
// and voters, for warm and cold feeds. The next level moves it up.
func TestPromotion(t *testing.T) { apptest.OnEngines(t, promotion) }

func promotion(w *apptest.World) {
	b := newBallot(w)
	st := w.Post(b.ann, "good").ID
	tops(w, b.me) // warm
	b.favour(st, b.voters[:3]...)
	tops(w, b.me)
	b.favour(st, b.voters[3])
	for _, reader := range []linnet.ID{b.me, b.eve, b.voters[0]} {
		tops(w, b.eve, "RT good")
		if err := w.Store.Feeds.ForgetFeeds(w.Ctx, record.TopKey(reader)); err != nil {
			w.Fatal(err)
		}
	}
	tops(w, b.me, "RT good")
	tops(w, b.eve, "RT good")
	tops(w, b.sam)
	tops(w, b.ann)
	first := w.Top(b.eve)[0]
	resolves(b, first, st)
	other := w.Post(b.ann, "other").ID
	b.favour(other, b.voters[:4]...)
	tops(w, b.me, "RT other", "RT good")
	b.favour(st, b.voters[4:9]...) // ten points with ann's repost and favourite
	moved(b, first, st)
	apptest.Must(w.Posting.Marks.Unfavourite(w.Ctx, b.voters[0], st))(w)
	b.favour(st, b.voters[0]) // a level is passed once
	tops(w, b.me, "RT good", "RT other")
	apptest.Must(w.Posting.Delete(w.Ctx, b.ann, other))(w)
	apptest.Must(w.Social.Unfollow(w.Ctx, b.me, b.ann))(w)
	w.Drain()
	tops(w, b.me)
	w.Follow(b.me, b.voters[7])
	w.Drain()
	tops(w, b.me, "RT good")
	w.Check()
	first = w.Top(b.eve)[0]
	apptest.Must(w.Posting.Delete(w.Ctx, b.ann, st))(w)
	w.Drain()
	tops(w, b.me)
	tops(w, b.eve)
	if _, err := w.View.Status(w.Ctx, b.me, first.ID); linnet.KindOf(err) != linnet.NotFound {
		w.Errorf("the promotion of a deleted status: %v", err)
	}
	w.Check()
}

// moved checks that a promoted status is above another for followers of its author and of an early
// voter. It reads warm and rebuilt feeds and checks that the earlier promotion is deleted.
func moved(b ballot, before linnet.StatusView, st linnet.ID) {
	b.Helper()
	for _, reader := range []linnet.ID{b.me, b.eve} {
		tops(b.World, reader, "RT good", "RT other")
		if err := b.Store.Feeds.ForgetFeeds(b.Ctx, record.TopKey(reader)); err != nil {
			b.Fatal(err)
		}
		tops(b.World, reader, "RT good", "RT other")
	}
	if _, err := b.View.Status(b.Ctx, b.me, before.ID); linnet.KindOf(err) != linnet.NotFound {
		b.Errorf("the promotion before: %v", err)
	}
	if all := apptest.Must(b.Store.Statuses.PromotionsOf(b.Ctx, st))(b); len(all) != 1 || all[0] <= before.ID {
		b.Errorf("promotions %v, the first was %v", all, before.ID)
	}
	after := apptest.Must(b.Feeds.ListTimeline(b.Ctx, b.me, linnet.TopList, linnet.Page{Since: linnet.CursorOf(before.ID)}))(b)
	if got := apptest.Texts(after.Items); !slices.Equal(got, []string{"RT good", "RT other"}) {
		b.Errorf("since the promotion before: %q", got)
	}
	b.Check()
}

// resolves checks that actions accept the id of a promotion for its status.
func resolves(b ballot, p linnet.StatusView, of linnet.ID) {
	v := apptest.Must(b.View.Status(b.Ctx, b.sam, p.ID))(b)
	if v.By.Login != "top" || v.Repost.ID != of || v.ID == of || v.ID.Shard() != of.Shard() {
		b.Errorf("promotion: %+v", v.Status)
	}
	answer := b.Draft(b.sam, linnet.Draft{Text: "answer", InReplyTo: p.ID})
	if answer.InReplyTo != of || len(apptest.Must(b.Reading.Thread(b.Ctx, b.sam, p.ID, linnet.ThreadQuery{}))(b).Descendants) != 1 {
		b.Errorf("answer: %+v", answer.Status)
	}
	if v := apptest.Must(b.Posting.Marks.Bookmark(b.Ctx, b.sam, p.ID))(b); v.ID != of || !v.Bookmarked {
		b.Errorf("bookmark: %+v", v)
	}
	if _, err := b.Posting.Delete(b.Ctx, b.ann, p.ID); linnet.KindOf(err) != linnet.NotFound {
		b.Errorf("delete: %v", err)
	}
}

// TestPromotionOfWhatIsNotWanted checks that private statuses and statuses of silenced authors are
// not promoted, and that no reader sees muted or blocked authors.
func TestPromotionOfWhatIsNotWanted(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	for _, v := range b.voters {
		b.Follow(v, b.ann)
	}
	private := b.Draft(b.ann, linnet.Draft{Text: "private", Visibility: new(linnet.Private)}).ID
	unlisted := b.Draft(b.ann, linnet.Draft{Text: "unlisted", Visibility: new(linnet.Unlisted)}).ID
	b.favour(private, b.voters[:8]...)
	b.favour(unlisted, b.voters[:8]...)
	tops(b.World, b.me, "RT unlisted")
	apptest.Must(b.Social.Mute(b.Ctx, b.me, b.ann, linnet.MuteOptions{}))(b)
	tops(b.World, b.me)
	apptest.Must(b.Social.Block(b.Ctx, b.ann, b.eve))(b)
	b.Drain()
	tops(b.World, b.eve)
	apptest.Must(b.Social.Unmute(b.Ctx, b.me, b.ann))(b)
	apptest.Must(b.Social.Mute(b.Ctx, b.me, linnet.TopAccount, linnet.MuteOptions{}))(b)
	tops(b.World, b.me)
	apptest.Must(b.Social.Unmute(b.Ctx, b.me, linnet.TopAccount))(b)
	b.OK(b.Operate("ann", linnet.Measure{Act: linnet.Silence}))
	b.Drain()
	b.Follow(b.sam, b.voters[0])
	b.Drain()
	tops(b.World, b.me, "RT unlisted") // me follows ann
	tops(b.World, b.sam)
	hushed := b.Post(b.ann, "hushed").ID
	b.favour(hushed, b.voters...)
	tops(b.World, b.me, "RT unlisted")
	b.Check()
}

// TestPromotionVotes checks that an author's own vote counts once, and that replies count no more
// than other votes.
func TestPromotionVotes(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	own := b.Post(b.sam, "own").ID
	apptest.Must(b.Posting.Marks.Favourite(b.Ctx, b.sam, own))(t)
	b.favour(own, b.voters[:3]...)
	b.Follow(b.me, b.sam)
	b.Drain()
	tops(b.World, b.me)
	quarrel := b.Post(b.sam, "quarrel").ID
	for range 9 { // many replies
		b.Draft(b.eve, linnet.Draft{Text: "no", InReplyTo: quarrel})
	}
	b.Draft(b.eve, linnet.Draft{Text: "yes", InReplyTo: own})
	b.Drain()
	tops(b.World, b.me, "RT own")
	b.Check()
}

// TestPromotionAtOnce checks that a level is passed once by concurrent votes.
func TestPromotionAtOnce(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	st := b.Post(b.ann, "good").ID
	crowd := slices.Concat(b.voters, []linnet.ID{b.me, b.eve, b.sam})
	for range 4 {
		crowd = append(crowd, b.Person(fmt.Sprintf("more%d", len(crowd))))
	}
	var all sync.WaitGroup
	for _, v := range crowd {
		all.Go(func() { apptest.Must(b.Posting.Marks.Favourite(b.Ctx, v, st))(t) })
	}
	all.Wait()
	b.Drain()
	levels := map[int]bool{}
	for _, v := range b.Top(b.me) {
		if levels[v.Level] {
			t.Errorf("level %d twice", v.Level)
		}
		levels[v.Level] = true
	}
	if len(levels) != 1 || !levels[3] { // 20 points: the levels are at 5, 10 and 20
		t.Errorf("levels %v", levels)
	}
	b.Check()
}

// TestPromotionCost checks that a vote below a level costs the same as a vote for a status that
// cannot be promoted. A vote that passes a level costs little more.
func TestPromotionCost(t *testing.T) {
	c := apptest.NewCosts(t)
	b := newBallot(c.World)
	for _, v := range b.voters {
		b.Follow(v, b.ann)
	}
	open := b.Post(b.ann, "open").ID
	closed := b.Draft(b.ann, linnet.Draft{Text: "closed", Visibility: new(linnet.Private)}).ID
	for i, v := range b.voters {
		vote := func(what string, st linnet.ID) faultkv.Stats {
			apptest.Must(b.View.Status(b.Ctx, v, st))(t) // fills both caches
			return c.Of(what, func() { apptest.Must(b.Posting.Marks.Favourite(b.Ctx, v, st))(t) })
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
	tops(b.World, b.me, "RT open")
}

// TestPromotionByManyFollowed checks that promotions are not pushed to the followers of a voter
// with too many of them. Their Top reads the voter's promotions.
func TestPromotionByManyFollowed(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := &apptest.World{T: t, Ctx: t.Context(), Store: store.New(e, store.Options{})}
	w.App = apptest.Must(app.New(w.Store, app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: apptest.Quiet(), Exclusive: true, PullAbove: 1}))(t)
	b := newBallot(w)
	tops(b.World, b.eve) // warm
	apptest.Must(0, w.Store.Feeds.PullAuthor(w.Ctx, b.voters[0], 1))(t)
	apptest.Must(0, w.Reload(w.Ctx))(t)
	st := b.Post(b.ann, "good").ID
	for _, v := range b.voters[:4] {
		apptest.Must(b.Posting.Marks.Favourite(b.Ctx, v, st))(t)
	}
	for range 2 {
		tops(b.World, b.eve, "RT good")
		apptest.Must(0, w.Store.Feeds.ForgetFeeds(w.Ctx, record.TopKey(b.eve)))(t)
	}
	w.Check()
}

// TestTopAccount checks that the account of promotions is not counted, not found, and refuses all
// actions.
func TestTopAccount(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	before := apptest.Must(b.Settings.Instance(b.Ctx))(t).People
	b.favour(b.Post(b.ann, "good").ID, b.voters...)
	top := linnet.TopAccount
	if u := apptest.Must(b.View.UserByLogin(b.Ctx, 0, "top"))(t); u.ID != top || !u.Bot || u.Statuses != 0 {
		t.Errorf("%+v", u)
	}
	if found := apptest.Must(b.Discovery.SearchUsers(b.Ctx, b.me, apptest.SearchFor("top")))(t); len(found) != 0 {
		t.Errorf("found: %+v", found)
	}
	if now := apptest.Must(b.Settings.Instance(b.Ctx))(t).People; now != before {
		t.Errorf("%d users, before %d", now, before)
	}
	for _, err := range []error{
		apptest.Err(b.Social.Follow(b.Ctx, b.me, top, linnet.FollowOptions{})), apptest.Err(b.Social.Block(b.Ctx, b.me, top)),
		b.Lists.AddToList(b.Ctx, b.me, b.List(b.me, linnet.ListChange{}), []linnet.ID{top}),
		apptest.Err(b.Moderation.Report(b.Ctx, b.me, linnet.ReportDraft{On: top})), b.Social.Deletion.DeleteUser(b.Ctx, top),
		b.Identity.SetPassword(b.Ctx, linnet.Operator(), "top", "correct horse"), b.GiveRole("top", linnet.Admin), b.Operate("top", linnet.Measure{Act: linnet.Suspend}),
	} {
		apptest.WantKind(t, err, linnet.Forbidden)
	}
	apptest.WantKind(t, apptest.Err(b.Identity.Authenticate(b.Ctx, "top", "")), linnet.Unauthenticated)
	if v := b.Post(b.me, "dear @top"); len(v.Mentions) != 0 {
		t.Errorf("mentions %+v", v.Mentions)
	}
	b.Check()
}

// TestTopList checks that Top is listed for users who have turned it on, and that it is read-only.
func TestTopList(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	l := apptest.Must(b.Lists.List(b.Ctx, b.me, linnet.TopList))(t)
	if all := apptest.Must(b.Lists.Lists(b.Ctx, b.me))(t); len(all) != 0 {
		t.Errorf("lists of somebody who made none: %+v", all)
	}
	if s := apptest.Must(b.Lists.SetShownLists(b.Ctx, b.me, linnet.ShownListsChange{Top: new(true)}))(t); !s.Top {
		t.Error("it is not shown")
	}
	if all := apptest.Must(b.Lists.Lists(b.Ctx, b.me))(t); len(all) != 1 || all[0] != l || !l.ReadOnly() || l.Title != "Top" {
		t.Errorf("lists: %+v", all)
	}
	apptest.WantKind(t, apptest.Err(b.Lists.UpdateList(b.Ctx, b.me, l.ID, linnet.ListChange{Title: new("x")})), linnet.Forbidden)
	apptest.WantKind(t, b.Lists.AddToList(b.Ctx, b.me, l.ID, []linnet.ID{b.ann}), linnet.Forbidden)
	apptest.WantKind(t, b.Lists.RemoveFromList(b.Ctx, b.me, l.ID, []linnet.ID{b.ann}), linnet.Forbidden)
	if m := apptest.Must(b.Lists.ListMembers(b.Ctx, b.me, l.ID, linnet.Page{}))(t); len(m.Items) != 0 {
		t.Errorf("members: %+v", m)
	}
	b.OK(b.Lists.DeleteList(b.Ctx, b.me, l.ID))
	if all := apptest.Must(b.Lists.Lists(b.Ctx, b.me))(t); len(all) != 0 {
		t.Errorf("lists: %+v", all)
	}
	tops(b.World, b.me)
	tops(b.World, b.eve)
}

// TestPromotionOfEachLevel checks that several promotions per status, which earlier releases
// stored, are shown as the last one, in feeds and on pages. The next promotion replaces them.
func TestPromotionOfEachLevel(t *testing.T) { apptest.OnEngines(t, promotionOfEachLevel) }

func promotionOfEachLevel(w *apptest.World) {
	b := newBallot(w)
	st := w.Post(b.ann, "good").ID
	b.favour(st, b.voters[:4]...)
	tops(b.World, b.me, "RT good")
	other := w.Post(b.ann, "other").ID
	b.favour(other, b.voters[:4]...)
	standing := apptest.Must(w.Store.Statuses.PromotionData(w.Ctx, st, b.ann, 0))(w)
	by := &linnet.Status{Author: linnet.TopAccount, RepostOf: st, RepostAuthor: b.ann, Level: 2, Promoters: b.voters[:1], Version: 1}
	_, ok, err := w.Store.Statuses.Promote(w.Ctx, standing.Status, statuses.Promoting{Level: 2, Bar: 20, By: by,
		Carry: func(linnet.ID) ([]task.Task, error) { return nil, nil }})
	if err != nil || !ok || len(apptest.Must(w.Store.Statuses.PromotionsOf(w.Ctx, st))(w)) != 2 {
		w.Fatalf("a second promotion: %v, %v", ok, err)
	}
	apptest.Must(0, w.Store.Statuses.AddPromotion(w.Ctx, by.ID, b.voters[0]))(w)
	for _, reader := range []linnet.ID{b.me, b.eve} {
		apptest.Must(0, w.Store.Feeds.ForgetFeeds(w.Ctx, record.TopKey(reader)))(w)
		tops(b.World, reader, "RT good", "RT other")
		if all := w.Top(reader); all[0].ID != by.ID {
			w.Errorf("Top shows the promotion %v, want the last, %v", all[0].ID, by.ID)
		}
		if page := apptest.Must(w.Feeds.ListTimeline(w.Ctx, reader, linnet.TopList, linnet.Page{Max: linnet.CursorOf(by.ID)}))(w); !slices.Equal(apptest.Texts(page.Items), []string{"RT other"}) {
			w.Errorf("below it: %q", apptest.Texts(page.Items))
		}
	}
	w.Check()
	for i := range 8 {
		b.favour(st, w.Person(fmt.Sprint("late", i)))
	}
	b.favour(st, b.voters[4:]...)
	tops(b.World, b.me, "RT good", "RT other")
	if all := apptest.Must(w.Store.Statuses.PromotionsOf(w.Ctx, st))(w); len(all) != 1 || all[0] <= by.ID {
		w.Errorf("promotions %v", all)
	}
	w.Check()
}

// TestPromotionOfTheSilenced checks that a promoted status of a silenced author moves for the
// author's followers only.
func TestPromotionOfTheSilenced(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	st := b.Post(b.ann, "good").ID
	b.favour(st, b.voters[:4]...)
	b.OK(b.Operate("ann", linnet.Measure{Act: linnet.Silence}))
	b.Drain()
	b.favour(st, b.voters[4:10]...)
	tops(b.World, b.me, "RT good")
	tops(b.World, b.eve)
	b.OK(b.Operate("ann", linnet.Measure{Act: linnet.Unsilence}))
	b.Drain()
	tops(b.World, b.me, "RT good")
	tops(b.World, b.eve, "RT good")
	b.Check()
}

// TestPromotionMovesOnStreams checks that another promotion moves a status on an open stream of
// Top: one new event and one deletion, with the ids of the pages.
func TestPromotionMovesOnStreams(t *testing.T) {
	b := newBallot(apptest.InMemory(t))
	e := b.Listen(apptest.Session(b.me), linnet.Stream{Kind: linnet.StreamList, List: linnet.TopList}, apptest.Stream(linnet.StreamPublic))
	st := b.Post(b.ann, "good").ID
	b.favour(st, b.voters[:4]...)
	e.WaitFor("list update RT good")
	before := b.Top(b.me)[0].ID
	b.favour(st, b.voters[4:9]...)
	e.WaitFor("list delete")
	after := b.Top(b.me)[0].ID
	b.Post(b.ann, "end")
	e.WaitFor("public update end")
	var heard []string
	for _, ev := range e.Seen() {
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
	b := newBallot(apptest.InMemory(t))
	top := linnet.Stream{Kind: linnet.StreamList, List: linnet.TopList}
	ears := map[linnet.ID]*apptest.Listener{}
	for _, who := range []linnet.ID{b.me, b.eve, b.sam, b.ann} {
		ears[who] = b.Listen(apptest.Session(who), top, apptest.Stream(linnet.StreamUser), apptest.Stream(linnet.StreamPublic))
	}
	st := b.Post(b.ann, "good").ID
	b.favour(st, b.voters[:4]...)
	b.Drain()
	for _, who := range []linnet.ID{b.me, b.eve} { // a promotion deleted before its event is not sent
		ears[who].WaitFor("list update RT good")
	}
	apptest.Must(b.Posting.Delete(b.Ctx, b.ann, st))(t)
	b.Drain()
	b.Post(b.ann, "end")
	for who, e := range ears {
		e.WaitFor("public update end")
		var of []string
		for _, ev := range e.Words() {
			if ev == "list update RT good" || ev == "list delete" || ev == "user update RT good" {
				of = append(of, ev)
			}
		}
		want := map[linnet.ID]string{b.me: "[list update RT good list delete]", b.eve: "[list update RT good list delete]"}[who]
		if got := fmt.Sprint(of); got != want && (got != "[]" || want != "") {
			t.Errorf("%v heard %v", who, e.Words())
		}
	}
}
