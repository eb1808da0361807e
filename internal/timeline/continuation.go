package timeline

import (
	"context"
	"encoding/binary"
	"hash/fnv"
	"time"

	"linnet/internal/cache"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// Who scrolls on below the floor of a feed asks for one page after the other from the
// profiles of all its authors, and to look into 5,000 of them costs the same for 40 entries
// as for some hundreds. So a merge below a floor takes more than a page, and what is beyond
// the page is kept for a while, for the pages that follow. Nothing has to be thrown out: it
// serves only the very authors it was merged of, new statuses stand above it, and deleted
// ones fall out when they are shown. Only what is imported with an old date is missing
// until it ends.
const (
	continueFrom  = 50              // authors: to merge fewer costs less than to keep them
	continueMost  = 10 * 40         // entries a merge takes
	continueAge   = 5 * time.Minute // since it was merged
	continuations = 512             // kept at once, of some 12 kB each
)

// continuation is what was merged of some authors below a place.
type continuation struct {
	authors uint64 // their hash
	below   linnet.ID
	merged  db.Merged
}

func newContinuations() *cache.Cache[string, continuation] {
	return cache.New(cache.Options[string, continuation]{
		Max: continuations,
		TTL: continueAge,
	})
}

// mergeBelow is merge for a falling page below a place, from what the page before has left
// over where that is enough.
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
	kept, ok := b.s.continued.Get(key)
	if ok && kept.authors == hash {
		if m, ok := kept.from(sp); ok {
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

// from is what was merged as far as it lies below a place, if that is as much as is asked
// for, or all that there is.
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
