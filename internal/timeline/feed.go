package timeline

import (
	"cmp"
	"context"
	"slices"
	"time"

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
	top    bool      // it holds the promotions of its authors, not their statuses
}

// Source names the sets of its authors from which the feed is built.
func (f *Feed) Source() db.Source {
	if f.top {
		return record.PromotionSource
	}
	return db.ProfileSource
}

// authorsKey is the set of those whose statuses may stand in the feed, in its shard; it
// does not hold the reader of a home.
func (f *Feed) authorsKey() kv.Key {
	if f.Reader == 0 {
		return record.Listings().OwnedKey(f.list)
	}
	return record.Follows().OwnedKey(f.Reader)
}

// Authors are those whose statuses may stand in the feed.
func (f *Feed) Authors(ctx context.Context) ([]linnet.ID, error) {
	if f.Reader == 0 {
		return f.s.st.All(ctx, f.authorsKey(), linnet.MaxListMembers)
	}
	ids, err := f.s.st.All(ctx, f.authorsKey(), linnet.MaxFollowing)
	if !f.top {
		ids = append(ids, f.Reader)
	}
	return ids, err
}

// Keep says which entries of an author's profile belong in. What others have imported does
// not, however far down somebody reads.
func (f *Feed) Keep(p record.Post) bool {
	return p.Author == f.Reader && f.Reader != 0 || p.Visibility != linnet.Direct && !p.Members && !p.Imported
}

// mergeMost is how many entries of a new author are merged into a feed.
const mergeMost = 1000

// AddAuthor lets a feed hold what somebody has posted, who has become one of its authors
// (listing 8.4). If that is more than is merged at once, the feed is forgotten; other
// feeds that depend on the same relation are in any case.
func (f *Feed) AddAuthor(ctx context.Context, author linnet.ID, others ...kv.Key) error {
	b := f.s.st.Batch()
	ref := b.Posts(author, db.Span{Limit: mergeMost})
	if err := b.Run(ctx); err != nil {
		return err
	}
	posts := ref.Posts()
	if len(posts) == mergeMost { // there may be more above the feed's floor
		return f.Forget(ctx, others...)
	}
	var ids []linnet.ID
	for _, p := range posts {
		if f.Keep(p) {
			ids = append(ids, p.ID)
		}
	}
	return f.s.st.Feeds.MergeFeed(ctx, f.Key, ids, others...)
}

// removeMost is how many entries of somebody who is no longer an author are taken out of a
// feed; of more it is forgotten, since it would be short without them.
const removeMost = 100

// Settled is after how long the follow that somebody has begun is in the feed, or its
// addition has failed and will find out what became of the follow. It is longer than the
// lease of a task.
const Settled = time.Minute

// RemoveAuthor takes out of a feed what somebody has posted who has ceased to be one of its
// authors (listing 8.5), having been one since a moment (zero: not known). It is forgotten
// instead if that is not Settled, or they are an author again: then it may come to hold too
// much or too little; and if what is left would not fill the longest page, since every
// read of it would have to go on in the profiles. Other feeds that depend on the same
// relation are forgotten in any case.
func (f *Feed) RemoveAuthor(ctx context.Context, author linnet.ID, since time.Time, others ...kv.Key) error {
	if since.IsZero() || f.s.st.Now().Sub(since) < Settled {
		return f.Forget(ctx, others...)
	}
	page, theirs, err := f.entriesBy(ctx, author)
	if err != nil {
		return err
	}
	if page.Cold || page.Filling || len(theirs) > removeMost || page.Floor != 0 && page.Len()-len(theirs) < fillLeast {
		return f.Forget(ctx, others...)
	}
	ended, err := f.s.st.Feeds.TakeOut(ctx, f.Key, theirs, kv.NoMember{Key: f.authorsKey(), Member: author.String()}, others...)
	if err == nil && !ended {
		err = f.Forget(ctx, others...)
	}
	return err
}

// entriesBy reads a feed and finds what stands in it by an author. Statuses lie in the shard
// of their author; of those that are not among the newest of the profile it has to be asked
// by whom they are. Of one that was deleted that is not known any more: it is taken to be
// the author's.
func (f *Feed) entriesBy(ctx context.Context, author linnet.ID) (page *db.FeedPage, theirs []linnet.ID, err error) {
	b := f.s.st.Batch()
	page = b.Feed(f.Key, db.Span{Limit: kv.MaxRange})
	newest := b.Posts(author, db.Span{Limit: removeMost})
	if err := b.Run(ctx); err != nil {
		return nil, nil, err
	}
	ids, err := f.s.st.Feeds.Whole(ctx, f.Key, page)
	if err != nil {
		return nil, nil, err
	}
	ids = slices.DeleteFunc(ids, func(id linnet.ID) bool { return id.Shard() != author.Shard() })
	posted := make(map[linnet.ID]bool, removeMost)
	for _, p := range newest.Posts() {
		posted[p.ID] = true
	}
	b = f.s.st.Batch()
	refs := map[linnet.ID]*db.StatusRef{}
	for _, id := range ids[:min(len(ids), removeMost+1)] {
		if !posted[id] {
			refs[id] = b.Status(id)
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, nil, err
	}
	return page, slices.DeleteFunc(ids, func(id linnet.ID) bool {
		ref := refs[id]
		return ref != nil && ref.Status != nil && ref.Status.Author != author
	}), nil
}

// Forget makes a feed cold, and others with it: the next read rebuilds it from those who
// are its authors then (listing 8.5, and the exercise of refilling).
func (f *Feed) Forget(ctx context.Context, others ...kv.Key) error {
	return f.s.st.Feeds.ForgetFeeds(ctx, append(others, f.Key)...)
}

// Home is the feed of whom me follows.
func (s *Service) Home(me linnet.ID) Feed { return Feed{s: s, Key: record.HomeKey(me), Reader: me} }

// Read reads a span of the feed (listing 8.3): Limit entries, and as many more while they
// are to be had for the same question, since some of them may not be shown.
// Behind them the window holds as many of the entries that follow as decide
// whether reposts are shown.
func (b *FeedReader) Read(ctx context.Context, sp db.Span) (seen PageRead, err error) {
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
	seen.Window, seen.Exclusive, seen.At = seen.Entries, b.exclusive, linnet.FilterHome
	n, _ := slices.BinarySearchFunc(seen.Entries, sp.Above, func(c Entry, id linnet.ID) int { return cmp.Compare(id, c.ID) })
	all, judged := seen.Entries, n
	if !seen.End && len(all) >= need {
		judged = min(n, len(all)-repostWindow)
	}
	switch {
	case judged < n:
		seen.Entries, seen.End = all[:judged], false
		seen.Reach(false)
	case sp.Above != 0 && (n < len(all) || seen.Reached <= sp.Above): // everything above the bound was seen
		seen.Entries, seen.End = all[:n], true
	}
	return seen, nil
}
