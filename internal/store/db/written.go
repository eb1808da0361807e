package db

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// A process that shares its engine also receives reports of its own writes, and evicts records that
// it has just written. So the rest of the same action uses them directly.

// Written is a new status, for the rest of the action that created it.
type Written struct {
	Status *StatusRef
	Author *UserRef // after Batch.Author and Run; nil if not read
	by     *linnet.User
}

// Written returns a new status as it would be read, with its author, which must not be modified. It
// returns nil if no other process writes, because the status is cached then.
func (s *DB) Written(st *linnet.Status, by *linnet.User) (*Written, error) {
	if !s.opt.Shared {
		return nil, nil
	}
	read, err := record.DecodeStatus(st.ID, &kv.Get{Data: record.EncodeStatus(st), Version: 1})
	if err != nil {
		return nil, fmt.Errorf("decode status %v after encoding it: %w", st.ID, err)
	}
	whole := &CountedStatus{Status: read}
	whole.ref.set(whole)
	return &Written{Status: &whole.ref, by: by}, nil
}

// Author reads the author of a new status. It reads only the counts, because the record is known,
// and so is the newest status if it is counted. The result is not cached, because the record was
// read before the status was written.
func (b *Batch) Author(w *Written) *UserRef {
	st := w.Status.Status
	if !Counted(st) {
		w.Author = b.User(st.Author)
		return w.Author
	}
	ref := &UserRef{}
	w.Author = ref
	b.askCounts(st.Author, func(followers, following, statuses int64) error {
		whole := &CountedUser{User: w.by, Followers: followers, Following: following, Statuses: statuses, last: st.ID}
		whole.ref.set(whole)
		ref.set(whole)
		return nil
	})
	return ref
}

// Rechecked is the current state of a status and of the relations to its author.
type Rechecked struct {
	Deleted bool    // the status was deleted
	Version uint64  // version of its record
	Endings []int64 // number of ended relations to the author, in the order of record.Endings
}

// Recheck reads past the caches whether a status still exists and how often relations to its author
// were ended. If the status or its author is not cached, or not counted, it reads it completely and
// caches it, because readers will need a new status soon.
func (b *Batch) Recheck(status, author linnet.ID) *Rechecked {
	r, c := &Rechecked{}, b.s.cache
	epoch, authorEpoch := c.epoch(status), c.epoch(author)
	if st, ok := c.statuses.Get(status); ok && !st.uncounted {
		get := &kv.Get{Key: record.StatusKey(status)}
		b.ask(get, func() error { r.Deleted, r.Version = get.Version == 0, get.Version; return nil })
	} else {
		ref := b.askStatus(status, nil, epoch)
		b.after = append(b.after, func() error {
			if r.Deleted = ref.Status == nil; !r.Deleted {
				r.Version = ref.Status.Version
			}
			return nil
		})
	}
	if u, ok := c.users.Get(author); ok && u.uncounted && c.alive.Load() {
		b.askUser(author, u.User, authorEpoch)
	}
	ended := b.endings(author)
	b.after = append(b.after, func() error { r.Endings = endingsIn(ended); return nil })
	return r
}
