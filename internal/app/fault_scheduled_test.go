package app_test

import (
	"fmt"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/kv/faultkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// scheduledActs are actions on scheduled posts, for the fault tests.
func scheduledActs() map[string]faultyAct {
	plan := func(s *stage) (*linnet.Scheduled, error) {
		a, err := s.Upload(s.ann)
		if err != nil {
			return nil, err
		}
		return s.Posting.Scheduled.Create(s.Ctx, s.ann, linnet.Draft{Text: "later", Media: []linnet.ID{a.ID}, IdempotencyKey: "later"}, s.Store.Now().Add(time.Hour))
	}
	return map[string]faultyAct{
		"schedule": {do: func(s *stage) error { return apptest.Err(plan(s)) }, want: func(s *stage) string { return differs(s.ScheduledPosts(s.ann), "[later]") }},
		"reschedule": {do: func(s *stage) error {
			sc, err := plan(s)
			if err == nil {
				_, err = s.Posting.Scheduled.Reschedule(s.Ctx, s.ann, sc.ID, time.UnixMilli(s.Store.Now().Truncate(24*time.Hour).Add(72*time.Hour).UnixMilli()))
			}
			return err
		}, want: func(s *stage) string {
			all, _, err := s.Posting.Scheduled.Soonest(s.Ctx, s.ann, 0, 9)
			return differs(fmt.Sprint(len(all), err == nil && all[0].At.Sub(s.Store.Now()) > 24*time.Hour), "1 true")
		}},
		"unschedule": {do: func(s *stage) error {
			sc, err := plan(s)
			if linnet.KindOf(err) == linnet.Conflict { // rolled back, without a response
				return nil
			}
			if err == nil {
				err = s.Posting.Scheduled.Cancel(s.Ctx, s.ann, sc.ID)
			}
			return err
		}, want: func(s *stage) string { return differs(s.ScheduledPosts(s.ann), "") }},
	}
}

// TestEachWriteOfPublishing checks that another server publishes a scheduled post once after a
// crash, at each write of publishing it.
func TestEachWriteOfPublishing(t *testing.T) {
	for _, fault := range []faultkv.When{faultkv.Before, faultkv.After} {
		for n, more := 1, true; more; n++ {
			s := newStage(t)
			a := apptest.Must(s.Upload(s.ann))(t)
			apptest.Must(s.Posting.Scheduled.Create(s.Ctx, s.ann, linnet.Draft{Text: "later", Media: []linnet.ID{a.ID}}, s.Store.Now().Add(6*time.Minute)))(t)
			apptest.Serve(t, s.engine, store.Options{})
			s.ahead.Add(int64(10 * time.Minute))
			opt := store.Options{Now: func() time.Time { return time.Now().Add(time.Duration(s.ahead.Load())) }}
			s.engine.Reset()
			s.engine.FailAt(n, fault)
			dies(t, s.engine, opt, n)
			more = s.engine.Stats().Writes() >= n && n < 12
			s.engine.Reset()
			s.World = apptest.ServeDue(t, s.engine, opt)
			if got := s.homes("later") + s.ScheduledPosts(s.ann); got != "1110" {
				t.Errorf("write %d fails (%v): %s", n, fault, got)
			}
			s.Check()
		}
	}
}
