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

// Feed is a stored timeline: a home timeline or a list.
type Feed struct {
	s      *Service
	Key    kv.Key
	list   linnet.ID // the list, if the feed is one
	Reader linnet.ID // owner of a home or Top feed; 0 for a list, which always receives entries
	top    bool      // contains the promotions of its authors, not their statuses
}

// Source returns the sets of its authors from which the feed is built.
func (f *Feed) Source() db.Source {
	if f.top {
		return record.PromotionSource
	}
	return db.ProfileSource
}

// authorsKey returns the set of the authors of the feed, in its shard. It doesn't contain the
// reader of a home feed.
func (f *Feed) authorsKey() kv.Key {
	if f.Reader == 0 {
		return record.Listings().OwnedKey(f.list)
	}
	return record.Follows().OwnedKey(f.Reader)
}

// Authors returns the authors whose statuses belong in the feed.
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

// Includes reports whether an entry of an author's profile belongs in the feed. Imported statuses
// of other authors don't, at any depth.
func (f *Feed) Includes(p record.Post) bool {
	return p.Author == f.Reader && f.Reader != 0 || p.Visibility != linnet.Direct && !p.Members && !p.Imported
}

// mergeMost is the maximum number of entries of a new author that are merged into a feed.
const mergeMost = 1000

// AddAuthor adds the statuses of a new author to a feed (listing 8.4). If there are more than can
// be merged at once, it drops the feed. It always drops others, the other feeds that depend on the
// relation.
func (f *Feed) AddAuthor(ctx context.Context, author linnet.ID, others ...kv.Key) error {
	b := f.s.st.Batch()
	ref := b.Posts(author, db.Span{Limit: mergeMost})
	if err := b.Run(ctx); err != nil {
		return err
	}
	posts := ref.Posts()
	if len(posts) == mergeMost { // there may be more above the floor of the feed
		return f.Forget(ctx, others...)
	}
	var ids []linnet.ID
	for _, p := range posts {
		if f.Includes(p) {
			ids = append(ids, p.ID)
		}
	}
	return f.s.st.Feeds.MergeFeed(ctx, f.Key, ids, others...)
}

// removeMost is the maximum number of entries of a former author that are removed from a feed. With
// more it is dropped, because it would be too short.
const removeMost = 100

// FollowApplied is the age of a follow from which its author is in the feed, unless the task has
// failed. A failed task reads the state of the follow again. It is longer than the lease of a task.
const FollowApplied = time.Minute

// RemoveAuthor removes the statuses of a former author from a feed (listing 8.5). since is when the
// author was added, zero if unknown. It drops the feed instead if the follow is younger than
// FollowApplied or the author has been added again, since the feed could then have too many or too
// few entries. It also drops a feed that becomes shorter than the longest page, because every read
// would continue in the profiles. It always drops others, the other feeds that depend on the
// relation.
func (f *Feed) RemoveAuthor(ctx context.Context, author linnet.ID, since time.Time, others ...kv.Key) error {
	if since.IsZero() || f.s.st.Now().Sub(since) < FollowApplied {
		return f.Forget(ctx, others...)
	}
	page, theirs, err := f.entriesBy(ctx, author)
	if err != nil {
		return err
	}
	if page.Cold || page.Filling || len(theirs) > removeMost || page.Floor != 0 && page.Len()-len(theirs) < fillLeast {
		return f.Forget(ctx, others...)
	}
	ended, err := f.s.st.Feeds.RemoveStatuses(ctx, f.Key, theirs, kv.NoMember{Key: f.authorsKey(), Member: author.String()}, others...)
	if err == nil && !ended {
		err = f.Forget(ctx, others...)
	}
	return err
}

// entriesBy reads a feed and returns the entries by an author. Statuses are in their author's
// shard. It reads the author of statuses that aren't among the newest of the profile. A deleted
// status is assumed to be by the author.
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

// Forget drops a feed and others. The next read rebuilds it from its current authors (listing 8.5,
// and the exercise of refilling).
func (f *Feed) Forget(ctx context.Context, others ...kv.Key) error {
	return f.s.st.Feeds.ForgetFeeds(ctx, append(others, f.Key)...)
}

// Home returns the home feed of me.
func (s *Service) Home(me linnet.ID) Feed { return Feed{s: s, Key: record.HomeKey(me), Reader: me} }

// Read reads a span of the feed (listing 8.3): Limit entries, and more if they cost no further
// round trip, since some may be invisible. The window after them has the entries that decide which
// boosts are shown.
func (b *FeedReader) Read(ctx context.Context, sp db.Span) (seen PageRead, err error) {
	if sp.Asc {
		seen, err = b.up(ctx, sp)
		seen.Exclusive, seen.At = b.exclusive, linnet.FilterHome
		return seen, err
	}
	return b.down(ctx, sp)
}

// down reads the entries below an id, and the window after them.
func (b *FeedReader) down(ctx context.Context, sp db.Span) (seen PageRead, err error) {
	need := sp.Limit + linnet.RepostWindow
	asked := db.Span{Below: sp.Below, Limit: need + sp.Limit}
	pages, err := b.ask(ctx, asked)
	if err != nil {
		return seen, err
	}
	if seen, err = b.complete(ctx, pages[0], asked, need); err != nil {
		return seen, err
	}
	seen.Window, seen.Exclusive, seen.At = seen.Entries, b.exclusive, linnet.FilterHome
	n, _ := slices.BinarySearchFunc(seen.Entries, sp.Above, func(c linnet.Entry, id linnet.ID) int { return cmp.Compare(id, c.ID) })
	all, judged := seen.Entries, n
	if !seen.End && len(all) >= need {
		judged = min(n, len(all)-linnet.RepostWindow)
	}
	switch {
	case judged < n:
		seen.Entries, seen.End = all[:judged], false
		seen.Reach(false)
	case sp.Above != 0 && (n < len(all) || seen.Reached <= sp.Above): // everything above the bound was read
		seen.Entries, seen.End = all[:n], true
	}
	return seen, nil
}
