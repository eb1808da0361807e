package backup

import "time"

// Schedule determines when backups are due.
type Schedule struct {
	Every time.Duration // interval between backups; 0 for daily
	At    time.Duration // time of the daily backup, since midnight UTC
	Never bool          // no scheduled backups
}

const day = 24 * time.Hour

// Next returns the time of the next backup. last is the time of the last backup, or zero if there
// is none. It returns zero if no backup is ever due.
func (s Schedule) Next(last, now time.Time) time.Time {
	switch {
	case s.Never:
		return time.Time{}
	case last.IsZero():
		return now
	case s.Every > 0:
		return last.Add(s.Every)
	}
	next := last.UTC().Truncate(day).Add(s.At)
	if !next.After(last) {
		next = next.Add(day)
	}
	return next
}
