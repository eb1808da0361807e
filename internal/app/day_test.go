package app_test

import (
	"context"
	"testing"
	"time"

	"linnet/internal/app"
	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// TestDaysOfTwoServers checks that the counts of two servers for a day are combined: totals are
// added, peaks are maxima, and a user of both counts once.
func TestDaysOfTwoServers(t *testing.T) {
	now := time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)
	engine := memkv.New(memkv.Options{})
	ctx, told := context.Background(), 0
	var servers []*app.App
	for range 2 {
		s, err := app.New(store.New(engine, store.Options{Now: func() time.Time { return now }}),
			app.Options{PublicURL: "https://linnet.test", Observe: &core.Observer{Posted: func(linnet.Visibility) { told++ }}})
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
	}
	for i, s := range servers {
		for n := range 500 { // both servers see half of them
			emit(t, s.Facts().UserActive, event.UserActive{User: linnet.MakeID(now, uint16(n+i*250), 0)})
		}
		emit(t, s.Facts().Posted, event.Posted{Status: &linnet.Status{}})
		emit(t, s.Facts().FannedOut, event.FannedOut{Delay: time.Duration(i) * 10 * time.Second})
		s.Moderation.Statistics.NoteFault()
		for range 2 { // adding twice counts once
			if err := s.Moderation.Statistics.RecordDay(ctx); err != nil {
				t.Fatal(err)
			}
		}
	}
	days, err := servers[0].Moderation.Statistics.LastDays(ctx, linnet.Operator(), 30)
	if err != nil || len(days) != 30 {
		t.Fatal(len(days), err)
	}
	d := days[29]
	if !d.Known || d.Posts != 2 || d.Faults != 2 || d.Memory < 1<<20 || d.Delay(0.5) != 5*time.Millisecond || d.Delay(0.95) != 10935*time.Millisecond || told != 2 {
		t.Errorf("today is %+v", d)
	}
	if d.Active < 690 || d.Active > 810 {
		t.Errorf("%d of 750 people counted", d.Active)
	}
	if days[28].Known || days[0].Known {
		t.Error("something is known of days before")
	}
	// The first request of a new day resets the number of active users.
	now = now.AddDate(0, 0, 1)
	for range 2 {
		if err := servers[0].Moderation.Statistics.RecordDay(ctx); err != nil {
			t.Fatal(err)
		}
		emit(t, servers[0].Facts().UserActive, event.UserActive{User: linnet.MakeID(now, 1, 1)})
	}
	if next, err := servers[0].Moderation.Statistics.LastDays(ctx, linnet.Operator(), 1); err != nil || next[0].Active != 1 {
		t.Errorf("the next day begins with %+v, %v", next, err)
	}
}

func emit[F any](t *testing.T, to event.Handlers[F], fact F) {
	t.Helper()
	if err := to.Emit(t.Context(), fact); err != nil {
		t.Fatal(err)
	}
}
