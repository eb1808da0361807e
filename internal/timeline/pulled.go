package timeline

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
	"linnet/internal/store/feeds"
)

// Authors with very many followers are not pushed to home feeds. Readers merge their profiles
// instead. Every server reads the list of these authors at intervals of pulledEvery. A change takes
// effect pulledNotice after it was written. So no server uses the old state for a status that
// another one has posted by the new state.
const (
	pulledEvery  = 10 * time.Second
	pulledNotice = 30 * time.Second
)

// pulledSet has the current and former pulled authors.
type pulledSet struct {
	when map[linnet.ID]feeds.Pulled
	ids  []linnet.ID // in rising order
}

// pulledAuthors returns the authors known to this server. The result must not be modified.
func (s *Service) pulledAuthors() *pulledSet {
	if p := s.pulled.Load(); p != nil {
		return p
	}
	return &pulledSet{}
}

// LoadPulled reads the pulled authors now.
func (s *Service) LoadPulled(ctx context.Context) error {
	when, err := s.st.Feeds.AllPulled(ctx)
	if err != nil {
		return err
	}
	s.pulled.Store(&pulledSet{when, slices.Sorted(maps.Keys(when))})
	return nil
}

// RefreshPulled is like LoadPulled and logs the error. The last known authors then apply.
func (s *Service) RefreshPulled(ctx context.Context) {
	if err := s.LoadPulled(ctx); err != nil && ctx.Err() == nil {
		s.opt.Log.Warn("cannot read pulled authors", "err", err)
	}
}

// Run reads the pulled authors periodically until ctx ends.
func (s *Service) Run(ctx context.Context) { core.Every(ctx, pulledEvery, s.RefreshPulled) }

// ReviewAuthor determines, when an author posts, whether later statuses are pushed.
func (s *Service) ReviewAuthor(ctx context.Context, author linnet.ID, followers int64) error {
	p, known := s.pulledAuthors().when[author]
	at := s.st.Now().Add(pulledNotice).UnixMilli()
	switch {
	case followers >= s.opt.PullAbove && (!known || p.Until != 0):
		return s.st.Feeds.PullAuthor(ctx, author, at)
	case followers < s.opt.PullAbove/2 && known && p.Until == 0:
		return s.st.Feeds.PushAuthor(ctx, author, at)
	}
	return nil
}

// Pulls reports whether an author's current statuses are pulled.
func (s *Service) Pulls(author linnet.ID) bool {
	return s.IsPulled(author, linnet.MakeID(s.st.Now(), author.Shard(), 0))
}

// IsPulled reports whether readers merge a status because it is not pushed.
func (s *Service) IsPulled(author, id linnet.ID) bool {
	return s.pulledAuthors().when[author].Covers(id)
}

// pullBelow merges the statuses of pulled followees into the result of reading a feed downwards, as
// far as it reached.
func (b *FeedReader) pullBelow(ctx context.Context, l *PageRead, sp db.Span) error {
	if len(b.pulled) == 0 {
		return nil
	}
	if !l.End && l.Reached > 0 {
		sp.Above = l.Reached - 1
	}
	m, err := b.mergePulled(ctx, sp)
	if err == nil {
		l.joinBelow(m, sp)
	}
	return err
}

// joinBelow adds merged sources to a page that was read downwards, as far as both were read.
func (l *PageRead) joinBelow(m db.Merged, sp db.Span) {
	l.join(m)
	if m.Floor != 0 && (l.End || m.Floor >= l.Reached) { // a source continues below
		l.Entries = slices.DeleteFunc(l.Entries, func(c linnet.Entry) bool { return c.ID <= m.Floor })
		l.End, l.Reached = false, m.Floor+1
	}
	l.limit(sp)
}

// pullAbove is pullBelow for rising reads.
func (b *FeedReader) pullAbove(ctx context.Context, l *PageRead, sp db.Span) error {
	if len(b.pulled) == 0 {
		return nil
	}
	if !l.End {
		sp.Below = l.Reached + 1
	}
	m, err := b.mergePulled(ctx, sp)
	if err == nil {
		l.joinAbove(m, sp)
	}
	return err
}

// joinAbove is joinBelow for rising pages.
func (l *PageRead) joinAbove(m db.Merged, sp db.Span) {
	l.join(m)
	if m.Ceiling != 0 && (l.End || m.Ceiling <= l.Reached) {
		l.Entries = slices.DeleteFunc(l.Entries, func(c linnet.Entry) bool { return c.ID >= m.Ceiling })
		l.End, l.Reached = false, m.Ceiling-1
	}
	l.limit(sp)
}

func (b *FeedReader) mergePulled(ctx context.Context, sp db.Span) (db.Merged, error) {
	return b.s.st.MergePosts(ctx, b.feed.Source(), b.pulled, sp, sp.Limit, func(p record.Post) bool {
		return b.feed.Includes(p) && b.s.IsPulled(p.Author, p.ID)
	})
}

// join adds merged entries in order, without duplicates.
func (l *PageRead) join(m db.Merged) {
	for _, p := range m.Posts {
		l.Entries = append(l.Entries, linnet.Entry{ID: p.ID, Author: p.Author})
	}
	slices.SortStableFunc(l.Entries, func(a, b linnet.Entry) int { return cmp.Compare(b.ID, a.ID) })
	l.Entries = slices.CompactFunc(l.Entries, func(a, b linnet.Entry) bool { return a.ID == b.ID })
}

// Pulled reports whether this server treats an author as pulled, so that followers merge the
// profile when they read.
func (s *Service) Pulled(author linnet.ID) bool {
	p, known := s.pulledAuthors().when[author]
	return known && p.Until == 0
}
