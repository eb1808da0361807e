package moderation

import (
	"context"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Cohort is the retention of the users who signed up in a period.
type Cohort struct {
	Period time.Time
	Size   int64
	Dates  []time.Time // from Period on
	Active []int64     // at each date: number of users active then or later
}

// cohortMonths is the maximum number of months of a report by month.
const cohortMonths = 24

// Retention groups the users who signed up between two days, inclusive, by day or month. The
// activity of users is known by month.
// https://docs.joinmastodon.org/methods/admin/retention/
func (s *Statistics) Retention(ctx context.Context, by linnet.Actor, from, to time.Time, monthly bool) ([]Cohort, error) {
	if err := s.core.Authorize(ctx, by, linnet.ViewDashboard); err != nil {
		return nil, err
	}
	periods, after := daysBetween(from, to), func(t time.Time) time.Time { return t.AddDate(0, 0, 1) }
	if monthly {
		periods, after = monthsBetween(from, to), func(t time.Time) time.Time { return t.AddDate(0, 1, 0) }
	}
	if len(periods) == 0 {
		return nil, nil
	}
	people, err := s.st.Staff.Newcomers(ctx, periods[0], after(periods[len(periods)-1]))
	if err != nil {
		return nil, core.StoreError(err)
	}
	out := make([]Cohort, len(periods))
	for i, p := range periods {
		c := Cohort{Period: p, Dates: periods[i:], Active: make([]int64, len(periods)-i)}
		for _, who := range people {
			if who.Born.Before(p) || !who.Born.Before(after(p)) {
				continue
			}
			c.Size++
			for j, date := range c.Dates {
				if who.Last >= record.Month(date) {
					c.Active[j]++
				}
			}
		}
		out[i] = c
	}
	return out, nil
}

// monthsBetween returns the first days of the months of a period, at most cohortMonths.
func monthsBetween(from, to time.Time) (months []time.Time) {
	for m := time.Date(from.Year(), from.Month(), 1, 0, 0, 0, 0, time.UTC); !m.After(to) && len(months) < cohortMonths; m = m.AddDate(0, 1, 0) {
		months = append(months, m)
	}
	return months
}
