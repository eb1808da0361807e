package db

import (
	"context"
	"fmt"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Batch collects reads of different kinds into one round trip. Each method returns a result that
// Run fills. A Batch is for one use by one goroutine.
type Batch struct {
	s       *DB
	qs      []kv.Query
	after   []func() error
	readers []*Reader
	reader  Reader // the first reader: few batches have more
	only    [1]*Reader
}

// Batch begins a batch of reads.
func (s *DB) Batch() *Batch {
	b := &Batch{s: s}
	b.readers = b.only[:0]
	return b
}

// Run makes all collected reads in one round trip, or in none if there are none. The first read of
// a user with very many relationship flags takes a second round trip.
func (b *Batch) Run(ctx context.Context) error {
	for {
		for _, r := range b.readers {
			r.ask()
		}
		if len(b.qs) == 0 {
			return nil
		}
		qs, after := b.qs, b.after
		b.qs, b.after = nil, nil
		if err := b.s.kv.Read(ctx, qs...); err != nil {
			return fmt.Errorf("read records: %w", err)
		}
		for _, f := range after {
			if err := f(); err != nil {
				return err
			}
		}
	}
}

// Empty reports whether no reads are collected.
func (b *Batch) Empty() bool {
	for _, r := range b.readers {
		if r.asks() {
			return false
		}
	}
	return len(b.qs) == 0
}

func (b *Batch) ask(q kv.Query, then func() error) {
	b.qs = append(b.qs, q)
	if then != nil {
		b.after = append(b.after, then)
	}
}

// UserRef refers to a user after Run. User is nil if there is none. It may be shared and must not
// be modified.
type UserRef struct {
	User                           *linnet.User // shared; must not be modified
	Followers, Following, Statuses int64
	Last                           linnet.ID    // the newest counted status among the NewestRead newest; 0: none
	Whole                          *CountedUser // all of the above, shared: its identity shows whether anything has changed
}

func (r *UserRef) set(u *CountedUser) {
	r.User, r.Followers, r.Following, r.Statuses, r.Last, r.Whole = u.User, u.Followers, u.Following, u.Statuses, u.last, u
}

// lastCounted returns the first counted one of some posts.
func lastCounted(posts []record.Post) linnet.ID {
	for _, p := range posts {
		if p.Visibility != linnet.Direct {
			return p.ID
		}
	}
	return 0
}

// User reads a user, the counts and the newest counted status. They are in the user's shard and
// cached together, because a counted status changes the counts in the same transaction.
func (b *Batch) User(id linnet.ID) *UserRef {
	var known *linnet.User // the record, if only the counts have changed
	epoch := b.s.cache.epoch(id)
	if c := b.s.cache; c.alive.Load() {
		if u, ok := c.users.Get(id); ok && !u.uncounted {
			return &u.ref
		} else if ok {
			known = u.User
		}
	}
	return b.askUser(id, known, epoch)
}

// askUser reads a user from the engine, without the record if it is known. It caches the result if
// nothing has changed since epoch, which was read before the cache.
func (b *Batch) askUser(id linnet.ID, known *linnet.User, epoch uint64) *UserRef {
	c, ref := b.s.cache, &UserRef{}
	get := &kv.Get{Key: record.UserKey(id)}
	if known == nil {
		b.ask(get, nil)
	}
	posts := Span{Limit: NewestRead}.Query(record.PostsKey(id))
	b.ask(posts, nil)
	b.askCounts(id, func(followers, following, statuses int64) error {
		u := known
		if u == nil {
			if get.Version == 0 {
				return nil
			}
			var born bool
			var err error
			if u, born, err = record.DecodeUser(id, get); err != nil || !born {
				return err
			}
		}
		whole := &CountedUser{User: u, Followers: followers, Following: following, Statuses: statuses,
			last: lastCounted((PostsRef{id, posts}).Posts())}
		whole.ref.set(whole)
		c.store(id, epoch, func() { c.users.Set(id, whole) })
		ref.set(whole)
		return nil
	})
	return ref
}

// Followers reads the number of a user's followers, or 0 for a missing user. This is the smallest
// read that can order users.
func (b *Batch) Followers(id linnet.ID) *int64 {
	n := new(int64)
	if c := b.s.cache; c.alive.Load() {
		if u, ok := c.users.Get(id); ok && !u.uncounted {
			*n = u.Followers
			return n
		}
	}
	counts := &kv.Counters{Key: record.CountsKey(id), Names: []string{record.Follows().OtherCounter}}
	b.ask(counts, func() error {
		*n = max(counts.Values[0], 0)
		return nil
	})
	return n
}

// askCounts reads a user's counts.
func (b *Batch) askCounts(id linnet.ID, then func(followers, following, statuses int64) error) {
	counts := &kv.Counters{Key: record.CountsKey(id), Names: record.UserCounts()}
	b.ask(counts, func() error {
		return then(max(counts.Values[0], 0), max(counts.Values[1], 0), max(counts.Values[2], 0))
	})
}

// StatusRef refers to a status after Run. Status is nil if there is none. It may be shared and must
// not be modified.
type StatusRef struct {
	Status                       *linnet.Status // shared; must not be modified
	Replies, Reposts, Favourites int64
	Closed                       int64          // replies that are not public, and not in Replies
	Quotes                       int64          // public quotes
	Whole                        *CountedStatus // all of the above, shared: its identity shows whether anything has changed
}

// Votes returns the counts of the status.
func (r *StatusRef) Votes() linnet.Votes {
	return linnet.Votes{Favourites: r.Favourites, Reposts: r.Reposts, Replies: r.Replies}
}

func (r *StatusRef) set(st *CountedStatus) {
	r.Status, r.Replies, r.Reposts, r.Favourites, r.Closed, r.Quotes, r.Whole = st.Status, st.Replies, st.Reposts, st.Favourites, st.closed, st.Quotes, st
}

// Status reads a status and its tally.
func (b *Batch) Status(id linnet.ID) *StatusRef {
	var known *linnet.Status // the record, if only the tally has changed
	epoch := b.s.cache.epoch(id)
	if c := b.s.cache; c.alive.Load() {
		if st, ok := c.statuses.Get(id); ok && !st.uncounted {
			return &st.ref
		} else if ok {
			known = st.Status
		}
	}
	return b.askStatus(id, known, epoch)
}

// askStatus is askUser for a status.
func (b *Batch) askStatus(id linnet.ID, known *linnet.Status, epoch uint64) *StatusRef {
	c, ref := b.s.cache, &StatusRef{}
	get := &kv.Get{Key: record.StatusKey(id)}
	tally := &kv.Counters{Key: record.TallyKey(id), Names: record.StatusCounts()}
	if known == nil {
		b.ask(get, nil)
	}
	b.ask(tally, func() error {
		st := known
		if st == nil {
			if get.Version == 0 {
				return nil
			}
			var err error
			if st, err = record.DecodeStatus(id, get); err != nil {
				return err
			}
		}
		whole := &CountedStatus{Status: st, Replies: max(tally.Values[0], 0), Reposts: max(tally.Values[1], 0), Favourites: max(tally.Values[2], 0), closed: max(tally.Values[3], 0), Quotes: max(tally.Values[4], 0)}
		whole.ref.set(whole)
		c.store(id, epoch, func() { c.statuses.Set(id, whole) })
		ref.set(whole)
		return nil
	})
	return ref
}

// RecordRef holds a status record after Run. Status is nil if there is none.
type RecordRef struct {
	Status *linnet.Status // shared; must not be modified
}

// StatusRecord reads a status without its counts, for pages that look at many statuses and show
// few. The record is cached, because repeated pages read the same ones.
func (b *Batch) StatusRecord(id linnet.ID) *RecordRef {
	c, epoch := b.s.cache, b.s.cache.epoch(id)
	if st, ok := c.statuses.Get(id); ok && c.alive.Load() {
		return &RecordRef{st.Status}
	}
	ref, get := &RecordRef{}, &kv.Get{Key: record.StatusKey(id)}
	b.ask(get, func() (err error) {
		if get.Version != 0 {
			ref.Status, err = record.DecodeStatus(id, get)
		}
		if ref.Status != nil {
			c.store(id, epoch, func() { c.statuses.Set(id, &CountedStatus{Status: ref.Status, uncounted: true}) })
		}
		return err
	})
	return ref
}

// has reads which of members are in a set that belongs to owner.
func (b *Batch) has(key kv.Key, members []linnet.ID) *Membership {
	m := &Membership{ids: members}
	if len(members) == 0 {
		return m
	}
	q := &kv.Scores{Key: key, Members: IDStrings(members)}
	b.ask(q, func() error {
		m.found = q.Found
		return nil
	})
	return m
}

// Membership reports which of some ids are in a set.
type Membership struct {
	ids   []linnet.ID
	found []bool
}

// Has reports whether id was found. It searches linearly, because pages are short.
func (m *Membership) Has(id linnet.ID) bool {
	for i, x := range m.ids {
		if x == id && i < len(m.found) {
			return m.found[i]
		}
	}
	return false
}

// IDStrings returns ids as members of sets.
func IDStrings(ids []linnet.ID) []string {
	out := make([]string, len(ids))
	for i, id := range ids {
		out[i] = id.String()
	}
	return out
}

// Found returns the ids that are in the set.
func (m *Membership) Found() []linnet.ID {
	var out []linnet.ID
	for i, ok := range m.found {
		if ok {
			out = append(out, m.ids[i])
		}
	}
	return out
}

// NewestRead is the number of a user's newest statuses that are searched for the last one that is
// not direct.
const NewestRead = 10
