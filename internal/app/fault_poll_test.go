package app_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/task"
)

// dies runs a server until it has made the given number of writes or has no more tasks.
func dies(t *testing.T, e *faultkv.Engine, opt store.Options, writes int) {
	t.Helper()
	w := apptest.Idle(t, e, opt)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); w.App.Run(ctx) }()
	for end := time.Now().Add(time.Minute); e.Stats().Writes() < writes; time.Sleep(time.Millisecond) {
		due := w.TaskDue(e) // read before the queue, which due tasks enter
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

// pollActs are actions on polls, for the fault tests. ann asks, dan votes.
func pollActs() map[string]faultyAct {
	ask := func(s *stage) (linnet.ID, error) {
		v, err := s.Posting.Post(s.Ctx, s.ann, linnet.Draft{Text: "which?", Poll: apptest.PollOf(3600, "a", "b"), IdempotencyKey: "poll"})
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
		if v, err := s.View.Poll(s.Ctx, s.dan, id); err != nil || v.PollView.Voted {
			return err
		}
		return apptest.Err(s.Posting.Polls.Vote(s.Ctx, s.dan, id, []int{1}))
	}
	asked := func(s *stage) string {
		for _, v := range s.Home(s.ann, 7) {
			if v.Text == "which?" {
				return s.Result(s.dan, v.ID) + s.homes("which?") + fmt.Sprint(s.PollNotices(s.ann), s.PollNotices(s.dan), s.PollNotices(s.bob))
			}
		}
		return "nothing is asked"
	}
	return map[string]faultyAct{
		"ask":  {do: func(s *stage) error { return apptest.Err(ask(s)) }, want: func(s *stage) string { return differs(asked(s), "0 [0 0] [] false false"+"1110"+"0 0 0") }},
		"vote": {do: vote, want: func(s *stage) string { return differs(asked(s), "1 [0 1] [1] true false"+"1110"+"0 0 0") }},
		"take a vote back with its account": {
			do: func(s *stage) error {
				if err := vote(s); err != nil && linnet.KindOf(err) != linnet.NotFound {
					return err
				}
				if err := s.Social.Deletion.DeleteUser(s.Ctx, s.dan); linnet.KindOf(err) != linnet.NotFound {
					return err
				}
				return nil
			},
			want: func(s *stage) string {
				for _, v := range s.Home(s.ann, 7) {
					if v.Text == "which?" {
						return differs(s.Result(s.ann, v.ID), "0 [0 0] [] false false")
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
		id := s.PostPoll(s.ann, apptest.PollOf(300, "a", "b"))
		for _, who := range []linnet.ID{s.bob, s.dan} {
			apptest.Must(s.Posting.Polls.Vote(s.Ctx, who, id, []int{0}))(t)
		}
		apptest.Serve(t, s.engine, store.Options{})
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
			s.World = apptest.ServeDue(t, s.engine, opt)
			got := s.Result(s.bob, id) + fmt.Sprint(s.PollNotices(s.ann), s.PollNotices(s.bob), s.PollNotices(s.dan), s.PollNotices(s.cat))
			if want := "2 [2 0] [0] true true" + "1 1 1 0"; got != want {
				t.Errorf("write %d fails (%v): %s, want %s", n, when, got, want)
			}
			s.Check()
		}
	}
}
