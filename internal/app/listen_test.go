package app_test

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"linnet/internal/app"
	"linnet/internal/app/apptest"
	"linnet/internal/event"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestFailedHandlersAreRetried checks that a task runs again if a handler of its fact fails, and that
// the request of the action succeeds nevertheless.
func TestFailedHandlersAreRetried(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, err := app.New(store.New(memkv.New(memkv.Options{}), store.Options{}),
			app.Options{Derive: apptest.Derive, PublicURL: "https://linnet.test", Log: slog.New(slog.DiscardHandler), Exclusive: true})
		if err != nil {
			t.Fatal(err)
		}
		var mu sync.Mutex
		got := map[string]int{}
		flaky := func(fact string) error {
			mu.Lock()
			defer mu.Unlock()
			if got[fact]++; got[fact] < 3 {
				return errors.New("not yet")
			}
			return nil
		}
		s.Facts().Posted.Add(func(context.Context, event.Posted) error { return flaky("posted") })
		s.Facts().Edited.Add(func(context.Context, event.Edited) error { return flaky("edited") })
		s.Facts().VotesChanged.Add(func(context.Context, event.VotesChanged) error { return flaky("votes") })
		s.Facts().GroupRequested.Add(func(context.Context, event.GroupRequested) error { return flaky("requested") })
		s.Facts().SignedUp.Add(func(context.Context, event.SignedUp) error { return flaky("signed up") })
		s.Facts().Deleted.Add(func(context.Context, event.Deleted) error { return flaky("deleted") })
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() { defer close(ended); s.Run(ctx) }()
		defer func() { cancel(); <-ended }()

		user := func(login string) linnet.ID {
			u, err := s.Identity.SignUp(ctx, linnet.SignUp{Login: login, Password: "correct horse", Agreed: true})
			if err != nil {
				t.Fatal(err)
			}
			return u.ID
		}
		ann, bob := user("ann"), user("bob")
		var st linnet.StatusView
		for _, step := range []struct {
			fact string
			do   func() error
		}{
			{"signed up", func() error {
				open := linnet.RegisterOpen
				_, err := s.Settings.ChangeInstance(ctx, linnet.Operator(), linnet.InstanceChange{Registrations: &open})
				if err == nil {
					_, err = s.Identity.Register(ctx, linnet.SignUp{Login: "cid", Password: "correct horse", Agreed: true})
				}
				return err
			}},
			{"posted", func() (err error) { st, err = s.Posting.Post(ctx, ann, linnet.Draft{Text: "first"}); return err }},
			{"edited", func() error { _, err := s.Posting.Edit(ctx, ann, st.ID, linnet.Edit{Text: "second"}); return err }},
			{"votes", func() error { _, err := s.Posting.Marks.Favourite(ctx, bob, st.ID); return err }},
			{"requested", func() error {
				g, err := s.Groups.CreateGroup(ctx, ann, linnet.NewGroup{Login: "birds", Kind: linnet.PrivateGroup})
				if err == nil {
					_, err = s.Social.Follow(ctx, bob, g.ID, linnet.FollowOptions{})
				}
				return err
			}},
			{"deleted", func() error { _, err := s.Posting.Delete(ctx, ann, st.ID); return err }},
		} {
			if err := step.do(); err != nil {
				t.Fatalf("%s: %v", step.fact, err)
			}
			time.Sleep(10 * time.Minute) // more than the pauses between attempts
			synctest.Wait()
			mu.Lock()
			if got[step.fact] < 3 || !s.Idle() { // a favourite reports its votes in the request too
				t.Errorf("%s: the handler was called %d times, idle %v", step.fact, got[step.fact], s.Idle())
			}
			mu.Unlock()
		}
	})
}
