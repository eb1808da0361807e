package linnet

import (
	"slices"
	"time"
)

// Terms are terms of service in plain text. They are in force from a day (UTC, 2027-01-31) until
// later ones are. https://docs.joinmastodon.org/entities/TermsOfService/
type Terms struct {
	Date string
	Text string // at most MaxTerms characters
	Next string // the day from which later ones are in force; "" if there are none
	Past bool   // later ones are in force
	Now  bool   // these are in force
}

// CurrentTerms returns the day of the terms in force at a time, or else the first future ones. days
// must be sorted. It returns "" if there are none.
func CurrentTerms(days []string, now time.Time) string {
	if len(days) == 0 {
		return ""
	}
	today := now.UTC().Format(time.DateOnly)
	at, found := slices.BinarySearch(days, today)
	if !found && at > 0 {
		at--
	}
	return days[at]
}

// TermsOn returns the terms of a day without their text. ok is false if there are none.
func TermsOn(days []string, day string, now time.Time) (t Terms, ok bool) {
	at, ok := slices.BinarySearch(days, day)
	if !ok {
		return t, false
	}
	t.Date = day
	if at+1 < len(days) {
		t.Next = days[at+1]
	}
	today := now.UTC().Format(time.DateOnly)
	t.Past = t.Next != "" && t.Next <= today
	t.Now = day <= today && !t.Past
	return t, true
}
