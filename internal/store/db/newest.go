package db

import (
	"sync/atomic"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// The newest of the public timeline is what everybody asks for, and the same for all: of
// each of its slices the newest ids are kept until the slice changes. Who reads further
// down asks the engine.

// newestKept is how many ids of a slice are kept: as many as the longest page takes, and
// as many that may not be shown.
const newestKept = 2 * linnet.MaxPage

// newest are those of one slice, newest first. It is shared and never changed.
type newest struct {
	ids   []linnet.ID
	whole bool // there are no others
}

// newestSlices are the slices as they are kept; nil: to be asked for.
type newestSlices [record.GlobalSlices]atomic.Pointer[newest]

// slot is where the slice under a key is kept, and what stands for it where stripes go by
// ids; nil if the key is of no slice.
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

// within is what a span takes of the slice; ok is false if that lies, in part, below what
// is kept.
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

// fromTop says whether a span is one of which the newest that are kept hold everything.
func (sp Span) fromTop() bool {
	return sp.Below == 0 && !sp.Asc && sp.Since == 0 && sp.Limit <= newestKept
}
