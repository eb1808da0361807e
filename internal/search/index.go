package search

import (
	"container/heap"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
)

// source is a part of an index: a segment or a block in memory. Documents are numbered from 0 to
// size.
type source interface {
	docs(term string) (*roaring.Bitmap, error) // must not be changed
	withPrefix(p string) (*roaring.Bitmap, error)
	among(ids []uint64) *roaring.Bitmap
	between(above, below uint64) *roaring.Bitmap
	size() int
}

// blockDocs is the number of documents in memory that become a segment, which is smaller and
// faster.
const blockDocs = 1024

// Index is a set of segments and the documents added since. It is safe for concurrent use.
type Index struct {
	mu       sync.RWMutex
	segments []*Segment
	fresh    []freshSegment // added here, until segments contain it
	open     *Block
}

// freshSegment is one that only this process has.
type freshSegment struct {
	*Segment
	made time.Time
}

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{open: NewBlock()} }

// Add adds a document; of those with one ID any is found, by its own words.
func (x *Index) Add(d *Document) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.open.Add(d)
	if x.open.Len() < blockDocs {
		return nil
	}
	data, err := x.open.Encode()
	if err != nil {
		return err
	}
	s, err := Open(data)
	if err != nil {
		return err
	}
	x.fresh, x.open = append(slices.Clip(x.fresh), freshSegment{s, time.Now()}), NewBlock()
	return nil
}

// Replace sets the segments. It drops parts in memory that are older than a minute and contain no
// needed document, because the segments contain them.
func (x *Index) Replace(segments []*Segment, needed func(id uint64) bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.segments = segments
	x.fresh = slices.DeleteFunc(slices.Clone(x.fresh), func(f freshSegment) bool {
		return time.Since(f.made) > time.Minute && !slices.ContainsFunc(f.IDs(), needed)
	})
}

// Stats has the numbers of an index.
type Stats struct{ Segments, Documents, Bytes, Fresh int }

// Stats returns the numbers of documents in segments and in memory.
func (x *Index) Stats() (s Stats) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, seg := range x.segments {
		s.Segments, s.Documents, s.Bytes = s.Segments+1, s.Documents+seg.Len(), s.Bytes+seg.Bytes()
	}
	for _, f := range x.fresh {
		s.Fresh += f.Len()
	}
	s.Fresh += x.open.Len()
	return s
}

// HasLabel reports whether a document has a label.
func (x *Index) HasLabel(id uint64, label string) bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	for _, s := range x.all() {
		if doc, ok := s.find(id); ok {
			if list, err := s.docs(label); err == nil && list.Contains(doc) {
				return true
			}
		}
	}
	list, _ := x.open.docs(label)
	return list.Intersects(x.open.among([]uint64{id}))
}

// all returns the segments. The caller holds the lock.
func (x *Index) all() []*Segment {
	all := slices.Clone(x.segments)
	for _, f := range x.fresh {
		all = append(all, f.Segment)
	}
	return all
}

// Cursor gives the IDs of documents that match, each once, the highest first.
type Cursor struct {
	r    *Request
	rest streams
	last uint64 // that was given; 0: none
}

// Search starts a search. Next returns the results.
func (x *Index) Search(r *Request) (*Cursor, error) {
	x.mu.RLock()
	all := x.all()
	fresh, err := r.match(x.open)
	var ids []uint64
	if err == nil {
		for it := fresh.Iterator(); it.HasNext(); {
			ids = append(ids, x.open.ids[it.Next()])
		}
	}
	x.mu.RUnlock()
	if err != nil {
		return nil, err
	}
	c := &Cursor{r: r}
	slices.Sort(ids)
	slices.Reverse(ids)
	if len(ids) > 0 {
		c.rest = append(c.rest, &stream{next: ids[0], ids: ids[1:]})
	}
	for _, s := range all {
		if s.count > 0 && s.last > r.Above && (r.Below == 0 || s.first < r.Below) {
			c.rest = append(c.rest, &stream{next: s.last, segment: s})
		}
	}
	heap.Init(&c.rest)
	return c, nil
}

// Next returns the next ID, or 0 at the end.
func (c *Cursor) Next() (uint64, error) {
	for len(c.rest) > 0 {
		s := c.rest[0]
		if s.segment != nil && s.hits == nil {
			docs, err := c.r.match(s.segment)
			if err != nil {
				return 0, err
			}
			s.hits = docs.ReverseIterator()
			s.advance()
			c.reorder()
			continue
		}
		id := s.next
		s.advance()
		c.reorder()
		if id != c.last {
			c.last = id
			return id, nil
		}
	}
	return 0, nil
}

// reorder puts the first stream where it belongs now.
func (c *Cursor) reorder() {
	if c.rest[0].next == 0 {
		heap.Pop(&c.rest)
	} else {
		heap.Fix(&c.rest, 0)
	}
}

// stream gives the matching IDs of a source, falling. A segment is looked through when it
// is its turn, which it is by its highest ID at first.
type stream struct {
	next    uint64 // 0: none
	ids     []uint64
	segment *Segment
	hits    roaring.IntIterable
}

func (s *stream) advance() {
	s.next = 0
	switch {
	case s.hits != nil && s.hits.HasNext():
		s.next = s.segment.ID(s.hits.Next())
	case len(s.ids) > 0:
		s.next, s.ids = s.ids[0], s.ids[1:]
	}
}

// streams is a heap of them.
type streams []*stream

func (s streams) Len() int           { return len(s) }
func (s streams) Less(i, j int) bool { return s[i].next > s[j].next }
func (s streams) Swap(i, j int)      { s[i], s[j] = s[j], s[i] }

// Push adds a stream, for package heap.
func (s *streams) Push(x any) { *s = append(*s, x.(*stream)) }

// Pop removes the last one, for package heap.
func (s *streams) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}

// LabelsWith returns about most labels of documents with a prefix, unordered.
func (x *Index) LabelsWith(prefix string, most int) ([]string, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	seen := map[string]struct{}{}
	for t := range x.open.postings {
		if strings.HasPrefix(t, prefix) {
			seen[t] = struct{}{}
		}
	}
	all := x.all()
	slices.Reverse(all) // the latest first
	for _, s := range all {
		err := s.terms(prefix, func(term []byte, _ uint64) (bool, error) {
			seen[string(term)] = struct{}{}
			return len(seen) < most, nil
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.Collect(maps.Keys(seen)), nil
}
