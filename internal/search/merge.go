package search

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/blevesearch/vellum"
)

// Merge merges segments, oldest first, into one. For equal IDs the last document remains.
func Merge(segments []*Segment) ([]byte, error) {
	ids, places := mergeIDs(segments)
	w, err := newWriter()
	if err != nil {
		return nil, err
	}
	its := make([]vellum.Iterator, len(segments)) // nil: has ended
	for i, s := range segments {
		it, err := s.fst.Iterator(nil, nil)
		if err != nil && !errors.Is(err, vellum.ErrIteratorDone) {
			return nil, fmt.Errorf("%w: read terms: %w", ErrDamaged, err)
		}
		if err == nil {
			its[i] = it
		}
	}
	var docs []uint32
	var term []byte
	for {
		least := -1
		for i, it := range its {
			if it == nil {
				continue
			}
			if key, _ := it.Current(); least < 0 || bytes.Compare(key, term) < 0 {
				least = i
				term = append(term[:0], key...)
			}
		}
		if least < 0 {
			return w.finish(ids)
		}
		docs = docs[:0]
		for i := least; i < len(its); i++ {
			if its[i] == nil {
				continue
			}
			key, at := its[i].Current()
			if !bytes.Equal(key, term) {
				continue
			}
			if docs, err = segments[i].appendNumbers(docs, at, places[i]); err != nil {
				return nil, err
			}
			if its[i].Next() != nil {
				its[i] = nil
			}
		}
		slices.Sort(docs)
		if err := w.term(term, docs); err != nil {
			return nil, err
		}
	}
}

// mergeIDs returns the IDs of all documents and the new numbers of each segment's documents.
func mergeIDs(segments []*Segment) (ids []uint64, places [][]uint32) {
	type doc struct {
		id  uint64
		seg int32
		no  uint32
	}
	var all []doc
	places = make([][]uint32, len(segments))
	for i, s := range segments {
		places[i] = make([]uint32, s.count)
		for no, id := range s.IDs() {
			all = append(all, doc{id, int32(i), uint32(no)})
		}
	}
	slices.SortStableFunc(all, func(a, b doc) int {
		switch {
		case a.id < b.id:
			return -1
		case a.id > b.id:
			return 1
		}
		return 0
	})
	for i, d := range all {
		if i+1 < len(all) && all[i+1].id == d.id {
			places[d.seg][d.no] = dropped
			continue
		}
		places[d.seg][d.no] = uint32(len(ids))
		ids = append(ids, d.id)
	}
	return ids, places
}

// appendNumbers appends the new numbers of the documents of a list.
func (s *Segment) appendNumbers(docs []uint32, at uint64, places []uint32) ([]uint32, error) {
	list, err := s.list(at)
	if err != nil {
		return nil, err
	}
	for it := list.Iterator(); it.HasNext(); {
		no := it.Next()
		if int(no) >= len(places) {
			return nil, fmt.Errorf("%w: a term refers to a missing document", ErrDamaged)
		}
		if places[no] != dropped {
			docs = append(docs, places[no])
		}
	}
	return docs, nil
}
