package moderation

import (
	"context"
	"runtime/metrics"
	"sync/atomic"
	"time"

	"linnet/internal/core"
	"linnet/internal/event"
	"linnet/internal/linnet"
	"linnet/internal/store/staff"
)

// dayEvery is how often a server writes its counts of the day.
const dayEvery = time.Minute

// dailyStatistics collects the counts of the day until they are written. It is safe for concurrent
// use.
type dailyStatistics struct {
	posts, faults atomic.Int64
	delays        [12]atomic.Int64
	active        staff.DaySketch
	date          string // of the sketch
}

// Posted counts a new status.
func (s *Service) Posted(context.Context, event.Posted) error {
	s.day.posts.Add(1)
	return nil
}

// FannedOut counts the delay of a status.
func (s *Service) FannedOut(_ context.Context, f event.FannedOut) error {
	s.day.delays[delayClass(f.Delay)].Add(1)
	return nil
}

// UserActive counts a user, once a day.
func (s *Service) UserActive(_ context.Context, f event.UserActive) error {
	s.day.active.Add(f.User)
	return nil
}

func delayClass(delay time.Duration) int {
	bounds := linnet.DelayBounds()
	for i, b := range bounds {
		if delay <= b {
			return i
		}
	}
	return len(bounds)
}

// NoteFault counts an answer that broke on our side.
func (s *Service) NoteFault() { s.day.faults.Add(1) }

// Run adds to the record of the day at intervals, until ctx ends.
func (s *Service) Run(ctx context.Context) {
	core.Every(ctx, dayEvery, func(ctx context.Context) {
		if err := s.KeepDay(ctx); err != nil && ctx.Err() == nil {
			s.opt.Log.Debug("cannot update daily statistics", "err", err)
		}
	})
}

// KeepDay writes the counts since the last time. Counts that can't be written are lost. They are
// only statistics.
func (s *Service) KeepDay(ctx context.Context) error {
	now, state := s.st.Now(), s.State()
	if date := now.UTC().Format(time.DateOnly); date != s.day.date {
		if s.day.date != "" {
			s.day.active.Clear() // whoever is still there is noted again
		}
		s.day.date = date
	}
	d := linnet.Day{Posts: s.day.posts.Swap(0), Faults: s.day.faults.Swap(0), Memory: memoryInUse()}
	for _, t := range state.Tasks {
		d.Queue, d.Oldest = d.Queue+int64(t.Held), max(d.Oldest, t.Oldest)
	}
	for i := range d.Delays {
		d.Delays[i] = s.day.delays[i].Swap(0)
	}
	return core.StoreError(s.st.Staff.AddDay(ctx, now, d, &s.day.active))
}

// AddDay adds to the record of a day what was seen of it elsewhere, and who was
// there: for what writes whole worlds, by the operator. Active and Known of d are not
// looked at.
func (s *Service) AddDay(ctx context.Context, by linnet.Actor, at time.Time, d linnet.Day, active []linnet.ID) error {
	if err := core.AuthorizeOperator(by); err != nil {
		return err
	}
	var sketch staff.DaySketch
	for _, id := range active {
		sketch.Add(id)
	}
	return core.StoreError(s.st.Staff.AddDay(ctx, at, d, &sketch))
}

// memoryInUse is how many bytes this process has from the system, as far as the
// runtime knows.
func memoryInUse() int64 {
	m := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(m)
	return int64(m[0].Value.Uint64() - m[1].Value.Uint64())
}

// DayCount is a day of an installation with who signed up on it.
type DayCount struct {
	At      time.Time
	SignUps int64 // up to 100 a shard in the whole period
	linnet.Day
}

// LastDays tells of the last n days (at most 92), today as the last one: for
// moderators.
func (s *Service) LastDays(ctx context.Context, by linnet.Actor, n int) ([]DayCount, error) {
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
