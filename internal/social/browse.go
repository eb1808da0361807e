package social

import (
	"context"
	"crypto/rand"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store"
)

// browse reads one feed for one page: from the feed while it is there, from the
// authors' profiles while it is not and below its floor, and from those of
// pulled authors besides. It is for one request.
type browse struct {
	s         *Service
	f         feed
	people    []linnet.ID // the authors, once they were asked for
	pulled    []linnet.ID // those of them who are pulled, once they were asked for
	exclusive []linnet.ID // the reader's exclusive lists
	asked     bool        // the two above have been asked for
}

// How much of each author a rebuild reads: together about fillTotal entries,
// but at least a page of each, so that the next page is complete too.
const (
	fillTotal = 8000
	fillLeast = linnet.MaxPage + repostWindow + 1
)

// ask reads one or two pages of the feed, with what else has to be known of its
// reader, in one round trip.
func (b *browse) ask(ctx context.Context, spans ...store.Span) (pages [2]*store.FeedPage, err error) {
	batch := b.s.st.Batch()
	for i, sp := range spans {
		pages[i] = batch.Feed(b.f.key, sp)
	}
	var reader *store.Reader
	pulled := b.s.pulledAuthors()
	if b.f.reader != 0 && !b.asked {
		reader = batch.Reader(b.f.reader)
		reader.AskExclusive()
		for _, id := range pulled.ids {
			reader.AskPerson(id)
		}
	}
	if err := batch.Run(ctx); err != nil {
		return pages, err
	}
	if reader != nil {
		b.asked, b.exclusive = true, reader.Exclusive()
		for _, id := range pulled.ids {
			if id == b.f.reader && !b.f.top || reader.Person(id).Follows() {
				b.pulled = append(b.pulled, id)
			}
		}
	}
	return pages, nil
}

func (b *browse) authors(ctx context.Context) (_ []linnet.ID, err error) {
	if b.people == nil {
		b.people, err = b.f.authors(ctx)
	}
	return b.people, err
}

// complete adds to what a falling page of the feed has found whatever the feed
// does not hold, if it has fewer entries than are needed.
func (b *browse) complete(ctx context.Context, page *store.FeedPage, sp store.Span, need int) (look, error) {
	l := look{reached: sp.Below}
	switch {
	case page.Cold:
		m, err := b.rebuild(ctx)
		if err != nil {
			return l, err
		}
		if sp.Below == 0 || sp.Below > m.Floor {
			l = cut(m, sp)
		}
	case !page.Filling:
		l = lookIn(page, sp)
		if floor := page.Floor; l.end && floor != 0 {
			l.end, l.reached = false, floor+1
			if sp.Below != 0 {
				l.reached = min(l.reached, sp.Below)
			}
		}
		if err := b.pullBelow(ctx, &l, sp); err != nil {
			return l, err
		}
	}
	return b.extend(ctx, l, need, need+(sp.Limit-need)/2)
}

// extendMost is how many candidates a look that goes on in the profiles returns
// at most.
const extendMost = scanMax + repostWindow

// extend goes on in the profiles from where a falling look ended, until it has
// what it needs. What it asks of each author is somewhat more, since some may not
// be shown and to ask again costs more; and what was merged of all of them is kept
// as far as a round may use it: it has been read, and an author of whom nothing is
// shown may have posted many in a row.
func (b *browse) extend(ctx context.Context, l look, need, ask int) (look, error) {
	for range pageRounds {
		if l.end || len(l.cands) >= need {
			break
		}
		sp := store.Span{Below: l.reached, Limit: ask - len(l.cands)}
		m, err := b.merge(ctx, sp)
		if err != nil {
			return l, err
		}
		sp.Limit = max(extendMost-len(l.cands), sp.Limit)
		more := cut(m, sp)
		more.cands = append(l.cands, more.cands...)
		l = more
	}
	return l, nil
}

// up reads the entries directly above an id, and those that follow them.
func (b *browse) up(ctx context.Context, sp store.Span) (seen look, err error) {
	more, below := sp, store.Span{Below: sp.Above + 1, Limit: repostWindow}
	more.Limit += sp.Limit
	pages, err := b.ask(ctx, more, below)
	if err != nil {
		return seen, err
	}
	page := pages[0]
	if page.Cold {
		if _, err = b.rebuild(ctx); err != nil {
			return seen, err
		}
	}
	if page.Cold || page.Filling || sp.Above < page.Floor {
		m, err := b.merge(ctx, sp)
		if err != nil {
			return seen, err
		}
		seen = cut(m, sp)
	} else {
		seen = lookIn(page, more)
		if err := b.pullAbove(ctx, &seen, more); err != nil {
			return seen, err
		}
	}
	seen.window = seen.cands
	if sp.Above == 0 {
		return seen, nil
	}
	pages[1].Cold, pages[1].Filling = false, pages[1].Cold || pages[1].Filling // it was rebuilt, above
	rest, err := b.complete(ctx, pages[1], below, repostWindow)
	seen.window = slices.Concat(seen.cands, rest.cands)
	return seen, err
}

func (b *browse) merge(ctx context.Context, sp store.Span) (store.Merged, error) {
	authors, err := b.authors(ctx)
	if err != nil {
		return store.Merged{}, err
	}
	return b.s.st.MergePosts(ctx, b.f.shelf(), authors, sp, b.f.keep)
}

// cut takes a span's worth of what was merged.
func cut(m store.Merged, sp store.Span) look {
	l := look{end: m.Floor == 0 && m.Ceiling == 0, reached: m.Floor + 1}
	if sp.Asc {
		l.reached = max(m.Ceiling, 1) - 1
	}
	for _, p := range m.Posts {
		if n := len(l.cands); n > 0 && l.cands[n-1].id == p.ID {
			continue // a promotion stands on more than one shelf
		}
		if p.ID > sp.Above && (sp.Below == 0 || p.ID < sp.Below) {
			l.cands = append(l.cands, candidate{p.ID, p.Author})
		}
	}
	l.keep(sp)
	return l
}

// keep cuts a look to the limit of its span.
func (l *look) keep(sp store.Span) {
	over := len(l.cands) - sp.Limit
	if over <= 0 {
		return
	}
	if sp.Asc {
		l.cands = l.cands[over:]
	} else {
		l.cands = l.cands[:sp.Limit]
	}
	l.end = false
	l.reach(sp.Asc)
}

// rebuild fills a cold feed from the profiles (the book's exercise of refilling
// a timeline) and returns what it read, of every time. The mark comes before the
// first read, so that what is pushed meanwhile is kept. A feed is a cache: that
// it cannot be written is no fault of the page.
func (b *browse) rebuild(ctx context.Context) (m store.Merged, err error) {
	token := rand.Text()
	marked := b.s.st.BeginFill(ctx, b.f.key, token)
	authors, err := b.authors(ctx)
	if err != nil {
		return m, err
	}
	each := min(max(fillTotal/max(len(authors), 1), fillLeast), kv.MaxRange)
	if m, err = b.merge(ctx, store.Span{Limit: each}); err != nil {
		return m, err
	}
	if marked == nil {
		marked = b.fill(ctx, token, m)
	}
	if marked != nil && ctx.Err() == nil {
		b.s.opt.Log.Debug("feed stays cold", "feed", b.f.key, "err", marked)
	}
	return m, nil
}

// fill hands over the newest of what was merged.
func (b *browse) fill(ctx context.Context, token string, m store.Merged) error {
	floor := m.Floor
	ids := make([]linnet.ID, 0, min(len(m.Posts), kv.FeedKeep))
	for _, p := range m.Posts {
		if b.f.reader != 0 && b.s.isPulled(p.Author, p.ID) {
			continue
		}
		if len(ids) == kv.FeedKeep {
			floor = max(floor, p.ID)
			break
		}
		ids = append(ids, p.ID)
	}
	return b.s.st.EndFill(ctx, b.f.key, token, ids, floor)
}
