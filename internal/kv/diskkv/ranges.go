package diskkv

import (
	"github.com/cockroachdb/pebble/v2"

	"linnet/internal/kv"
)

// page reads a range of a set from its rank entries.
func (r *reader) page(q *kv.Range) error {
	q.Members = nil
	r.key = appendShape(r.key[:0], q.Key, shapeRank)
	prefix := len(r.key)
	r.end = append(r.end[:0], r.key...)
	if q.Above != nil {
		// The bound itself is excluded: the next possible entry begins one byte later.
		r.key = append(appendRank(r.key, q.Above.Score, q.Above.Member), 0)
	}
	if q.Below != nil {
		r.end = appendRank(r.end, q.Below.Score, q.Below.Member)
	} else {
		r.end[prefix-1]++
	}
	it, err := r.within(r.key, r.end)
	if err != nil {
		return err
	}
	if err := r.collect(it, prefix, q); err != nil {
		return err
	}
	return it.Error()
}

// collect reads the page from the iterator. The members of a page share one string, because they
// are used and released together.
func (r *reader) collect(it *pebble.Iterator, prefix int, q *kv.Range) error {
	r.text, r.ends = r.text[:0], r.ends[:0]
	first, step := it.First, it.Next
	if q.Desc {
		first, step = it.Last, it.Prev
	}
	for ok := first(); ok; ok = step() {
		score, member, err := splitRank(it.Key()[prefix:])
		if err != nil {
			return err
		}
		r.text = append(r.text, member...)
		r.ends = append(r.ends, rankEnd{score, len(r.text)})
		if len(r.ends) == q.Limit {
			break
		}
	}
	if len(r.ends) == 0 {
		return nil
	}
	q.Members = make([]kv.Member, len(r.ends))
	text, start := string(r.text), 0
	for i, e := range r.ends {
		q.Members[i] = kv.Member{Score: e.score, Member: text[start:e.end]}
		start = e.end
	}
	return nil
}

// rankEnd is a member of a page being read, with its score and its end in the text.
type rankEnd struct {
	score int64
	end   int
}

// within returns the reader's iterator bounded to [lower, upper).
func (r *reader) within(lower, upper []byte) (*pebble.Iterator, error) {
	if r.iter != nil {
		r.iter.SetBounds(lower, upper)
		return r.iter, nil
	}
	it, err := r.from.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	if err != nil {
		return nil, err
	}
	r.iter = it
	return it, nil
}
