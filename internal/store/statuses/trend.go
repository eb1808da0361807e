package statuses

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"linnet/internal/kv"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Tags stores the names and uses of tags, and trends of all kinds.
type Tags struct{ db *db.DB }

// Trends are stored by kind and day, in slices by thing. Each slice is a record of limited size
// that expires. Servers merge their counts into it. For each thing a record has the number of uses,
// a sketch of the number of users, and its heat: the number of its users, with half the weight for
// each half-life that has passed.
const (
	trendTTL = 9 * 24 * time.Hour
)

// Trend is the use of one thing on one day.
type Trend struct {
	Name   string
	Uses   int64
	People int64   // approximate above 64
	Heat   float64 // at the requested time
}

// MergeTrends adds a server's counts to the records of today. Counts with a lost response can be
// dropped. It returns ErrUnavailable if other servers' writes always come first.
func (s *Tags) MergeTrends(ctx context.Context, kind record.TrendKind, uses []record.TrendUse) error {
	slicesOf := map[int][]record.TrendUse{}
	for _, u := range uses {
		if len(u.Name) <= record.TrendName {
			i := record.TrendSlice(u.Name)
			slicesOf[i] = append(slicesOf[i], u)
		}
	}
	for i, us := range slicesOf {
		if err := s.mergeTrends(ctx, kind, i, us); err != nil {
			return fmt.Errorf("merge trends: %w", err)
		}
	}
	return nil
}

func (s *Tags) mergeTrends(ctx context.Context, kind record.TrendKind, slice int, uses []record.TrendUse) error {
	now := s.db.Now().UTC()
	day := now.Truncate(24 * time.Hour)
	key := kind.Key(day, slice)
	for range db.MaxRaces {
		get := &kv.Get{Key: key}
		if err := s.db.Read(ctx, get); err != nil {
			return err
		}
		r := record.Trend{}
		if get.Version != 0 {
			if err := record.Decode(get, &r); err != nil {
				return err
			}
		}
		r.Merge(uses, now.Sub(day), kind.HalfLife())
		made, err := s.db.Txn(ctx, []kv.Cond{kv.VersionIs{Key: key, Version: get.Version}},
			kv.Put{Key: key, Data: record.Encode(r), Version: get.Version + 1, TTL: trendTTL})
		if errors.Is(err, kv.ErrUnknown) {
			return nil // dropped, so that they are not counted twice
		}
		if err != nil || made {
			return err
		}
	}
	return fmt.Errorf("%v changed %d times while it was being written: %w", key, db.MaxRaces, kv.ErrUnavailable)
}

// Trends reads the things of a kind on some days (midnights, UTC), in their order, with their
// current heat. It reads 8 records a day in one round trip.
func (s *Tags) Trends(ctx context.Context, kind record.TrendKind, days []time.Time) ([][]Trend, error) {
	qs := make([]kv.Query, 0, len(days)*record.TrendSlices)
	for _, day := range days {
		for i := range record.TrendSlices {
			qs = append(qs, &kv.Get{Key: kind.Key(day, i)})
		}
	}
	if len(qs) == 0 {
		return nil, nil
	}
	if err := s.db.Read(ctx, qs...); err != nil {
		return nil, fmt.Errorf("read trends: %w", err)
	}
	now, out := s.db.Now(), make([][]Trend, len(days))
	for i, q := range qs {
		get, day := q.(*kv.Get), i/record.TrendSlices
		if get.Version == 0 {
			continue
		}
		var r record.Trend
		if err := record.Decode(get, &r); err != nil {
			return nil, err
		}
		cooled := math.Exp2(-float64(now.Sub(days[day])) / float64(kind.HalfLife()))
		for _, t := range r.Things {
			out[day] = append(out[day], Trend{t.Name, t.Uses, record.TrendSketchOf(t.Sketch).Count(), t.Heat * cooled})
		}
	}
	return out, nil
}
