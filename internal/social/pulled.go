package social

import (
	"context"
	"maps"
	"slices"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// Authors with very many followers are not pushed to home feeds: whoever
// follows them merges their profile while reading. Which authors these are is
// known to every server within pulledEvery; a change takes force pulledNotice
// after it was written, so that no server reads by the old state what another
// has posted by the new one.
const (
	pulledEvery  = 10 * time.Second
	pulledNotice = 30 * time.Second

	// DefaultPullAbove is how many followers an author has who is pulled. Who
	// falls below half of it is pushed again.
	DefaultPullAbove = 50_000
)

// pulledSet are the authors who are, or were, pulled.
type pulledSet struct {
	when map[linnet.ID]store.Pulled
	ids  []linnet.ID // rising
}

// pulledAuthors returns what this server knows; it must not be modified.
func (s *Service) pulledAuthors() *pulledSet {
	if p := s.pulled.Load(); p != nil {
		return p
	}
	return &pulledSet{}
}

func (s *Service) loadPulled(ctx context.Context) error {
	when, err := s.st.AllPulled(ctx)
	if err != nil {
		return err
	}
	s.pulled.Store(&pulledSet{when, slices.Sorted(maps.Keys(when))})
	return nil
}

// reviewAuthor decides, when an author posts, whether later statuses are pushed.
func (s *Service) reviewAuthor(ctx context.Context, author linnet.ID, followers int64) error {
	p, known := s.pulledAuthors().when[author]
	at := s.st.Now().Add(pulledNotice).UnixMilli()
	switch {
	case followers >= s.opt.PullAbove && (!known || p.Until != 0):
		return s.st.PullAuthor(ctx, author, at)
	case followers < s.opt.PullAbove/2 && known && p.Until == 0:
		return s.st.PushAuthor(ctx, author, at)
	}
	return nil
}

// Pulls reports whether an author's statuses of this moment are pulled.
func (s *Service) Pulls(author linnet.ID) bool {
	return s.isPulled(author, linnet.MakeID(s.st.Now(), author.Shard(), 0))
}

// isPulled says whether a status is merged by its readers and not pushed.
func (s *Service) isPulled(author, id linnet.ID) bool {
	return s.pulledAuthors().when[author].Covers(id)
}

// pullBelow merges the pulled statuses of those whom the reader of a feed
// follows into what a falling look has found in the feed, as far down as it
// looked.
func (b *browse) pullBelow(ctx context.Context, l *look, sp store.Span) error {
	if len(b.pulled) == 0 {
		return nil
	}
	if !l.end && l.reached > 0 {
		sp.Above = l.reached - 1
	}
	m, err := b.mergePulled(ctx, sp)
	if err != nil {
		return err
	}
	l.join(m)
	if m.Floor != 0 && (l.end || m.Floor >= l.reached) { // one of the profiles goes on below
		l.cands = slices.DeleteFunc(l.cands, func(c candidate) bool { return c.id <= m.Floor })
		l.end, l.reached = false, m.Floor+1
	}
	l.keep(sp)
	return nil
}

// pullAbove is pullBelow for rising looks.
func (b *browse) pullAbove(ctx context.Context, l *look, sp store.Span) error {
	if len(b.pulled) == 0 {
		return nil
	}
	if !l.end {
		sp.Below = l.reached + 1
	}
	m, err := b.mergePulled(ctx, sp)
	if err != nil {
		return err
	}
	l.join(m)
	if m.Ceiling != 0 && (l.end || m.Ceiling <= l.reached) {
		l.cands = slices.DeleteFunc(l.cands, func(c candidate) bool { return c.id >= m.Ceiling })
		l.end, l.reached = false, m.Ceiling-1
	}
	l.keep(sp)
	return nil
}

func (b *browse) mergePulled(ctx context.Context, sp store.Span) (store.Merged, error) {
	return b.s.st.MergePosts(ctx, b.f.shelf(), b.pulled, sp, func(p record.Post) bool {
		return b.f.keep(p) && b.s.isPulled(p.Author, p.ID)
	})
}

// join adds what was merged to the candidates, in order and each once.
func (l *look) join(m store.Merged) {
	for _, p := range m.Posts {
		l.cands = append(l.cands, candidate{p.ID, p.Author})
	}
	slices.SortStableFunc(l.cands, func(a, b candidate) int { return -cmpID(a.id, b.id) })
	l.cands = slices.CompactFunc(l.cands, func(a, b candidate) bool { return a.id == b.id })
}
