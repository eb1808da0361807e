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

// FeedReader reads one feed for one page: from the feed if it exists, from the authors' profiles
// otherwise and below its floor, and from the profiles of pulled authors. It is for one request.
type FeedReader struct {
	s         *Service
	feed      Feed
	people    []linnet.ID // the authors, once queried
	pulled    []linnet.ID // the pulled authors among them, once queried
	tags      []string    // the tags that the reader of a home feed follows, once queried
	exclusive []linnet.ID // the reader's exclusive lists
	asked     bool        // the three above are queried
}

// NewFeedReader returns a reader of a feed.
func NewFeedReader(f Feed) *FeedReader { return &FeedReader{s: f.s, feed: f} }

// fillLeast is the minimum size of a rebuilt feed, if there are as many entries: the longest page
// and its window. A rebuild usually finds many more without another round trip.
const fillLeast = linnet.MaxPage + linnet.RepostWindow + 1

// ask reads one or two pages of the feed and the necessary data about its reader, in one round
// trip.
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
		reader.AskRelationships() // the page needs them in any case
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

// complete adds missing sources to a page that was read downwards: profiles if the feed has too few
// entries, and followed tags.
func (b *FeedReader) complete(ctx context.Context, page *db.FeedPage, sp db.Span, need int) (PageRead, error) {
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
	l, err := b.extend(ctx, l, need, need+(sp.Limit-need)/2)
	if err == nil {
		err = b.tagsBelow(ctx, &l, sp)
	}
	return l, err
}

// extendMost is the maximum number of entries of a page that continues in the profiles.
const extendMost = ScanMax + linnet.RepostWindow

// extend continues in the profiles until the page has the entries it needs. It reads somewhat more,
// because some may be invisible and another read costs more. It returns all merged entries that a
// round can use, because an author without visible statuses may have many in a row.
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

// up reads the entries directly above an id, and the window after them.
func (b *FeedReader) up(ctx context.Context, sp db.Span) (seen PageRead, err error) {
	more, below := sp, db.Span{Below: sp.Above + 1, Limit: linnet.RepostWindow}
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
	pages[1].Cold, pages[1].Filling = false, pages[1].Cold || pages[1].Filling // the upper part was rebuilt
	rest, err := b.complete(ctx, pages[1], below, linnet.RepostWindow)
	seen.Window = slices.Concat(seen.Entries, rest.Entries)
	return seen, err
}

func (b *FeedReader) merge(ctx context.Context, sp db.Span, least int) (db.Merged, error) {
	authors, err := b.authors(ctx)
	if err != nil {
		return db.Merged{}, err
	}
	return b.s.st.MergePosts(ctx, b.feed.Source(), authors, sp, least, b.feed.Includes)
}

// Cut returns the part of merged entries that belongs in a span.
func Cut(m db.Merged, sp db.Span) PageRead {
	l := PageRead{End: m.Floor == 0 && m.Ceiling == 0, Reached: m.Floor + 1}
	if sp.Asc {
		l.Reached = max(m.Ceiling, 1) - 1
	}
	for _, p := range m.Posts {
		if n := len(l.Entries); n > 0 && l.Entries[n-1].ID == p.ID {
			continue // a promotion can be in more than one source
		}
		if p.ID > sp.Above && (sp.Below == 0 || p.ID < sp.Below) {
			l.Entries = append(l.Entries, linnet.Entry{ID: p.ID, Author: p.Author})
		}
	}
	l.limit(sp)
	return l
}

// limit limits a page to the size of its span.
func (l *PageRead) limit(sp db.Span) {
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

// rebuild fills a dropped feed from the profiles (the book's exercise of refilling a timeline) and
// returns all entries it read. It marks the feed before the first read, so that entries pushed in
// the meantime are included. A feed is a cache, so a failed write doesn't fail the page.
func (b *FeedReader) rebuild(ctx context.Context) (m db.Merged, err error) {
	token := rand.Text()
	marked := b.s.st.Feeds.BeginFill(ctx, b.feed.Key, token)
	if m, err = b.merge(ctx, db.Span{Limit: kv.FeedTrimmed}, fillLeast); err != nil {
		return m, err
	}
	if marked == nil {
		marked = b.fill(ctx, token, m)
	}
	if marked != nil && ctx.Err() == nil {
		b.s.opt.Log.Debug("cannot store rebuilt feed", "feed", b.feed.Key, "err", marked)
	}
	return m, nil
}

// fill writes the newest merged entries.
func (b *FeedReader) fill(ctx context.Context, token string, m db.Merged) error {
	floor := m.Floor
	ids := make([]linnet.ID, 0, min(len(m.Posts), kv.FeedTrimmed))
	for _, p := range m.Posts {
		if b.feed.Reader != 0 && b.s.IsPulled(p.Author, p.ID) {
			continue
		}
		if len(ids) == kv.FeedTrimmed {
			floor = max(floor, p.ID)
			break
		}
		ids = append(ids, p.ID)
	}
	return b.s.st.Feeds.EndFill(ctx, b.feed.Key, token, ids, floor)
}
