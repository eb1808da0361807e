package db

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Merged is the result of MergePosts.
type Merged struct {
	Posts []record.Post // newest first, repeated for each source that has it
	// Floor is the highest id below which some author's entries were not read, or 0 if all were.
	Floor linnet.ID
	// Ceiling is the same for ascending reads: entries at or above it were not read, or 0.
	Ceiling linnet.ID
}

// MergePosts reads and merges the first entries of a span from the sources of all authors: at least
// as many as least, if there are so many, and about sp.Limit. It leaves out entries that keep
// rejects. The result is complete above the floor (or below the ceiling) and is cut there. It is
// shorter if keep rejects many of an author's entries.
//
// It reads a few entries of each author in one round trip. If necessary it then reads more from
// authors who may have some among the first. Of 5,000 authors, most have none. Each round reads
// mergeGrowth times as much as the previous one, so there are at most four. Together they read at
// most mergeMost entries per author on average, or mergeShare times sp.Limit if that is more.
func (s *DB) MergePosts(ctx context.Context, source Source, authors []linnet.ID, sp Span, least int, keep func(record.Post) bool) (Merged, error) {
	return s.merge(ctx, source, authors, sp, least, record.ParsePost, keep)
}

// merge is MergePosts for sets whose members are parsed by parse.
func (s *DB) merge(ctx context.Context, source Source, authors []linnet.ID, sp Span, least int, parse func(linnet.ID, string) record.Post, keep func(record.Post) bool) (Merged, error) {
	m := merging{parse: parse, sp: sp, least: max(1, min(least, sp.Limit)), parts: make([]mergedPart, len(authors))}
	for i, a := range authors {
		m.parts[i] = mergedPart{author: a, open: true}
	}
	slices.SortFunc(m.parts, func(a, b mergedPart) int { // in their order on disk
		return cmp.Or(cmp.Compare(a.author.Shard(), b.author.Shard()), cmp.Compare(a.author, b.author))
	})
	most := min(sp.Limit, kv.MaxRange)
	each := min(max(mergeShare*sp.Limit/max(len(authors), 1), mergeLeast), most)
	left := max(mergeShare*sp.Limit, mergeMost*len(authors))
	for last := each == most; ; {
		n, err := m.ask(ctx, s, source, each, keep)
		if err != nil {
			return Merged{}, fmt.Errorf("read profile timelines: %w", err)
		}
		if last || m.enough() {
			return m.cut(), nil
		}
		each, last = min(each*mergeGrowth, most), each*mergeGrowth >= most
		left -= n
		if wanted := m.countUnfinished(); each*wanted > left {
			if each, last = left/wanted, true; each <= 0 {
				return m.cut(), nil
			}
		}
	}
}

const (
	mergeLeast  = 2
	mergeShare  = 8 // times an equal share of the limit: few authors post as often as others
	mergeGrowth = 8
	mergeMost   = 80 // entries per author, on average, including rejected ones
)

// merging is a merge in progress.
type merging struct {
	parse func(author linnet.ID, member string) record.Post
	sp    Span
	least int
	parts []mergedPart
	posts []record.Post
	bound linnet.ID // entries beyond it are not needed; 0 if unknown
}

// mergedPart has the entries of an author from the beginning of the span to reached, inclusive. An
// open part may have more.
type mergedPart struct {
	author, reached linnet.ID
	open            bool
}

// nearer reports whether a comes before b in the direction of the span.
func (m *merging) nearer(a, b linnet.ID) bool {
	if m.sp.Asc {
		return a < b
	}
	return a > b
}

// rest returns the span that is still needed from an author.
func (m *merging) rest(p *mergedPart, limit int) Span {
	sp := m.sp
	sp.Limit = limit
	begin, end := &sp.Below, &sp.Above
	if sp.Asc {
		begin, end = end, begin
	}
	if p.reached != 0 {
		*begin = p.reached
	}
	if m.bound != 0 {
		*end = m.bound
	}
	return sp
}

// mayHaveMore reports whether an author may have more entries before the bound.
func (m *merging) mayHaveMore(p *mergedPart) bool {
	return p.open && (m.bound == 0 || p.reached == 0 || m.nearer(p.reached, m.bound))
}

// ask reads more of the open parts. It returns the number of entries read.
func (m *merging) ask(ctx context.Context, s *DB, source Source, each int, keep func(record.Post) bool) (n int, err error) {
	qs, of := make([]kv.Query, 0, len(m.parts)), make([]*mergedPart, 0, len(m.parts))
	for i := range m.parts {
		if p := &m.parts[i]; m.mayHaveMore(p) {
			qs, of = append(qs, m.rest(p, each).Query(source(p.author))), append(of, p)
		}
	}
	if err := s.kv.Read(ctx, qs...); err != nil {
		return 0, err
	}
	for i, q := range qs {
		r, p := q.(*kv.Range), of[i]
		n += len(r.Members)
		for _, x := range r.Members {
			post := m.parse(p.author, x.Member)
			if p.reached = post.ID; keep(post) {
				m.posts = append(m.posts, post)
			}
		}
		if len(r.Members) < r.Limit {
			p.open, p.reached = m.bound != 0, m.bound
		}
	}
	return n, nil
}

// countUnfinished counts the authors who may have more entries before the bound.
func (m *merging) countUnfinished() (n int) {
	for i := range m.parts {
		if m.mayHaveMore(&m.parts[i]) {
			n++
		}
	}
	return n
}

// nearest returns the nearest position beyond which entries were not read, or 0 if all were.
func (m *merging) nearest() (nearest linnet.ID) {
	for i := range m.parts {
		if p := &m.parts[i]; p.open && (nearest == 0 || m.nearer(p.reached, nearest)) {
			nearest = p.reached
		}
	}
	return nearest
}

// enough reports whether enough entries are before the nearest unread position. If not, it sets the
// bound of further reads: the position of the last known entry that may be needed.
func (m *merging) enough() bool {
	nearest := m.nearest()
	if nearest == 0 {
		return true
	}
	ids := make([]linnet.ID, len(m.posts))
	for i := range m.posts {
		ids[i] = m.posts[i].ID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids) // a promotion may be in several sources
	if !m.sp.Asc {
		slices.Reverse(ids)
	}
	if len(ids) >= m.sp.Limit {
		m.bound = ids[m.sp.Limit-1]
	}
	return len(ids) >= m.least && !m.nearer(nearest, ids[m.least-1])
}

// cut returns the entries before the nearest unread position.
func (m *merging) cut() (out Merged) {
	switch nearest := m.nearest(); {
	case nearest == 0:
	case m.sp.Asc:
		out.Ceiling = nearest + 1
	default:
		out.Floor = nearest - 1
	}
	out.Posts = slices.DeleteFunc(m.posts, func(p record.Post) bool {
		return p.ID <= out.Floor || out.Ceiling != 0 && p.ID >= out.Ceiling
	})
	slices.SortFunc(out.Posts, func(a, b record.Post) int { return cmp.Compare(b.ID, a.ID) })
	return out
}
