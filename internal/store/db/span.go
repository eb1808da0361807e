package db

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Entry is a member of an ordered set of ids, with its score.
type Entry struct {
	ID    linnet.ID
	Score int64
}

// Members reads a page of a set of ids, ordered by (score, id), newest first.
func (s *DB) Members(ctx context.Context, key kv.Key, p linnet.Page) ([]Entry, error) {
	r := &kv.Range{Key: key, Desc: true, Limit: min(p.Limit, kv.MaxRange)}
	if err := bound(&r.Below, p.Max); err != nil {
		return nil, err
	}
	if err := bound(&r.Above, p.Since); err != nil {
		return nil, err
	}
	if p.Min != "" {
		r.Desc = false
		if err := bound(&r.Above, p.Min); err != nil {
			return nil, err
		}
	}
	if err := s.kv.Read(ctx, r); err != nil {
		return nil, fmt.Errorf("read set %v: %w", key, err)
	}
	out := make([]Entry, 0, len(r.Members))
	for _, m := range r.Members {
		id, _ := record.SplitEntry(m.Member)
		out = append(out, Entry{ID: id, Score: m.Score})
	}
	if !r.Desc {
		slices.Reverse(out)
	}
	return out, nil
}

func bound(to **kv.Member, c linnet.Cursor) error {
	if c == "" {
		return nil
	}
	score, id, err := c.Scored()
	if err != nil {
		return err
	}
	m := kv.Member{Score: min(score, kv.MaxScore)}
	if id != 0 {
		m.Member = id.String()
	}
	*to = &m
	return nil
}

// After reads the next members of a set in ascending order after a member (zero: from the
// beginning), and returns the member to continue from. Batches walk followers with it. The cursor
// is (score, member), because more than 1,000 followers can have the same score.
func (s *DB) After(ctx context.Context, key kv.Key, from kv.Member, limit int) ([]linnet.ID, kv.Member, error) {
	r := &kv.Range{Key: key, Limit: limit}
	if from.Member != "" {
		r.Above = &from
	}
	if err := s.kv.Read(ctx, r); err != nil {
		return nil, from, fmt.Errorf("scan %v: %w", key, err)
	}
	ids := make([]linnet.ID, len(r.Members))
	for i, m := range r.Members {
		ids[i], _ = record.SplitEntry(m.Member)
		from = m
	}
	return ids, from, nil
}

// All reads a whole set of ids in ascending order, up to limit, in several reads of kv.MaxRange.
func (s *DB) All(ctx context.Context, key kv.Key, limit int) ([]linnet.ID, error) {
	var all []linnet.ID
	var from kv.Member
	for len(all) < limit {
		n := min(limit-len(all), kv.MaxRange)
		ids, next, err := s.After(ctx, key, from, n)
		if err != nil {
			return nil, err
		}
		all, from = append(all, ids...), next
		if len(ids) < n {
			break
		}
	}
	return all, nil
}

// Span selects ids between two exclusive bounds (0: none): the newest below Below, or with Asc the
// oldest above Above.
type Span struct {
	Above, Below linnet.ID
	Since        int64 // alternative to Above: ids of this time (Unix milliseconds) or later; cheaper, since it needs no exact position
	Asc          bool
	Limit        int
}

// Query returns a range of a set whose members begin with an id.
func (sp Span) Query(key kv.Key) *kv.Range {
	r := &kv.Range{Key: key, Desc: !sp.Asc, Limit: min(sp.Limit, kv.MaxRange)}
	if sp.Below != 0 {
		r.Below = &kv.Member{Score: sp.Below.Millis(), Member: sp.Below.String()}
	}
	if sp.Above != 0 {
		// '~' sorts after every suffix of an id.
		r.Above = &kv.Member{Score: sp.Above.Millis(), Member: sp.Above.String() + "~"}
	} else if sp.Since != 0 {
		r.Above = &kv.Member{Score: sp.Since}
	}
	return r
}

// PostsRef has a part of a profile timeline after Run, newest first, or with Asc oldest first.
type PostsRef struct {
	author linnet.ID
	r      *kv.Range
}

// Posts decodes the entries.
func (p PostsRef) Posts() []record.Post {
	out := make([]record.Post, len(p.r.Members))
	for i, m := range p.r.Members {
		out[i] = record.ParsePost(p.author, m.Member)
	}
	return out
}

// Source returns the set of a user that feeds are built from.
type Source func(user linnet.ID) kv.Key

// ProfileSource has the statuses of a user's profile.
func ProfileSource(user linnet.ID) kv.Key { return record.PostsKey(user) }

// Posts reads a part of the profile timeline of a user.
func (b *Batch) Posts(user linnet.ID, sp Span) PostsRef { return b.InSource(ProfileSource, user, sp) }

// Newest returns a user's newest status of any kind without a read. known is false unless this
// process wrote the status and no other process writes to the store. It may have been deleted
// since. The next status must be later.
func (s *DB) Newest(user linnet.ID) (newest linnet.ID, known bool) {
	c := s.cache
	if s.opt.Shared || !c.alive.Load() {
		return 0, false
	}
	u, ok := c.users.Get(user)
	if !ok || u.newest == 0 {
		return 0, false
	}
	return u.newest, true
}

// InSource reads a part of a user's source.
func (b *Batch) InSource(source Source, user linnet.ID, sp Span) PostsRef {
	r := sp.Query(source(user))
	b.ask(r, nil)
	return PostsRef{user, r}
}

// FeedPage is a page of a feed after Run.
type FeedPage struct {
	Cold    bool // the feed has to be rebuilt
	Filling bool // it is being rebuilt
	Floor   linnet.ID

	feed kv.Feed
}

// IDs returns the ids on the page, newest first. It is empty for a feed that is cold or being
// filled.
func (p *FeedPage) IDs() []linnet.ID {
	ids := make([]linnet.ID, p.Len())
	for i := range ids {
		ids[i] = p.ID(i)
	}
	return ids
}

// Len returns the number of IDs.
func (p *FeedPage) Len() int { return len(p.feed.IDs) }

// ID returns one of IDs.
func (p *FeedPage) ID(i int) linnet.ID { return linnet.ID(p.feed.IDs[i]) }

// Feed reads a page of a feed.
func (b *Batch) Feed(key kv.Key, sp Span) *FeedPage {
	page := &FeedPage{feed: kv.Feed{Key: key, Above: uint64(sp.Above), Below: uint64(sp.Below), Asc: sp.Asc, Limit: sp.Limit}}
	b.ask(&page.feed, func() error {
		f := &page.feed
		page.Cold, page.Filling, page.Floor = f.State == kv.Cold, f.State == kv.Filling, linnet.ID(f.Floor)
		return nil
	})
	return page
}

// MergeSets reads and merges a span of some sets whose members begin with an id, newest first and
// without repeats.
func (s *DB) MergeSets(ctx context.Context, keys []kv.Key, sp Span) ([]linnet.ID, error) {
	var ids []linnet.ID
	var qs []kv.Query
	var keep []func(*kv.Range) // the part to use of each range
	for _, k := range keys {
		slot, id := s.cache.newest.slot(k)
		if slot == nil || !s.cache.alive.Load() || kv.IsDurable(ctx) {
			qs, keep = append(qs, sp.Query(k)), append(keep, nil)
			continue
		}
		part, ok := slot.Load().within(sp)
		switch {
		case ok:
			ids = append(ids, part...)
		case sp.fromTop():
			epoch := s.cache.epoch(id)
			qs, keep = append(qs, Span{Limit: newestCached}.Query(k)), append(keep, func(r *kv.Range) {
				n := &newest{idsOf(r), len(r.Members) < newestCached}
				s.cache.store(id, epoch, func() { slot.Store(n) })
			})
		default:
			qs, keep = append(qs, sp.Query(k)), append(keep, nil)
		}
	}
	if len(qs) > 0 {
		if err := s.kv.Read(ctx, qs...); err != nil {
			return nil, fmt.Errorf("read timelines: %w", err)
		}
	}
	for i, q := range qs {
		r := q.(*kv.Range)
		if keep[i] == nil {
			ids = append(ids, idsOf(r)...)
			continue
		}
		keep[i](r)
		for _, id := range idsOf(r) {
			if id > sp.Above {
				ids = append(ids, id)
			}
		}
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	if sp.Asc {
		ids = ids[:min(len(ids), sp.Limit)]
		slices.Reverse(ids)
		return ids, nil
	}
	slices.Reverse(ids)
	return ids[:min(len(ids), sp.Limit)], nil
}

// idsOf returns the ids at the beginning of a range's members, in order.
func idsOf(r *kv.Range) []linnet.ID {
	ids := make([]linnet.ID, 0, len(r.Members))
	for _, m := range r.Members {
		head, _, _ := strings.Cut(m.Member, ".")
		if id, ok := linnet.ParseID(head); ok {
			ids = append(ids, id)
		}
	}
	return ids
}
