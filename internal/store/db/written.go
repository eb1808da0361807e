package db

import (
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// A process that shares its engine hears of its own writes too, and forgets what it has just
// written. Who goes on with it in the same act takes it along instead.

// Written is a status that was just written, for the rest of the act.
type Written struct {
	Status *StatusRef
	Author *UserRef // after Batch.Author and Run; nil: not asked for
	by     *linnet.User
}

// Written takes along a status as it would be read, and its author, who must not be
// modified; nil where nobody else writes, since there it is kept.
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

// Author asks for the author of a status that was just written: only for the counts,
// since the record is known, and so is the newest status if it is counted. Nothing is kept:
// the record was read before the status was written.
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

// Rechecked is what has become of a status and of those who relate to its author.
type Rechecked struct {
	Gone    bool    // the status is no more
	Version uint64  // of its record
	Endings []int64 // how often relations to the author were ended, as record.Endings names them
}

// Recheck asks, past what is kept, whether a status is still there and how often relations
// to its author were ended. What is not kept of the two, or not counted, it reads whole,
// so that who comes next finds it: that was just written, and readers will ask for it.
func (b *Batch) Recheck(status, author linnet.ID) *Rechecked {
	r, c := &Rechecked{}, b.s.cache
	epoch, authorEpoch := c.epoch(status), c.epoch(author)
	if st, ok := c.statuses.Get(status); ok && !st.uncounted {
		get := &kv.Get{Key: record.StatusKey(status)}
		b.ask(get, func() error { r.Gone, r.Version = get.Version == 0, get.Version; return nil })
	} else {
		ref := b.askStatus(status, nil, epoch)
		b.after = append(b.after, func() error {
			if r.Gone = ref.Status == nil; !r.Gone {
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
