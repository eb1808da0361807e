package moderation

import (
	"context"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
)

// Measured is a count, with its parts by day if they are known.
type Measured struct {
	Key             string
	Total, Previous int64 // in the period, and in the period of the same length before it
	Days            []time.Time
	Values          []int64
}

// measureDays is the maximum number of days of a measure.
const measureDays = 92

// Measures returns counts for a period of days, inclusive. Known keys are new_users (up to 100
// sign-ups per shard), opened_reports, resolved_reports and active_users, which is available for
// the current month only. Unknown keys are left out.
// https://docs.joinmastodon.org/methods/admin/measures/
func (s *Statistics) Measures(ctx context.Context, by linnet.Actor, keys []string, from, to time.Time) ([]Measured, error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDashboard); err != nil {
		return nil, err
	}
	days := daysBetween(from, to)
	before := daysBetween(from.AddDate(0, 0, -len(days)), from.AddDate(0, 0, -1))
	var out []Measured
	for _, key := range keys {
		m := Measured{Key: key}
		var count func(context.Context, []time.Time) ([]int64, error)
		switch key {
		case "new_users":
			count = s.st.Staff.NewPeople
		case "opened_reports":
			count = s.countReports("opened")
		case "resolved_reports":
			count = s.countReports("resolved")
		case "active_users":
			t, err := s.settings.CountTotals(ctx)
			if err != nil {
				return nil, err
			}
			m.Total = t.ActiveMonth
			out = append(out, m)
			continue
		default:
			continue
		}
		now, err := count(ctx, days)
		if err != nil {
			return nil, core.StoreError(err)
		}
		then, err := count(ctx, before)
		if err != nil {
			return nil, core.StoreError(err)
		}
		m.Total, m.Previous, m.Days, m.Values = sum(now), sum(then), days, now
		out = append(out, m)
	}
	return out, nil
}

func (s *Statistics) countReports(what string) func(context.Context, []time.Time) ([]int64, error) {
	return func(ctx context.Context, days []time.Time) ([]int64, error) {
		return s.st.Staff.ReportDays(ctx, what, days)
	}
}

func sum(ns []int64) (total int64) {
	for _, n := range ns {
		total += n
	}
	return total
}

// daysBetween returns the days of a period, at most measureDays.
func daysBetween(from, to time.Time) (days []time.Time) {
	for d := from.UTC().Truncate(24 * time.Hour); !d.After(to) && len(days) < measureDays; d = d.AddDate(0, 0, 1) {
		days = append(days, d)
	}
	return days
}
