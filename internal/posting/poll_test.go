package posting_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

// TestVote checks that a vote counts once, and that invalid votes are refused.
func TestVote(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
		one := w.PostPoll(ann, apptest.PollOf(300, " tea ", "", "coffee"))
		many := w.PostPoll(ann, &linnet.PollDraft{Options: []string{"a", "b", "c"}, Seconds: 300, Multiple: true, HideTotals: true})
		apptest.Must(w.Posting.Polls.Vote(w.Ctx, bob, one, []int{1}))(w)
		apptest.Must(w.Posting.Polls.Vote(w.Ctx, bob, many, []int{0, 2, 0}))(w)
		for _, try := range []struct {
			who     linnet.ID
			id      linnet.ID
			options []int
			kind    linnet.Kind
		}{{bob, one, []int{0}, linnet.Invalid}, {ann, one, []int{0}, linnet.Invalid}, {cat, one, []int{2}, linnet.Invalid}, {cat, one, []int{-1}, linnet.Invalid},
			{cat, one, []int{0, 1}, linnet.Invalid}, {cat, one, nil, linnet.Invalid}, {cat, w.Post(ann, "no poll").ID, []int{0}, linnet.NotFound}, {cat, 5, []int{0}, linnet.NotFound}} {
			_, err := w.Posting.Polls.Vote(w.Ctx, try.who, try.id, try.options)
			apptest.WantKind(w, err, try.kind)
		}
		for viewer, want := range map[linnet.ID]string{0: "1 [0 1] [] false false", ann: "1 [0 1] [] false false", bob: "1 [0 1] [1] true false", cat: "1 [0 1] [] false false"} {
			if got := w.Result(viewer, one); got != want {
				w.Errorf("%v sees %s, want %s", viewer, got, want)
			}
		}
		if got := w.Result(bob, many); got != "1 [] [0 2] true false" {
			w.Errorf("a poll with hidden totals: %s", got)
		}
		private := w.Draft(ann, linnet.Draft{Text: "for few", Visibility: new(linnet.Private), Poll: apptest.PollOf(300, "a", "b")}).ID
		_, err := w.Posting.Polls.Vote(w.Ctx, bob, private, []int{0})
		apptest.WantKind(w, err, linnet.NotFound)
		apptest.Must(w.Social.Block(w.Ctx, cat, ann))(w)
		_, err = w.Posting.Polls.Vote(w.Ctx, cat, one, []int{0})
		apptest.WantKind(w, err, linnet.Forbidden)
		if v := apptest.Must(w.Posting.Delete(w.Ctx, ann, many))(w); v.PollView == nil || len(v.PollView.Options) != 3 {
			w.Errorf("deleting does not give the poll back: %+v", v.PollView)
		}
		w.Drain()
		w.Check()
	})
}

// TestPollLimits checks that invalid polls are refused with the value and the limit.
func TestPollLimits(t *testing.T) {
	w := apptest.InMemory(t)
	ann := w.Person("ann")
	long := "0123456789012345678901234567890123456789012345678901"
	for _, p := range []*linnet.PollDraft{apptest.PollOf(300, "a"), apptest.PollOf(300, "a", " "), apptest.PollOf(300, "a", "b", "c", "d", "e"), apptest.PollOf(300, "a", "a"), apptest.PollOf(300, "a", long),
		apptest.PollOf(299, "a", "b"), apptest.PollOf(linnet.MaxPollSeconds+1, "a", "b"), apptest.PollOf(0, "a", "b")} {
		_, err := w.Posting.Post(w.Ctx, ann, linnet.Draft{Text: "x", Poll: p})
		apptest.WantKind(t, err, linnet.Invalid)
		var e *linnet.Error
		if !errors.As(err, &e) || len(e.Fields) != 1 {
			t.Errorf("%+v: %v", p, err)
		}
	}
	w.PostPoll(ann, apptest.PollOf(linnet.MaxPollSeconds, "a", "b", "c", long[:50]))
}

// TestVotersAtOnce checks that concurrent votes count each voter once.
func TestVotersAtOnce(t *testing.T) {
	const voters, times = 1000, 2
	apptest.OnEngines(t, func(w *apptest.World) {
		ann := w.Person("ann")
		id := w.PostPoll(ann, &linnet.PollDraft{Options: []string{"a", "b", "c"}, Seconds: 300, Multiple: true})
		people := w.People(voters)
		var all sync.WaitGroup
		var mu sync.Mutex
		yes := 0
		for i, who := range people {
			for n := range times {
				all.Go(func() {
					_, err := w.Posting.Polls.Vote(w.Ctx, who, id, []int{i % 2, 1 + (i+n)%2})
					mu.Lock()
					defer mu.Unlock()
					if err == nil {
						yes++
					} else if linnet.KindOf(err) != linnet.Invalid {
						w.Error(err)
					}
				})
			}
		}
		all.Wait()
		p := apptest.Must(w.View.Poll(w.Ctx, 0, id))(w).PollView
		if yes != voters || p.Voters != voters {
			w.Errorf("%d votes were accepted and %d voters counted, there are %d", yes, p.Voters, voters)
		}
		w.Check() // compares each count with the votes
	})
}

// TestPollEnds checks that a poll ends at its time, also after restarts: no more votes, visible
// totals, and one notification for its author and each voter.
func TestPollEnds(t *testing.T) {
	clock := &apptest.Clock{}
	opt := store.Options{Now: clock.Now}
	e := memkv.New(memkv.Options{Now: clock.Now})
	w := apptest.Idle(t, e, opt)
	ann, bob, cat := w.Person("ann"), w.Person("bob"), w.Person("cat")
	fans := w.People(250) // more than one batch notifies
	id := w.PostPoll(ann, &linnet.PollDraft{Options: []string{"a", "b"}, Seconds: linnet.MaxPollSeconds, HideTotals: true})
	late := w.PostPoll(ann, apptest.PollOf(linnet.MaxPollSeconds, "a", "b"))
	for _, who := range append(fans, bob) {
		apptest.Must(w.Posting.Polls.Vote(w.Ctx, who, id, []int{0}))(t)
	}
	apptest.ServeDue(t, e, opt)
	clock.Advance((linnet.MaxPollSeconds - 60) * time.Second)
	w = apptest.ServeDue(t, e, opt)
	if got := w.Result(bob, id); got != "251 [] [0] true false" || w.PollNotices(bob)+w.PollNotices(ann) != 0 {
		t.Errorf("a minute before its end: %s, %d notifications", got, w.PollNotices(bob)+w.PollNotices(ann))
	}
	clock.Advance(2 * time.Minute)
	_, err := w.Posting.Polls.Vote(w.Ctx, cat, id, []int{0})
	apptest.WantKind(t, err, linnet.Invalid)
	if got := w.Result(bob, id); got != "251 [251 0] [0] true true" {
		t.Errorf("after its end, before it is closed: %s", got)
	}
	for range 2 {
		w = apptest.ServeDue(t, e, opt)
		for _, who := range append([]linnet.ID{bob}, fans...) {
			if n := w.PollNotices(who); n != 1 {
				t.Fatalf("%v has %d notifications of the end", who, n)
			}
		}
		if a, c := w.PollNotices(ann), w.PollNotices(cat); a != 2 || c != 0 { // both of ann's polls have ended
			t.Errorf("%d of the author's, %d of who has not voted", a, c)
		}
	}
	if got := w.Result(bob, id) + w.Result(0, late); got != "251 [251 0] [0] true true"+"0 [0 0] [] false true" {
		t.Errorf("closed: %s", got)
	}
	w.Check()
}

// TestPollsAreForgotten checks that votes are deleted with their voter, and a poll with its author
// or its status.
func TestPollsAreForgotten(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		ann, bob, cat, dan := w.Person("ann"), w.Person("bob"), w.Person("cat"), w.Person("dan")
		id, gone := w.PostPoll(ann, apptest.PollOf(300, "a", "b")), w.PostPoll(bob, apptest.PollOf(300, "a", "b"))
		for i, who := range []linnet.ID{bob, cat, dan} {
			apptest.Must(w.Posting.Polls.Vote(w.Ctx, who, id, []int{i % 2}))(w)
		}
		apptest.Must(w.Posting.Polls.Vote(w.Ctx, cat, gone, []int{0}))(w)
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, bob))
		w.Drain()
		if got := w.Result(cat, id); got != "2 [1 1] [1] true false" {
			w.Errorf("after a voter's end: %s", got)
		}
		_, err := w.View.Poll(w.Ctx, cat, gone)
		apptest.WantKind(w, err, linnet.NotFound)
		apptest.Must(w.Posting.Delete(w.Ctx, ann, id))(w)
		w.Drain()
		w.Check()
		if left := keysOfPolls(w); len(left) > 0 {
			w.Errorf("%v are left of polls that are gone", left)
		}
	})
}

// keysOfPolls returns the records of polls and their closing tasks. It ignores the users' records
// of the polls they have voted in.
func keysOfPolls(w *apptest.World) (left []kv.Key) {
	w.Helper()
	kinds := map[string]bool{record.KindBallots: true, record.KindVoters: true, task.LaterKey(0).Kind: true}
	for cursor := ""; ; {
		keys, next, err := w.Store.Engine().(kv.Keyspace).Keys(w.Ctx, cursor)
		if err != nil {
			w.Fatal(err)
		}
		for _, k := range keys {
			if kinds[k.Kind] {
				left = append(left, k)
			}
		}
		if cursor = next; cursor == "" {
			return left
		}
	}
}

// TestVoteOfADeletedAccount checks that an account that is deleted during its vote has no vote.
func TestVoteOfADeletedAccount(t *testing.T) {
	for n := 1; n <= 2; n++ { // after the entry or after the vote
		e := faultkv.New(memkv.New(memkv.Options{}))
		w := apptest.Idle(t, e, store.Options{})
		ann, bob := w.Person("ann"), w.Person("bob")
		id := w.PostPoll(ann, apptest.PollOf(300, "a", "b"))
		e.Reset()
		e.FailAt(n, faultkv.Before)
		_, err := w.Posting.Polls.Vote(w.Ctx, bob, id, []int{0})
		e.Reset()
		if n == 2 && err == nil {
			t.Fatal("the vote is two writes no longer")
		}
		w.OK(w.Social.Deletion.DeleteUser(w.Ctx, bob))
		w = apptest.Serve(t, e, store.Options{})
		err = w.Store.Statuses.Vote(w.Ctx, bob, id, func(*linnet.Status) (linnet.Choices, error) { return 1, nil })
		if err == nil {
			t.Error("a deleted account votes")
		}
		if got := w.Result(ann, id); got != "0 [0 0] [] false false" {
			t.Errorf("%s", got)
		}
		w.Check()
	}
}

// TestHomeCostOfPolls checks that polls cost nothing on a home without them, and only queries in
// existing round trips otherwise.
func TestHomeCostOfPolls(t *testing.T) {
	c := apptest.NewCosts(t)
	reader, by, _ := c.Town(4, 10)
	page := func(c apptest.Costs) func() {
		return func() { apptest.Must(c.Reading.Home(c.Ctx, reader, linnet.Page{Limit: 40}))(t) }
	}
	c.Home(reader, 40)
	c.Drain()
	warm, cold := c.Of("home without polls, warm", page(c)), c.Of("home without polls, nothing cached", page(c.Colder()))
	for _, a := range by {
		c.PostPoll(a, apptest.PollOf(300, "a", "b"))
	}
	c.Home(reader, 40)
	c.Drain()
	warmAsked, coldAsked := c.Of("home with 4 polls, warm", page(c)), c.Of("home with 4 polls, nothing cached", page(c.Colder()))
	if warmAsked.RoundTrips() > 2 || coldAsked.RoundTrips() > cold.RoundTrips() {
		t.Errorf("%d and %d round trips with polls, %d and %d without", warmAsked.RoundTrips(), coldAsked.RoundTrips(), warm.RoundTrips(), cold.RoundTrips())
	}
	if more := warmAsked.Queries - warm.Queries; more > 2*4+1 { // all votes and the viewer's own, per poll
		t.Errorf("4 polls take %d queries more", more)
	}
}
