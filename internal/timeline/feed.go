package timeline

import (
	"context"
	"slices"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
	"linnet/internal/store/db"
)

// Feed is a timeline that is kept ready: home or a list.
type Feed struct {
	s      *Service
	Key    kv.Key
	list   linnet.ID // whose timeline it is, or
	Reader linnet.ID // whose home or top it is; 0: a list, to which everybody is pushed
	top    bool      // it holds the promotions on the authors' shelves, not their statuses
}

// Shelf is where what the feed is made of lies at its authors.
func (f *Feed) Shelf() db.Shelf {
	if f.top {
		return record.PromotionShelf
	}
	return db.ProfileShelf
}

// Authors are those whose statuses may stand in the feed.
func (f *Feed) Authors(ctx context.Context) ([]linnet.ID, error) {
	if f.Reader == 0 {
		return f.s.st.All(ctx, record.Listings().OwnedKey(f.list), linnet.MaxListMembers)
	}
	ids, err := f.s.st.All(ctx, record.Follows().OwnedKey(f.Reader), linnet.MaxFollowing)
	if !f.top {
		ids = append(ids, f.Reader)
	}
	return ids, err
}

// Keep says which entries of an author's profile belong in.
func (f *Feed) Keep(p record.Post) bool {
	return p.Author == f.Reader && f.Reader != 0 || p.Visibility != linnet.Direct && !p.Members
}

// Home is the feed of whom me follows.
func (s *Service) Home(me linnet.ID) Feed { return Feed{s: s, Key: record.HomeKey(me), Reader: me} }

// CmpID orders ids, the oldest first.
func CmpID(a, b linnet.ID) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Look looks at a span of the feed: Limit candidates, and as many more while they
// are to be had for the same question, since some of them may not be shown.
// Behind them the window holds as many of the entries that follow as reposts are
// judged by.
func (b *FeedReader) Look(ctx context.Context, sp db.Span) (seen PageRead, err error) {
	if sp.Asc {
		seen, err = b.up(ctx, sp)
		seen.Exclusive, seen.At = b.exclusive, linnet.FilterHome
		return seen, err
	}
	return b.down(ctx, sp)
}

// down reads the entries below an id, and those that follow them.
func (b *FeedReader) down(ctx context.Context, sp db.Span) (seen PageRead, err error) {
	need := sp.Limit + repostWindow
	asked := db.Span{Below: sp.Below, Limit: need + sp.Limit}
	pages, err := b.ask(ctx, asked)
	if err != nil {
		return seen, err
	}
	if seen, err = b.complete(ctx, pages[0], asked, need); err != nil {
		return seen, err
	}
	seen.Window, seen.Exclusive, seen.At = seen.Cands, b.exclusive, linnet.FilterHome
	n, _ := slices.BinarySearchFunc(seen.Cands, sp.Above, func(c Entry, id linnet.ID) int { return -CmpID(c.Id, id) })
	all, judged := seen.Cands, n
	if !seen.End && len(all) >= need {
		judged = min(n, len(all)-repostWindow)
	}
	switch {
	case judged < n:
		seen.Cands, seen.End = all[:judged], false
		seen.Reach(false)
	case sp.Above != 0 && (n < len(all) || seen.Reached <= sp.Above): // everything above the bound was seen
		seen.Cands, seen.End = all[:n], true
	}
	return seen, nil
}
