package staff

import (
	"context"
	"errors"
	"fmt"
	"time"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// dayAge is the lifetime of the statistics of a day.
const dayAge = 100 * 24 * time.Hour

// AddDay adds the counts of a server to the day of at. It ignores d.Active. active has the active
// users.
func (s *Store) AddDay(ctx context.Context, at time.Time, d linnet.Day, active *DaySketch) error {
	for range db.MaxRaces {
		get := &kv.Get{Key: record.DayKey(at)}
		if err := s.db.Read(ctx, get); err != nil {
			return fmt.Errorf("read daily statistics: %w", err)
		}
		var r record.Day
		if get.Version != 0 {
			if err := record.Decode(get, &r); err != nil {
				return err
			}
		}
		r.Posts, r.Faults = r.Posts+d.Posts, r.Faults+d.Faults
		for i, n := range d.Delays {
			r.Delays[i] += n
		}
		r.Queue, r.Oldest, r.Memory = max(r.Queue, d.Queue), max(r.Oldest, d.Oldest.Milliseconds()), max(r.Memory, d.Memory)
		all := active.merged(r.Active)
		r.Active = all[:]
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: get.Key, Version: get.Version}},
			kv.Put{Key: get.Key, Version: get.Version + 1, Data: record.Encode(r), TTL: dayAge})
		if made || errors.Is(err, kv.ErrUnknown) {
			return nil // losing a sample is better than counting it twice
		}
		if err != nil {
			return fmt.Errorf("write daily statistics: %w", err)
		}
	}
	return nil // other servers were faster; the next sample has the peaks again
}

// Days reads the statistics of days. Unknown ones are zero.
func (s *Store) Days(ctx context.Context, days []time.Time) ([]linnet.Day, error) {
	qs := make([]kv.Query, len(days))
	for i, t := range days {
		qs[i] = &kv.Get{Key: record.DayKey(t)}
	}
	out := make([]linnet.Day, len(days))
	if len(qs) == 0 {
		return out, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read daily statistics: %w", err)
	}
	for i, q := range qs {
		get := q.(*kv.Get)
		if get.Version == 0 {
			continue
		}
		var r record.Day
		if err := record.Decode(get, &r); err != nil {
			return nil, err
		}
		out[i] = linnet.Day{Known: true, Posts: r.Posts, Faults: r.Faults, Delays: r.Delays, Queue: r.Queue,
			Oldest: time.Duration(r.Oldest) * time.Millisecond, Memory: r.Memory, Active: record.CountRegisters(r.Active)}
	}
	return out, nil
}
