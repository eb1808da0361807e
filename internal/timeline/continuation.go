package timeline

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"time"

	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// A reader who scrolls below the floor of a feed reads pages from the profiles of all its authors.
// Merging 5,000 profiles costs the same for 40 entries as for several hundred. So a merge takes
// more than a page and caches the rest for the next pages. The cache needs no invalidation: it is
// used only for the same authors, new statuses are above it, and deleted ones are removed when they
// are shown. Only imports with old dates are missing until it expires.
const (
	continueFrom  = 50              // authors; below this, merging costs less than caching
	continueMost  = 10 * 40         // maximum entries of a merge
	continueAge   = 5 * time.Minute // since the merge
	continuations = 512             // maximum number of entries, about 12 kB each
)

// continuation has the merged entries of some authors below a position.
type continuation struct {
	authors uint64 // hash of their ids
	below   linnet.ID
	merged  db.Merged
}

// mergeBelow is like merge for a falling page below a position, but uses the remaining entries of
// the previous page if they suffice.
func (b *FeedReader) mergeBelow(ctx context.Context, sp db.Span) (db.Merged, error) {
	authors, err := b.authors(ctx)
	if err != nil {
		return db.Merged{}, err
	}
	if len(authors) < continueFrom || sp.Below == 0 {
		return b.merge(ctx, sp, sp.Limit)
	}
	hash := hashOf(authors)
	key := b.feed.Key.String()
	cached, ok := b.s.continued.Get(key)
	if ok && cached.authors == hash {
		if m, ok := cached.from(sp); ok {
			return m, nil
		}
	}
	least := sp.Limit
	sp.Limit = max(sp.Limit, continueMost)
	m, err := b.merge(ctx, sp, least)
	if err == nil {
		b.s.continued.Set(key, continuation{hash, sp.Below, m})
	}
	return m, err
}

// from returns the cached entries below a position, if there are as many as requested or no others
// exist.
func (c *continuation) from(sp db.Span) (m db.Merged, ok bool) {
	if sp.Below > c.below {
		return m, false
	}
	m = c.merged
	for len(m.Posts) > 0 && m.Posts[0].ID >= sp.Below {
		m.Posts = m.Posts[1:]
	}
	return m, m.Floor == 0 || len(m.Posts) >= sp.Limit
}

func hashOf(ids []linnet.ID) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, id := range ids {
		binary.LittleEndian.PutUint64(b[:], uint64(id))
		h.Write(b[:])
	}
	return h.Sum64()
}
