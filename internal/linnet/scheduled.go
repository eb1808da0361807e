package linnet

import "time"

// Limits of statuses that are scheduled, as in Mastodon.
const (
	MinScheduleAhead = 5 * time.Minute
	MaxScheduled     = 300 // of an account at a time
	MaxScheduledADay = 25  // of them for one day (UTC)
)

// LastSchedule is the latest time for which a status can be scheduled: years have four
// digits.
func LastSchedule() time.Time { return time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC) }

// Scheduled is a status that is to be published at a time. What it says is what was
// meant when it was scheduled: defaults of its author are filled in.
type Scheduled struct {
	ID      ID // of this; the status has another, which is drawn when it is published
	Owner   ID
	At      time.Time    // whole milliseconds
	Draft   Draft        // without Media
	Group   ID           // for whose members alone it is meant; 0: none
	Media   []Attachment // in their order; they belong to it
	Failed  string       // why it could not be published at its time, in a sentence; "": it waits
	Nonce   string       // of the attempt that wrote it
	Version uint64
}
