package search

import (
	"cmp"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// Part is a term of a phrase, and its place there.
type Part struct {
	Term   string
	At     int
	Prefix bool // any term that begins so
}

// Clause is something that a document has to have: parts in their places, or one of some
// labels. With Not it must not have it.
type Clause struct {
	Not   bool
	Parts []Part
	Any   []string
}

// Request asks an index for documents.
type Request struct {
	Clauses      []Clause
	Scope        []string // labels, of which a document has to have one,
	IDs          []uint64 // unless it is one of these, which rise. Neither: all documents
	Above, Below uint64   // exclusive bounds of the ID; 0: none
}

// match returns the documents of a source that match, without regard to positions.
func (r *Request) match(s source) (*roaring.Bitmap, error) {
	var must []*roaring.Bitmap
	none := roaring.New()
	for i := range r.Clauses {
		if c := &r.Clauses[i]; !c.Not {
			lists, err := c.lists(s)
			if err != nil {
				return nil, err
			}
			if must = append(must, lists...); slices.ContainsFunc(lists, (*roaring.Bitmap).IsEmpty) {
				return none, nil
			}
		}
	}
	if len(r.Scope)+len(r.IDs) > 0 {
		scope, err := labelled(s, r.Scope)
		if err != nil {
			return nil, err
		}
		must = append(must, roaring.Or(scope, s.among(r.IDs)))
	}
	if r.Above != 0 || r.Below != 0 || len(must) == 0 {
		must = append(must, s.between(r.Above, r.Below))
	}
	slices.SortFunc(must, func(a, b *roaring.Bitmap) int { return cmp.Compare(a.GetCardinality(), b.GetCardinality()) })
	out := must[0].Clone()
	for _, list := range must[1:] {
		out.And(list)
	}
	for i := range r.Clauses {
		if c := &r.Clauses[i]; c.Not && len(c.Parts) <= 1 && !out.IsEmpty() {
			lists, err := c.lists(s)
			if err != nil {
				return nil, err
			}
			for _, list := range lists {
				out.AndNot(list)
			}
		}
	}
	return out, nil
}

// lists returns the sets of documents that match the parts of a clause and one of its labels.
func (c *Clause) lists(s source) (out []*roaring.Bitmap, err error) {
	for _, p := range c.Parts {
		find := s.docs
		if p.Prefix {
			find = s.withPrefix
		}
		list, err := find(p.Term)
		if err != nil {
			return nil, err
		}
		out = append(out, list)
	}
	if len(c.Any) > 0 {
		list, err := labelled(s, c.Any)
		if err != nil {
			return nil, err
		}
		out = append(out, list)
	}
	return out, nil
}

func labelled(s source, labels []string) (*roaring.Bitmap, error) {
	lists := make([]*roaring.Bitmap, len(labels))
	for i, l := range labels {
		var err error
		if lists[i], err = s.docs(cut(l)); err != nil {
			return nil, err
		}
	}
	return roaring.FastOr(lists...), nil
}

// Match reports whether a document matches clauses, including positions.
func Match(clauses []Clause, d *Document) bool {
	tokens := d.tokens()
	return !slices.ContainsFunc(clauses, func(c Clause) bool { return c.in(tokens, d.Labels) == c.Not })
}

func (c *Clause) in(tokens []Token, labels []string) bool {
	if len(c.Any) > 0 && !slices.ContainsFunc(labels, func(l string) bool { return slices.Contains(c.Any, l) }) {
		return false
	}
	if len(c.Parts) == 0 {
		return true
	}
	for i, t := range tokens {
		if c.Parts[0].is(t) && c.follows(tokens[i:], t.At-c.Parts[0].At) {
			return true
		}
	}
	return false
}

// follows reports whether a phrase occurs at a position. Tokens must be sorted by position.
func (c *Clause) follows(tokens []Token, begin int) bool {
	for _, p := range c.Parts {
		found := false
		for i := 0; i < len(tokens) && tokens[i].At <= begin+p.At && !found; i++ {
			found = tokens[i].At == begin+p.At && p.is(tokens[i])
		}
		if !found {
			return false
		}
	}
	return true
}

func (p *Part) is(t Token) bool {
	if p.Prefix {
		return strings.HasPrefix(t.Term, p.Term)
	}
	return t.Term == p.Term
}
