package search

import (
	"cmp"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
)

// Block is an index in memory to which documents can be added. A document replaces an earlier one
// with its ID. It is not safe for concurrent use.
type Block struct {
	ids      []uint64
	postings map[string][]uint32 // documents with a term, ascending
}

// NewBlock returns an empty block.
func NewBlock() *Block { return &Block{postings: map[string][]uint32{}} }

// Add adds a document.
func (b *Block) Add(d *Document) {
	n := uint32(len(b.ids))
	b.ids = append(b.ids, d.ID)
	terms := map[string]struct{}{}
	for _, t := range d.tokens() {
		terms[t.Term] = struct{}{}
	}
	for _, l := range d.Labels {
		terms[cut(l)] = struct{}{}
	}
	for t := range terms {
		b.postings[t] = append(b.postings[t], n)
	}
}

// Len returns the number of documents.
func (b *Block) Len() int { return len(b.ids) }

// Encode returns a segment with the documents.
func (b *Block) Encode() ([]byte, error) {
	order := make([]uint32, len(b.ids)) // by ID; for equal IDs the latest last
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(x, y uint32) int { return cmp.Compare(b.ids[x], b.ids[y]) })
	place := make([]uint32, len(b.ids))
	var ids []uint64
	for i, doc := range order {
		if i+1 < len(order) && b.ids[order[i+1]] == b.ids[doc] {
			place[doc] = dropped
			continue
		}
		place[doc] = uint32(len(ids))
		ids = append(ids, b.ids[doc])
	}
	terms := make([]string, 0, len(b.postings))
	for t := range b.postings {
		terms = append(terms, t)
	}
	slices.Sort(terms)
	w, err := newWriter()
	if err != nil {
		return nil, err
	}
	var docs []uint32
	for _, t := range terms {
		docs = docs[:0]
		for _, d := range b.postings[t] {
			if place[d] != dropped {
				docs = append(docs, place[d])
			}
		}
		slices.Sort(docs)
		if err := w.term([]byte(t), docs); err != nil {
			return nil, err
		}
	}
	return w.finish(ids)
}

// dropped is the place of a document that is left out.
const dropped = ^uint32(0)

func (b *Block) docs(term string) (*roaring.Bitmap, error) {
	return roaring.BitmapOf(b.postings[term]...), nil
}

func (b *Block) withPrefix(p string) (*roaring.Bitmap, error) {
	all := roaring.New()
	for t, docs := range b.postings {
		if len(t) >= len(p) && t[:len(p)] == p {
			all.AddMany(docs)
		}
	}
	return all, nil
}

func (b *Block) size() int { return len(b.ids) }

// among returns the matching documents whose ID is in ids. ids must be ascending.
func (b *Block) among(ids []uint64) *roaring.Bitmap {
	all := roaring.New()
	for doc, id := range b.ids {
		if _, ok := slices.BinarySearch(ids, id); ok {
			all.Add(uint32(doc))
		}
	}
	return all
}

func (b *Block) between(above, below uint64) *roaring.Bitmap {
	all := roaring.New()
	for doc, id := range b.ids {
		if id > above && (below == 0 || id < below) {
			all.Add(uint32(doc))
		}
	}
	return all
}
