package moderation

import (
	"context"
	"log/slog"
	"runtime/metrics"
	"slices"
	"sync/atomic"
	"time"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/identity"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
	"linnet/internal/store/staff"
)

// dayEvery is how often a server writes its counts of the day.
const dayEvery = time.Minute

// Statistics counts what happens on this server, and reports it to staff. It is safe for concurrent
// use.
type Statistics struct {
	st       *store.Store
	log      *slog.Logger
	state    kv.State
	core     *core.Service
	settings *identity.Settings
	server   *Server

	// Counts of the day that RecordDay has not written yet.
	posts, faults atomic.Int64
	delays        [12]atomic.Int64
	active        staff.DaySketch
	date          string // date of the sketch
}

// Posted counts a new status.
func (s *Statistics) Posted(context.Context, event.Posted) error {
	s.posts.Add(1)
	return nil
}

// FannedOut counts the delay of a status.
func (s *Statistics) FannedOut(_ context.Context, f event.FannedOut) error {
	bounds := linnet.DelayBounds()
	class := slices.IndexFunc(bounds[:], func(b time.Duration) bool { return f.Delay <= b })
	if class < 0 {
		class = len(bounds)
	}
	s.delays[class].Add(1)
	return nil
}

// UserActive counts a user, once a day.
func (s *Statistics) UserActive(_ context.Context, f event.UserActive) error {
	s.active.Add(f.User)
	return nil
}

// NoteFault counts a response with a server error.
func (s *Statistics) NoteFault() { s.faults.Add(1) }

// Run writes the counts at intervals until ctx ends.
func (s *Statistics) Run(ctx context.Context) {
	core.Every(ctx, dayEvery, func(ctx context.Context) {
		if err := s.RecordDay(ctx); err != nil && ctx.Err() == nil {
			s.log.Debug("cannot update daily statistics", "err", err)
		}
	})
}

// RecordDay writes the counts since the last time. Counts that can't be written are dropped, since
// they are only statistics.
func (s *Statistics) RecordDay(ctx context.Context) error {
	now, state := s.st.Now(), s.server.State()
	if date := now.UTC().Format(time.DateOnly); date != s.date {
		if s.date != "" {
			s.active.Clear() // active users are counted again
		}
		s.date = date
	}
	d := linnet.Day{Posts: s.posts.Swap(0), Faults: s.faults.Swap(0), Memory: memoryInUse()}
	for _, t := range state.Tasks {
		d.Queue, d.Oldest = d.Queue+int64(t.Held), max(d.Oldest, t.Oldest)
	}
	for i := range d.Delays {
		d.Delays[i] = s.delays[i].Swap(0)
	}
	return core.StoreError(s.st.Staff.AddDay(ctx, now, d, &s.active))
}

// AddDay adds counts and active users to a day, for imports by the operator. It ignores Active and
// Known of d.
func (s *Statistics) AddDay(ctx context.Context, by linnet.Actor, at time.Time, d linnet.Day, active []linnet.ID) error {
	if err := core.AuthorizeOperator(by); err != nil {
		return err
	}
	var sketch staff.DaySketch
	for _, id := range active {
		sketch.Add(id)
	}
	return core.StoreError(s.st.Staff.AddDay(ctx, at, d, &sketch))
}

// memoryInUse returns the memory in bytes that the runtime has from the system.
func memoryInUse() int64 {
	m := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(m)
	return int64(m[0].Value.Uint64() - m[1].Value.Uint64())
}

// DayCount has the counts of a day and its number of sign-ups.
type DayCount struct {
	At      time.Time
	SignUps int64 // up to 100 per shard in the whole period
	linnet.Day
}

// LastDays returns the last n days including today, at most 92.
func (s *Statistics) LastDays(ctx context.Context, by linnet.Actor, n int) ([]DayCount, error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDashboard); err != nil {
		return nil, err
	}
	today := s.st.Now().UTC().Truncate(24 * time.Hour)
	days := daysBetween(today.AddDate(0, 0, 1-n), today)
	seen, err := s.st.Staff.Days(ctx, days)
	if err != nil {
		return nil, core.StoreError(err)
	}
	came, err := s.st.Staff.NewPeople(ctx, days)
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]DayCount, len(days))
	for i := range days {
		out[i] = DayCount{days[i], came[i], seen[i]}
	}
	return out, nil
}
