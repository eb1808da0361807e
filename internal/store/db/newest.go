package db

import (
	"sync/atomic"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Most readers request the newest part of the public timeline, which is the same for all users. So
// the newest ids of each slice are cached until the slice changes. Reads further down use the
// engine.

// newestCached is the number of cached ids of a slice: the longest page, and as many hidden ones.
const newestCached = 2 * linnet.MaxPage

// newest are the newest ids of one slice in descending order. It is shared and never changed.
type newest struct {
	ids   []linnet.ID
	whole bool // the slice has no others
}

// newestSlices are the cached slices; nil if not cached.
type newestSlices [record.GlobalSlices]atomic.Pointer[newest]

// slot returns the cache slot of a slice, and its id for stripes. It returns nil if the key is not
// a slice.
func (n *newestSlices) slot(k kv.Key) (*atomic.Pointer[newest], linnet.ID) {
	i, ok := record.SliceOfGlobalKey(k)
	if !ok {
		return nil, 0
	}
	return &n[i], linnet.ID(i + 1)
}

func (n *newestSlices) forgetAll() {
	for i := range n {
		n[i].Store(nil)
	}
}

// within returns the ids in a span. ok is false if a part of the span is below the cached ids.
func (n *newest) within(sp Span) (ids []linnet.ID, ok bool) {
	if n == nil || sp.Asc || sp.Since != 0 {
		return nil, false
	}
	for _, id := range n.ids {
		switch {
		case sp.Below != 0 && id >= sp.Below:
			continue
		case id <= sp.Above:
			return ids, true
		}
		if ids = append(ids, id); len(ids) == sp.Limit {
			return ids, true
		}
	}
	return ids, n.whole
}

// fromTop reports whether the cached ids can contain a complete span.
func (sp Span) fromTop() bool {
	return sp.Below == 0 && !sp.Asc && sp.Since == 0 && sp.Limit <= newestCached
}
