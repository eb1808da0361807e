package linnet

import "time"

// Limits of statuses that are scheduled, as in Mastodon.
const (
	MinScheduleAhead = 5 * time.Minute
	MaxScheduled     = 300 // of an account at a time
	MaxScheduledADay = 25  // of them for one day (UTC)
)

// MaxDrafts is the maximum number of drafts per user.
const MaxDrafts = 50

// LastSchedule is the latest time for which a status can be scheduled: years have four
// digits.
func LastSchedule() time.Time { return time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC) }

// Scheduled is a status to be published at a time. Defaults of its author apply from when it was
// scheduled. Without a time it is a draft, which isn't published and can be incomplete.
type Scheduled struct {
	ID      ID // of this; the status has another, which is drawn when it is published
	Owner   ID
	At      time.Time    // whole milliseconds; zero: it is a draft
	Saved   time.Time    // of a draft: when it was changed last, whole milliseconds
	Wanted  time.Time    // of a draft: for when it is to be scheduled; zero: at once
	Draft   Draft        // without Media, Describe and From
	Group   ID           // for whose members alone it is meant, of a draft in which group it is written; 0: none
	Edits   ID           // of a draft: the status of its owner that it changes; 0: it is a new one
	Media   []Attachment // in their order; they belong to it
	Failed  string       // why it could not be published at its time, in a sentence; "": it waits
	Nonce   string       // of the attempt that wrote it
	Version uint64
}

// IsDraft reports whether it is a draft.
func (s *Scheduled) IsDraft() bool { return s.At.IsZero() }

// DraftID identifies a version of a draft. It doesn't match after a change by another editor.
type DraftID struct {
	ID      ID // 0: the one that was written last with Key, if there is one
	Version uint64
	Key     string // with which it was written last, where the version of that was not heard of; "": none
}

// Given reports whether a draft is identified.
func (d DraftID) Given() bool { return d.ID != 0 || d.Key != "" }

// Unfinished is an incomplete status to be stored as a draft.
type Unfinished struct {
	Draft  Draft     // From is the draft to replace; IdempotencyKey is that of the composer
	Group  ID        // in which it is written; 0: none
	Edits  ID        // the status that it changes; 0: it is a new one
	Wanted time.Time // see Scheduled
}
