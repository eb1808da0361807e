package social

import (
	"context"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store"
)

// feed is a timeline that is kept ready: home or a list.
type feed struct {
	s      *Service
	key    kv.Key
	list   linnet.ID // whose timeline it is, or
	reader linnet.ID // whose home or top it is; 0: a list, to which everybody is pushed
	top    bool      // it holds the promotions on the authors' shelves, not their statuses
}

// shelf is where what the feed is made of lies at its authors.
func (f *feed) shelf() store.Shelf {
	if f.top {
		return record.PromotionShelf
	}
	return store.ProfileShelf
}

// authors are those whose statuses may stand in the feed.
func (f *feed) authors(ctx context.Context) ([]linnet.ID, error) {
	if f.reader == 0 {
		return f.s.st.All(ctx, record.Listings().OwnedKey(f.list), linnet.MaxListMembers)
	}
	ids, err := f.s.st.All(ctx, record.Follows().OwnedKey(f.reader), linnet.MaxFollowing)
	if !f.top {
		ids = append(ids, f.reader)
	}
	return ids, err
}

// keep says which entries of an author's profile belong in.
func (f *feed) keep(p record.Post) bool {
	return p.Author == f.reader && f.reader != 0 || p.Visibility != linnet.Direct && !p.Members
}

// Home shows the statuses of the people whom me follows, and me's own.
// https://docs.joinmastodon.org/methods/timelines/#home
func (s *Service) Home(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	return s.feedPage(ctx, me, s.home(me), p, homeKeep)
}

func (s *Service) home(me linnet.ID) feed { return feed{s: s, key: record.HomeKey(me), reader: me} }

func homeKeep(l *loader, seen *look, v *linnet.StatusView) bool { return l.onceIn(seen, v, homeRule) }

// homeRule says what stands at home: what I wrote, and what people whom I follow
// wrote, but their replies only to people whom I follow as well, to themselves
// or to me, in the languages in which I want them if I have named any, and their
// reposts only if I want them; and nothing by members of my exclusive lists or that I
// have blocked or muted.
func homeRule(l *loader, v *linnet.StatusView) bool {
	if v.Author == l.viewer {
		return true
	}
	author := l.relation(v.Author)
	if l.unwanted(v) || !author.Follows() || l.exclusive(v.Author) {
		return false
	}
	if v.RepostOf != 0 {
		return !author.HidesReposts()
	}
	if author.Narrowed() && !speaks(l.reader.Languages(v.Author), v.Language) {
		return false
	}
	return v.InReplyTo == 0 || v.InReplyAuthor == v.Author || v.InReplyAuthor == l.viewer || l.followed(v.InReplyAuthor)
}

// speaks says whether a status in some language is wanted of somebody who is wanted in
// some languages (none: all). One that names no language is.
func speaks(wanted []string, language string) bool {
	return len(wanted) == 0 || language == "" || slices.Contains(wanted, baseLanguage(language))
}

func (s *Service) feedPage(ctx context.Context, viewer linnet.ID, f feed, p linnet.Page,
	keep func(*loader, *look, *linnet.StatusView) bool) (linnet.Slice[linnet.StatusView], error) {
	b := &browse{s: s, f: f}
	return s.page(ctx, viewer, p, b.look, keep)
}

func cmpID(a, b linnet.ID) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// look looks at a span of the feed: Limit candidates, and as many more while they
// are to be had for the same question, since some of them may not be shown.
// Behind them the window holds as many of the entries that follow as reposts are
// judged by.
func (b *browse) look(ctx context.Context, sp store.Span) (seen look, err error) {
	if sp.Asc {
		seen, err = b.up(ctx, sp)
		seen.exclusive, seen.at = b.exclusive, linnet.FilterHome
		return seen, err
	}
	return b.down(ctx, sp)
}

// down reads the entries below an id, and those that follow them.
func (b *browse) down(ctx context.Context, sp store.Span) (seen look, err error) {
	need := sp.Limit + repostWindow
	asked := store.Span{Below: sp.Below, Limit: need + sp.Limit}
	pages, err := b.ask(ctx, asked)
	if err != nil {
		return seen, err
	}
	if seen, err = b.complete(ctx, pages[0], asked, need); err != nil {
		return seen, err
	}
	seen.window, seen.exclusive, seen.at = seen.cands, b.exclusive, linnet.FilterHome
	n, _ := slices.BinarySearchFunc(seen.cands, sp.Above, func(c candidate, id linnet.ID) int { return -cmpID(c.id, id) })
	all, judged := seen.cands, n
	if !seen.end && len(all) >= need {
		judged = min(n, len(all)-repostWindow)
	}
	switch {
	case judged < n:
		seen.cands, seen.end = all[:judged], false
		seen.reach(false)
	case sp.Above != 0 && (n < len(all) || seen.reached <= sp.Above): // everything above the bound was seen
		seen.cands, seen.end = all[:n], true
	}
	return seen, nil
}
