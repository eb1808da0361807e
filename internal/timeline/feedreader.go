package timeline

import (
	"context"
	"crypto/rand"
	"slices"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// FeedReader reads one feed for one page: from the feed while it is there, from the
// authors' profiles while it is not and below its floor, and from those of
// pulled authors besides. It is for one request.
type FeedReader struct {
	s         *Service
	feed      Feed
	people    []linnet.ID // the authors, once they were asked for
	pulled    []linnet.ID // those of them who are pulled, once they were asked for
	tags      []string    // that the reader of a home follows, once they were asked for
	exclusive []linnet.ID // the reader's exclusive lists
	asked     bool        // the three above have been asked for
}

// NewFeedReader begins to read a feed.
func NewFeedReader(f Feed) *FeedReader { return &FeedReader{s: f.s, feed: f} }

// fillLeast is what a rebuilt feed holds at least, if there is so much: the longest page
// and what decides about its reposts. It mostly comes to many more, without another round
// trip for whoever has posted much.
const fillLeast = linnet.MaxPage + repostWindow + 1

// ask reads one or two pages of the feed, with what else has to be known of its
// reader, in one round trip.
func (b *FeedReader) ask(ctx context.Context, spans ...db.Span) (pages [2]*db.FeedPage, err error) {
	batch := b.s.st.Batch()
	for i, sp := range spans {
		pages[i] = batch.Feed(b.feed.Key, sp)
	}
	var reader *db.Reader
	pulled := b.s.pulledAuthors()
	if b.feed.Reader != 0 && !b.asked {
		reader = batch.Reader(b.feed.Reader)
		reader.AskExclusive()
		reader.AskRelationships() // they are needed to show the page in any case
		for _, id := range pulled.ids {
			reader.AskPerson(id)
		}
	}
	if err := batch.Run(ctx); err != nil {
		return pages, err
	}
	if reader != nil {
		b.asked, b.exclusive = true, reader.Exclusive()
		if !b.feed.top {
			b.tags = reader.FollowedTags()
		}
		for _, id := range pulled.ids {
			if id == b.feed.Reader && !b.feed.top || reader.Person(id).Follows() {
				b.pulled = append(b.pulled, id)
			}
		}
	}
	return pages, nil
}

func (b *FeedReader) authors(ctx context.Context) (_ []linnet.ID, err error) {
	if b.people == nil {
		b.people, err = b.feed.Authors(ctx)
	}
	return b.people, err
}

// complete adds to what a falling page of the feed has found whatever the feed
// does not hold, if it has fewer entries than are needed, and what stands under tags.
func (b *FeedReader) complete(ctx context.Context, page *db.FeedPage, sp db.Span, need int) (PageRead, error) {
	l, err := b.ofAuthors(ctx, page, sp, need)
	if err == nil {
		err = b.tagsBelow(ctx, &l, sp)
	}
	return l, err
}

// ofAuthors is complete without tags.
func (b *FeedReader) ofAuthors(ctx context.Context, page *db.FeedPage, sp db.Span, need int) (PageRead, error) {
	l := PageRead{Reached: sp.Below}
	switch {
	case page.Cold:
		m, err := b.rebuild(ctx)
		if err != nil {
			return l, err
		}
		if sp.Below == 0 || sp.Below > m.Floor {
			l = Cut(m, sp)
		}
	case !page.Filling:
		l = feedPageOf(page, sp)
		if floor := page.Floor; l.End && floor != 0 {
			l.End, l.Reached = false, floor+1
			if sp.Below != 0 {
				l.Reached = min(l.Reached, sp.Below)
			}
		}
		if err := b.pullBelow(ctx, &l, sp); err != nil {
			return l, err
		}
	}
	return b.extend(ctx, l, need, need+(sp.Limit-need)/2)
}

// extendMost is how many entries a page that goes on in the profiles has at most.
const extendMost = ScanMax + repostWindow

// extend goes on in the profiles from where a falling page ended, until it has
// what it needs. It asks for somewhat more, since some may not be shown and to ask
// again costs more; and what was merged beside that is kept as far as a round may use
// it: it has been read, and an author of whom nothing is shown may have posted many in
// a row.
func (b *FeedReader) extend(ctx context.Context, l PageRead, need, ask int) (PageRead, error) {
	for range core.PageRounds {
		if l.End || len(l.Entries) >= need {
			break
		}
		sp := db.Span{Below: l.Reached, Limit: ask - len(l.Entries)}
		m, err := b.mergeBelow(ctx, sp)
		if err != nil {
			return l, err
		}
		sp.Limit = max(extendMost-len(l.Entries), sp.Limit)
		more := Cut(m, sp)
		more.Entries = append(l.Entries, more.Entries...)
		l = more
	}
	return l, nil
}

// up reads the entries directly above an id, and those that follow them.
func (b *FeedReader) up(ctx context.Context, sp db.Span) (seen PageRead, err error) {
	more, below := sp, db.Span{Below: sp.Above + 1, Limit: repostWindow}
	more.Limit += sp.Limit
	pages, err := b.ask(ctx, more, below)
	if err != nil {
		return seen, err
	}
	page, asked := pages[0], more
	if page.Cold {
		if _, err = b.rebuild(ctx); err != nil {
			return seen, err
		}
	}
	if page.Cold || page.Filling || sp.Above < page.Floor {
		m, err := b.merge(ctx, sp, sp.Limit)
		if err != nil {
			return seen, err
		}
		seen, asked = Cut(m, sp), sp
	} else {
		seen = feedPageOf(page, more)
		if err := b.pullAbove(ctx, &seen, more); err != nil {
			return seen, err
		}
	}
	if err := b.tagsAbove(ctx, &seen, asked); err != nil {
		return seen, err
	}
	seen.Window = seen.Entries
	if sp.Above == 0 {
		return seen, nil
	}
	pages[1].Cold, pages[1].Filling = false, pages[1].Cold || pages[1].Filling // it was rebuilt, above
	rest, err := b.complete(ctx, pages[1], below, repostWindow)
	seen.Window = slices.Concat(seen.Entries, rest.Entries)
	return seen, err
}

func (b *FeedReader) merge(ctx context.Context, sp db.Span, least int) (db.Merged, error) {
	authors, err := b.authors(ctx)
	if err != nil {
		return db.Merged{}, err
	}
	return b.s.st.MergePosts(ctx, b.feed.Source(), authors, sp, least, b.feed.Keep)
}

// Cut takes a span's worth of what was merged.
func Cut(m db.Merged, sp db.Span) PageRead {
	l := PageRead{End: m.Floor == 0 && m.Ceiling == 0, Reached: m.Floor + 1}
	if sp.Asc {
		l.Reached = max(m.Ceiling, 1) - 1
	}
	for _, p := range m.Posts {
		if n := len(l.Entries); n > 0 && l.Entries[n-1].ID == p.ID {
			continue // a promotion stands in more than one source
		}
		if p.ID > sp.Above && (sp.Below == 0 || p.ID < sp.Below) {
			l.Entries = append(l.Entries, Entry{p.ID, p.Author})
		}
	}
	l.keep(sp)
	return l
}

// keep cuts a page to the limit of its span.
func (l *PageRead) keep(sp db.Span) {
	over := len(l.Entries) - sp.Limit
	if over <= 0 {
		return
	}
	if sp.Asc {
		l.Entries = l.Entries[over:]
	} else {
		l.Entries = l.Entries[:sp.Limit]
	}
	l.End = false
	l.Reach(sp.Asc)
}

// rebuild fills a cold feed from the profiles (the book's exercise of refilling
// a timeline) and returns what it read, of every time. The mark comes before the
// first read, so that what is pushed meanwhile is kept. A feed is a cache: that
// it cannot be written is no fault of the page.
func (b *FeedReader) rebuild(ctx context.Context) (m db.Merged, err error) {
	token := rand.Text()
	marked := b.s.st.Feeds.BeginFill(ctx, b.feed.Key, token)
	if m, err = b.merge(ctx, db.Span{Limit: kv.FeedKeep}, fillLeast); err != nil {
		return m, err
	}
	if marked == nil {
		marked = b.fill(ctx, token, m)
	}
	if marked != nil && ctx.Err() == nil {
		b.s.opt.Log.Debug("cannot warm feed", "feed", b.feed.Key, "err", marked)
	}
	return m, nil
}

// fill hands over the newest of what was merged.
func (b *FeedReader) fill(ctx context.Context, token string, m db.Merged) error {
	floor := m.Floor
	ids := make([]linnet.ID, 0, min(len(m.Posts), kv.FeedKeep))
	for _, p := range m.Posts {
		if b.feed.Reader != 0 && b.s.IsPulled(p.Author, p.ID) {
			continue
		}
		if len(ids) == kv.FeedKeep {
			floor = max(floor, p.ID)
			break
		}
		ids = append(ids, p.ID)
	}
	return b.s.st.Feeds.EndFill(ctx, b.feed.Key, token, ids, floor)
}
