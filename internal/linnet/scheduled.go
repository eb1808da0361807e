package linnet

import "time"

// Limits of scheduled statuses, as in Mastodon.
const (
	MinScheduleAhead = 5 * time.Minute
	MaxScheduled     = 300 // per account
	MaxScheduledADay = 25  // per account and day (UTC)
)

// MaxDrafts is the maximum number of drafts per user.
const MaxDrafts = 50

// MaxThreadPosts is the maximum number of posts that are written as one thread.
const MaxThreadPosts = 25

// LastSchedule returns the latest time for which a status can be scheduled. Years must have four
// digits.
func LastSchedule() time.Time { return time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC) }

// Scheduled is a status to be published at a time. The author's defaults at the time of scheduling
// apply. Without a time it is a draft, which isn't published and can be incomplete.
type Scheduled struct {
	ID        ID // the status gets another one when it is published
	Owner     ID
	At        time.Time    // whole milliseconds; zero for a draft
	Saved     time.Time    // for drafts: time of the last change, in whole milliseconds
	PublishAt time.Time    // for drafts: time to schedule it; zero to post it immediately
	Draft     Draft        // without Media, Describe and From
	Group     ID           // group whose members can read it, or in which the draft is written; 0 for none
	Edits     ID           // for drafts: the owner's status to edit; 0 for a new one
	Thread    string       // for drafts: name of the thread that it belongs to; "" for none
	Part      int          // for drafts: its position in the thread, from 1; 0 if it is unfinished and comes last
	Media     []Attachment // in order; they belong to this
	Failed    string       // reason of a failed publication, as a sentence; "" if it is waiting
	Nonce     string       // of the attempt that wrote it; distinguishes a repetition
	Version   uint64
}

// IsDraft reports whether it is a draft.
func (s *Scheduled) IsDraft() bool { return s.At.IsZero() }

// DraftID identifies a version of a draft. It doesn't match after a change by another editor.
type DraftID struct {
	ID      ID // 0 for the one that was last written with Key, if there is one
	Version uint64
	Key     string // key of the last write if the response with its version was lost; "" for none
}

// Given reports whether a draft is identified.
func (d DraftID) Given() bool { return d.ID != 0 || d.Key != "" }

// Unfinished is an incomplete status to be stored as a draft.
type Unfinished struct {
	Draft     Draft     // From is the draft to replace; IdempotencyKey comes from the composer
	Group     ID        // the group in which it is written; 0 for none
	Edits     ID        // the status to edit; 0 for a new one
	PublishAt time.Time // see Scheduled
	Thread    string    // see Scheduled
	Part      int       // see Scheduled
}
