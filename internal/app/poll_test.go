package app_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"linnet/internal/kv"
	"linnet/internal/kv/faultkv"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
	"linnet/internal/task"
)

func pollOf(seconds int, options ...string) *linnet.PollDraft {
	return &linnet.PollDraft{Options: options, Seconds: seconds}
}

// ask posts a poll.
func (w *world) ask(by linnet.ID, p *linnet.PollDraft) linnet.ID {
	w.Helper()
	return w.draft(by, linnet.Draft{Text: "which?", Poll: p}).ID
}

// result returns a poll as seen by a viewer: voters, votes per option, own votes, and its state.
func (w *world) result(viewer, id linnet.ID) string {
	w.Helper()
	p := must(w.View.Poll(w.ctx, viewer, id))(w).PollView
	return fmt.Sprint(p.Voters, p.Counts, p.Own, p.Voted, p.Ended)
}

// TestVote checks that a vote counts once, and that invalid votes are refused.
func TestVote(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
		one := w.ask(ann, pollOf(300, " tea ", "", "coffee"))
		many := w.ask(ann, &linnet.PollDraft{Options: []string{"a", "b", "c"}, Seconds: 300, Multiple: true, HideTotals: true})
		must(w.Posting.Polls.Vote(w.ctx, bob, one, []int{1}))(w)
		must(w.Posting.Polls.Vote(w.ctx, bob, many, []int{0, 2, 0}))(w)
		for _, try := range []struct {
			who     linnet.ID
			id      linnet.ID
			options []int
			kind    linnet.Kind
		}{{bob, one, []int{0}, linnet.Invalid}, {ann, one, []int{0}, linnet.Invalid}, {cat, one, []int{2}, linnet.Invalid}, {cat, one, []int{-1}, linnet.Invalid},
			{cat, one, []int{0, 1}, linnet.Invalid}, {cat, one, nil, linnet.Invalid}, {cat, w.post(ann, "no poll").ID, []int{0}, linnet.NotFound}, {cat, 5, []int{0}, linnet.NotFound}} {
			_, err := w.Posting.Polls.Vote(w.ctx, try.who, try.id, try.options)
			kindIs(w, err, try.kind)
		}
		for viewer, want := range map[linnet.ID]string{0: "1 [0 1] [] false false", ann: "1 [0 1] [] false false", bob: "1 [0 1] [1] true false", cat: "1 [0 1] [] false false"} {
			if got := w.result(viewer, one); got != want {
				w.Errorf("%v sees %s, want %s", viewer, got, want)
			}
		}
		if got := w.result(bob, many); got != "1 [] [0 2] true false" {
			w.Errorf("a poll with hidden totals: %s", got)
		}
		private := w.draft(ann, linnet.Draft{Text: "for few", Visibility: new(linnet.Private), Poll: pollOf(300, "a", "b")}).ID
		_, err := w.Posting.Polls.Vote(w.ctx, bob, private, []int{0})
		kindIs(w, err, linnet.NotFound)
		must(w.Social.Block(w.ctx, cat, ann))(w)
		_, err = w.Posting.Polls.Vote(w.ctx, cat, one, []int{0})
		kindIs(w, err, linnet.Forbidden)
		if v := must(w.Posting.Delete(w.ctx, ann, many))(w); v.PollView == nil || len(v.PollView.Options) != 3 {
			w.Errorf("deleting does not give the poll back: %+v", v.PollView)
		}
		w.drain()
		w.check()
	})
}

// TestPollLimits checks that invalid polls are refused with the value and the limit.
func TestPollLimits(t *testing.T) {
	w := memWorld(t)
	ann := w.person("ann")
	long := "0123456789012345678901234567890123456789012345678901"
	for _, p := range []*linnet.PollDraft{pollOf(300, "a"), pollOf(300, "a", " "), pollOf(300, "a", "b", "c", "d", "e"), pollOf(300, "a", "a"), pollOf(300, "a", long),
		pollOf(299, "a", "b"), pollOf(linnet.MaxPollSeconds+1, "a", "b"), pollOf(0, "a", "b")} {
		_, err := w.Posting.Post(w.ctx, ann, linnet.Draft{Text: "x", Poll: p})
		kindIs(t, err, linnet.Invalid)
		var e *linnet.Error
		if !errors.As(err, &e) || len(e.Fields) != 1 {
			t.Errorf("%+v: %v", p, err)
		}
	}
	w.ask(ann, pollOf(linnet.MaxPollSeconds, "a", "b", "c", long[:50]))
}

// TestVotersAtOnce checks that concurrent votes count each voter once.
func TestVotersAtOnce(t *testing.T) {
	const voters, times = 1000, 2
	onEngines(t, func(w *world) {
		ann := w.person("ann")
		id := w.ask(ann, &linnet.PollDraft{Options: []string{"a", "b", "c"}, Seconds: 300, Multiple: true})
		people := w.people(voters)
		var all sync.WaitGroup
		var mu sync.Mutex
		yes := 0
		for i, who := range people {
			for n := range times {
				all.Go(func() {
					_, err := w.Posting.Polls.Vote(w.ctx, who, id, []int{i % 2, 1 + (i+n)%2})
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
		p := must(w.View.Poll(w.ctx, 0, id))(w).PollView
		if yes != voters || p.Voters != voters {
			w.Errorf("%d votes were accepted and %d voters counted, there are %d", yes, p.Voters, voters)
		}
		w.check() // compares each count with the votes
	})
}

// closes restarts servers until no task is due. A server can stop just when a due task enters the
// queue.
func closes(t *testing.T, e kv.Engine, opt store.Options) *world {
	t.Helper()
	for {
		w := serve(t, e, opt)
		if w.due(e) {
			continue
		}
		if waiting, err := task.List(context.Background(), e, false, 1); err != nil {
			t.Fatal(err)
		} else if len(waiting) == 0 {
			return w
		}
	}
}

// due reports whether a scheduled task is due.
func (w *world) due(e kv.Engine) bool {
	w.Helper()
	qs := make([]kv.Query, kv.Shards)
	for s := range uint16(kv.Shards) {
		qs[s] = &kv.Range{Key: task.LaterKey(s), Below: &kv.Member{Score: w.store.Now().UnixMilli() + 1}, Limit: 1}
	}
	if err := e.Read(context.Background(), qs...); err != nil {
		w.Fatal(err)
	}
	return slices.ContainsFunc(qs, func(q kv.Query) bool { return len(q.(*kv.Range).Members) > 0 })
}

// dies runs a server until it has made the given number of writes or has no more tasks.
func dies(t *testing.T, e *faultkv.Engine, opt store.Options, writes int) {
	t.Helper()
	w := idleWorld(t, e, opt)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); w.App.Run(ctx) }()
	for end := time.Now().Add(time.Minute); e.Stats().Writes() < writes; time.Sleep(time.Millisecond) {
		due := w.due(e) // read before the queue, which due tasks enter
		waiting, err := task.List(context.Background(), e, false, 1)
		if err != nil || time.Now().After(end) {
			t.Fatalf("%d writes, %+v wait: %v", e.Stats().Writes(), waiting, err)
		}
		if len(waiting) == 0 && w.Idle() && !due {
			break
		}
	}
	stop()
	<-done
}

// polls returns the number of a user's notifications about ended polls.
func (w *world) polls(who linnet.ID) (n int) {
	w.Helper()
	for _, v := range w.noticesOf(who, linnet.NotificationFilter{}, 40) {
		if v.Type == linnet.NotifyPoll {
			n++
		}
	}
	return n
}

// TestPollEnds checks that a poll ends at its time, also after restarts: no more votes, visible
// totals, and one notification for its author and each voter.
func TestPollEnds(t *testing.T) {
	clock := &clocked{}
	opt := store.Options{Now: clock.now}
	e := memkv.New(memkv.Options{Now: clock.now})
	w := idleWorld(t, e, opt)
	ann, bob, cat := w.person("ann"), w.person("bob"), w.person("cat")
	fans := w.people(250) // more than one batch notifies
	id := w.ask(ann, &linnet.PollDraft{Options: []string{"a", "b"}, Seconds: linnet.MaxPollSeconds, HideTotals: true})
	late := w.ask(ann, pollOf(linnet.MaxPollSeconds, "a", "b"))
	for _, who := range append(fans, bob) {
		must(w.Posting.Polls.Vote(w.ctx, who, id, []int{0}))(t)
	}
	closes(t, e, opt)
	clock.turn((linnet.MaxPollSeconds - 60) * time.Second)
	w = closes(t, e, opt)
	if got := w.result(bob, id); got != "251 [] [0] true false" || w.polls(bob)+w.polls(ann) != 0 {
		t.Errorf("a minute before its end: %s, %d notifications", got, w.polls(bob)+w.polls(ann))
	}
	clock.turn(2 * time.Minute)
	_, err := w.Posting.Polls.Vote(w.ctx, cat, id, []int{0})
	kindIs(t, err, linnet.Invalid)
	if got := w.result(bob, id); got != "251 [251 0] [0] true true" {
		t.Errorf("after its end, before it is closed: %s", got)
	}
	for range 2 {
		w = closes(t, e, opt)
		for _, who := range append([]linnet.ID{bob}, fans...) {
			if n := w.polls(who); n != 1 {
				t.Fatalf("%v has %d notifications of the end", who, n)
			}
		}
		if a, c := w.polls(ann), w.polls(cat); a != 2 || c != 0 { // both of ann's polls have ended
			t.Errorf("%d of the author's, %d of who has not voted", a, c)
		}
	}
	if got := w.result(bob, id) + w.result(0, late); got != "251 [251 0] [0] true true"+"0 [0 0] [] false true" {
		t.Errorf("closed: %s", got)
	}
	w.check()
}

// TestPollsAreForgotten checks that votes are deleted with their voter, and a poll with its author
// or its status.
func TestPollsAreForgotten(t *testing.T) {
	onEngines(t, func(w *world) {
		ann, bob, cat, dan := w.person("ann"), w.person("bob"), w.person("cat"), w.person("dan")
		id, gone := w.ask(ann, pollOf(300, "a", "b")), w.ask(bob, pollOf(300, "a", "b"))
		for i, who := range []linnet.ID{bob, cat, dan} {
			must(w.Posting.Polls.Vote(w.ctx, who, id, []int{i % 2}))(w)
		}
		must(w.Posting.Polls.Vote(w.ctx, cat, gone, []int{0}))(w)
		w.did(w.Social.Deletion.DeleteUser(w.ctx, bob))
		w.drain()
		if got := w.result(cat, id); got != "2 [1 1] [1] true false" {
			w.Errorf("after a voter's end: %s", got)
		}
		_, err := w.View.Poll(w.ctx, cat, gone)
		kindIs(w, err, linnet.NotFound)
		must(w.Posting.Delete(w.ctx, ann, id))(w)
		w.drain()
		w.check()
		if left := keysOfPolls(w); len(left) > 0 {
			w.Errorf("%v are left of polls that are gone", left)
		}
	})
}

// keysOfPolls returns the records of polls and their closing tasks. It ignores the users' records
// of the polls they have voted in.
func keysOfPolls(w *world) (left []kv.Key) {
	w.Helper()
	kinds := map[string]bool{record.KindBallots: true, record.KindVoters: true, task.LaterKey(0).Kind: true}
	for cursor := ""; ; {
		keys, next, err := w.store.Engine().(kv.Keyspace).Keys(w.ctx, cursor)
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
		w := idleWorld(t, e, store.Options{})
		ann, bob := w.person("ann"), w.person("bob")
		id := w.ask(ann, pollOf(300, "a", "b"))
		e.Reset()
		e.FailAt(n, faultkv.Before)
		_, err := w.Posting.Polls.Vote(w.ctx, bob, id, []int{0})
		e.Reset()
		if n == 2 && err == nil {
			t.Fatal("the vote is two writes no longer")
		}
		w.did(w.Social.Deletion.DeleteUser(w.ctx, bob))
		w = serve(t, e, store.Options{})
		err = w.store.Statuses.Vote(w.ctx, bob, id, func(*linnet.Status) (linnet.Choices, error) { return 1, nil })
		if err == nil {
			t.Error("a deleted account votes")
		}
		if got := w.result(ann, id); got != "0 [0 0] [] false false" {
			t.Errorf("%s", got)
		}
		w.check()
	}
}

// pollActs are actions on polls, for the fault tests. ann asks, dan votes.
func pollActs() map[string]faultyAct {
	ask := func(s *stage) (linnet.ID, error) {
		v, err := s.Posting.Post(s.ctx, s.ann, linnet.Draft{Text: "which?", Poll: pollOf(3600, "a", "b"), IdempotencyKey: "poll"})
		if err != nil {
			return 0, err
		}
		return v.ID, nil
	}
	vote := func(s *stage) error {
		id, err := ask(s)
		if err != nil {
			return err
		}
		if v, err := s.View.Poll(s.ctx, s.dan, id); err != nil || v.PollView.Voted {
			return err
		}
		return second(s.Posting.Polls.Vote(s.ctx, s.dan, id, []int{1}))
	}
	asked := func(s *stage) string {
		for _, v := range s.home(s.ann, 7) {
			if v.Text == "which?" {
				return s.result(s.dan, v.ID) + s.homes("which?") + fmt.Sprint(s.polls(s.ann), s.polls(s.dan), s.polls(s.bob))
			}
		}
		return "nothing is asked"
	}
	return map[string]faultyAct{
		"ask":  {do: func(s *stage) error { return second(ask(s)) }, want: func(s *stage) string { return differs(asked(s), "0 [0 0] [] false false"+"1110"+"0 0 0") }},
		"vote": {do: vote, want: func(s *stage) string { return differs(asked(s), "1 [0 1] [1] true false"+"1110"+"0 0 0") }},
		"take a vote back with its account": {
			do: func(s *stage) error {
				if err := vote(s); err != nil && linnet.KindOf(err) != linnet.NotFound {
					return err
				}
				if err := s.Social.Deletion.DeleteUser(s.ctx, s.dan); linnet.KindOf(err) != linnet.NotFound {
					return err
				}
				return nil
			},
			want: func(s *stage) string {
				for _, v := range s.home(s.ann, 7) {
					if v.Text == "which?" {
						return differs(s.result(s.ann, v.ID), "0 [0 0] [] false false")
					}
				}
				return "nothing is asked"
			},
		},
	}
}

// TestEachWriteOfClosing checks that another server closes a poll and notifies once after a crash,
// at each write of closing it.
func TestEachWriteOfClosing(t *testing.T) {
	prepare := func() (*stage, linnet.ID) {
		s := newStage(t)
		id := s.ask(s.ann, pollOf(300, "a", "b"))
		for _, who := range []linnet.ID{s.bob, s.dan} {
			must(s.Posting.Polls.Vote(s.ctx, who, id, []int{0}))(t)
		}
		serve(t, s.engine, store.Options{})
		s.ahead.Add(int64(10 * time.Minute))
		return s, id
	}
	for _, when := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n, more := 1, true; more; n++ {
			s, id := prepare()
			opt := store.Options{Now: func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }}
			s.engine.Reset()
			s.engine.FailAt(n, when)
			dies(t, s.engine, opt, n)
			more = s.engine.Stats().Writes() >= n && n < 12
			s.engine.Reset()
			s.world = closes(t, s.engine, opt)
			got := s.result(s.bob, id) + fmt.Sprint(s.polls(s.ann), s.polls(s.bob), s.polls(s.dan), s.polls(s.cat))
			if want := "2 [2 0] [0] true true" + "1 1 1 0"; got != want {
				t.Errorf("write %d fails (%v): %s, want %s", n, when, got, want)
			}
			s.check()
		}
	}
}

// TestHomeCostOfPolls checks that polls cost nothing on a home without them, and only queries in
// existing round trips otherwise.
func TestHomeCostOfPolls(t *testing.T) {
	c := newCosts(t)
	reader, by, _ := c.town(4, 10)
	page := func(c costs) func() {
		return func() { must(c.Reading.Home(c.ctx, reader, linnet.Page{Limit: 40}))(t) }
	}
	c.home(reader, 40)
	c.drain()
	warm, cold := c.of("home without polls, warm", page(c)), c.of("home without polls, nothing cached", page(c.colder()))
	for _, a := range by {
		c.ask(a, pollOf(300, "a", "b"))
	}
	c.home(reader, 40)
	c.drain()
	warmAsked, coldAsked := c.of("home with 4 polls, warm", page(c)), c.of("home with 4 polls, nothing cached", page(c.colder()))
	if warmAsked.RoundTrips() > 2 || coldAsked.RoundTrips() > cold.RoundTrips() {
		t.Errorf("%d and %d round trips with polls, %d and %d without", warmAsked.RoundTrips(), coldAsked.RoundTrips(), warm.RoundTrips(), cold.RoundTrips())
	}
	if more := warmAsked.Queries - warm.Queries; more > 2*4+1 { // all votes and the viewer's own, per poll
		t.Errorf("4 polls take %d queries more", more)
	}
}
