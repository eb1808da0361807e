package search

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"sort"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/blevesearch/vellum"
)

// A segment consists of: eight bytes that identify the format; the terms, a vellum transducer from
// each term to its documents; the lists of documents; their IDs, as differences in varints; for
// every 128th of them the ID and the offset of the next; the lengths of these parts; the SHA-256 of
// the whole.
//
// Documents are numbered by ascending ID. The value of a term is the number of its only document,
// times two, plus one; or else the offset of its list, times two. A list is the number of its
// documents and, below listMost, their differences in varints; or else, after the number and its
// length, a roaring bitmap.
const (
	magic     = "LNSEG001"
	idStep    = 128
	listMost  = 256
	stepBytes = 12
	footer    = 5*8 + sha256.Size
)

// ErrDamaged is returned if the content of a segment doesn't match its checksum.
var ErrDamaged = errors.New("damaged segment of the search index")

// writer writes a segment.
type writer struct {
	terms *vellum.Builder
	fst   bytes.Buffer
	lists []byte
}

func newWriter() (*writer, error) {
	w := &writer{}
	var err error
	if w.terms, err = vellum.New(&w.fst, nil); err != nil {
		return nil, fmt.Errorf("start a segment: %w", err)
	}
	return w, nil
}

// term adds a term, greater than the one before, with its documents in rising order.
func (w *writer) term(term []byte, docs []uint32) error {
	if len(docs) == 0 {
		return nil
	}
	at := uint64(len(w.lists)) << 1
	switch {
	case len(docs) == 1:
		at = uint64(docs[0])<<1 | 1
	case len(docs) < listMost:
		w.lists = binary.AppendUvarint(w.lists, uint64(len(docs)))
		last := uint32(0)
		for _, d := range docs {
			w.lists = binary.AppendUvarint(w.lists, uint64(d-last))
			last = d
		}
	default:
		bm := roaring.BitmapOf(docs...)
		bm.RunOptimize()
		data, err := bm.ToBytes()
		if err != nil {
			return fmt.Errorf("write the documents of a term: %w", err)
		}
		w.lists = binary.AppendUvarint(w.lists, uint64(len(docs)))
		w.lists = binary.AppendUvarint(w.lists, uint64(len(data)))
		w.lists = append(w.lists, data...)
	}
	if err := w.terms.Insert(term, at); err != nil {
		return fmt.Errorf("write a term: %w", err)
	}
	return nil
}

// finish ends the segment, of documents with these IDs, which rise.
func (w *writer) finish(ids []uint64) ([]byte, error) {
	if err := w.terms.Close(); err != nil {
		return nil, fmt.Errorf("write the terms of a segment: %w", err)
	}
	var gaps, steps []byte
	for i, id := range ids {
		if i%idStep == 0 {
			steps = binary.LittleEndian.AppendUint64(steps, id)
			steps = binary.LittleEndian.AppendUint32(steps, uint32(len(gaps)))
			continue
		}
		gaps = binary.AppendUvarint(gaps, id-ids[i-1])
	}
	out := make([]byte, 0, len(magic)+w.fst.Len()+len(w.lists)+len(gaps)+len(steps)+footer)
	out = append(out, magic...)
	for _, part := range [][]byte{w.fst.Bytes(), w.lists, gaps, steps} {
		out = append(out, part...)
	}
	for _, n := range []int{w.fst.Len(), len(w.lists), len(gaps), len(steps), len(ids)} {
		out = binary.LittleEndian.AppendUint64(out, uint64(n))
	}
	sum := sha256.Sum256(out)
	return append(out, sum[:]...), nil
}

// Segment is a part of an index that does not change. It is safe for concurrent use.
type Segment struct {
	fst   *vellum.FST
	lists []byte
	gaps  []byte
	steps []byte
	count int
	first uint64
	last  uint64
	name  string
	bytes int
}

// Open opens a segment, which retains data. It returns ErrDamaged if its checksum is wrong.
func Open(data []byte) (*Segment, error) {
	if len(data) < len(magic)+footer || string(data[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: unknown format (%d bytes)", ErrDamaged, len(data))
	}
	body := data[:len(data)-sha256.Size]
	sum := sha256.Sum256(body)
	if !bytes.Equal(sum[:], data[len(body):]) {
		return nil, fmt.Errorf("%w: the checksum of %d bytes does not match", ErrDamaged, len(data))
	}
	lengths := body[len(body)-5*8:]
	rest, parts := body[len(magic):len(body)-5*8], [4][]byte{}
	for i := range parts {
		n := binary.LittleEndian.Uint64(lengths[8*i:])
		if n > uint64(len(rest)) {
			return nil, fmt.Errorf("%w: part %d is longer than the segment", ErrDamaged, i)
		}
		parts[i], rest = rest[:n], rest[n:]
	}
	count := binary.LittleEndian.Uint64(lengths[8*4:])
	if len(rest) > 0 || uint64(len(parts[3])) != (count+idStep-1)/idStep*stepBytes {
		return nil, fmt.Errorf("%w: the segment's size does not match %d documents", ErrDamaged, count)
	}
	fst, err := vellum.Load(parts[0])
	if err != nil {
		return nil, fmt.Errorf("%w: read terms: %w", ErrDamaged, err)
	}
	s := &Segment{fst: fst, lists: parts[1], gaps: parts[2], steps: parts[3], count: int(count), name: hex.EncodeToString(sum[:]), bytes: len(data)}
	if count > 0 {
		s.first, s.last = s.ID(0), s.ID(uint32(count-1))
	}
	return s, nil
}

// Name returns the SHA-256 of the segment in hexadecimal.
func (s *Segment) Name() string { return s.name }

// Len returns the number of documents, and Bytes the size.
func (s *Segment) Len() int   { return s.count }
func (s *Segment) Bytes() int { return s.bytes }

// Bounds returns the lowest and highest ID.
func (s *Segment) Bounds() (first, last uint64) { return s.first, s.last }

// ID returns the ID of a document.
func (s *Segment) ID(doc uint32) uint64 {
	step := s.steps[int(doc)/idStep*stepBytes:]
	id, at := binary.LittleEndian.Uint64(step), int(binary.LittleEndian.Uint32(step[8:]))
	for range doc % idStep {
		gap, n := binary.Uvarint(s.gaps[at:])
		if n <= 0 {
			break
		}
		id, at = id+gap, at+n
	}
	return id
}

// IDs returns the IDs of all documents, ascending.
func (s *Segment) IDs() []uint64 {
	ids := make([]uint64, 0, s.count)
	at := 0
	for doc := range s.count {
		if doc%idStep == 0 {
			ids = append(ids, binary.LittleEndian.Uint64(s.steps[doc/idStep*stepBytes:]))
			continue
		}
		gap, n := binary.Uvarint(s.gaps[at:])
		if n <= 0 {
			break
		}
		at += n
		ids = append(ids, ids[doc-1]+gap)
	}
	return ids
}

// from returns the number of the first document with an ID of at least id.
func (s *Segment) from(id uint64) uint32 {
	steps := len(s.steps) / stepBytes
	step := sort.Search(steps, func(i int) bool { return binary.LittleEndian.Uint64(s.steps[i*stepBytes:]) >= id }) - 1
	if step < 0 {
		return 0
	}
	have, at := binary.LittleEndian.Uint64(s.steps[step*stepBytes:]), int(binary.LittleEndian.Uint32(s.steps[step*stepBytes+8:]))
	doc := step * idStep
	for ; have < id; doc++ {
		if doc+1 >= min(s.count, (step+1)*idStep) {
			return uint32(doc + 1)
		}
		gap, n := binary.Uvarint(s.gaps[at:])
		if n <= 0 {
			break
		}
		have, at = have+gap, at+n
	}
	return uint32(doc)
}

func (s *Segment) find(id uint64) (doc uint32, ok bool) {
	if id < s.first || id > s.last || s.count == 0 {
		return 0, false
	}
	doc = s.from(id)
	return doc, int(doc) < s.count && s.ID(doc) == id
}

// Has reports whether a document is in the segment.
func (s *Segment) Has(id uint64) bool {
	_, ok := s.find(id)
	return ok
}

func (s *Segment) docs(term string) (*roaring.Bitmap, error) {
	at, ok, err := s.fst.Get([]byte(term))
	if err != nil {
		return nil, fmt.Errorf("%w: find a term: %w", ErrDamaged, err)
	}
	if !ok {
		return roaring.New(), nil
	}
	return s.list(at)
}

// list returns the documents of a term. The result must not be modified.
func (s *Segment) list(at uint64) (*roaring.Bitmap, error) {
	bm := roaring.New()
	if at&1 == 1 {
		bm.Add(uint32(at >> 1))
		return bm, nil
	}
	if at>>1 >= uint64(len(s.lists)) {
		return nil, fmt.Errorf("%w: a list extends beyond the end of the segment", ErrDamaged)
	}
	data := s.lists[at>>1:]
	count, n := binary.Uvarint(data)
	if n <= 0 {
		return nil, fmt.Errorf("%w: a list has no count", ErrDamaged)
	}
	data = data[n:]
	if count >= listMost {
		size, n := binary.Uvarint(data)
		if n <= 0 || size > uint64(len(data)-n) {
			return nil, fmt.Errorf("%w: a bitmap extends beyond the end of the segment", ErrDamaged)
		}
		if _, err := bm.FromBuffer(data[n : n+int(size)]); err != nil {
			return nil, fmt.Errorf("%w: read a bitmap: %w", ErrDamaged, err)
		}
		return bm, nil
	}
	docs, last := make([]uint32, count), uint64(0)
	for i := range docs {
		gap, n := binary.Uvarint(data)
		if n <= 0 {
			return nil, fmt.Errorf("%w: a list is truncated", ErrDamaged)
		}
		data, last = data[n:], last+gap
		docs[i] = uint32(last)
	}
	bm.AddMany(docs)
	return bm, nil
}

// PrefixMost is the maximum number of terms with a prefix that are read in a segment.
const PrefixMost = 50_000

func (s *Segment) withPrefix(p string) (*roaring.Bitmap, error) {
	var lists []*roaring.Bitmap
	err := s.terms(p, func(_ []byte, at uint64) (bool, error) {
		list, err := s.list(at)
		lists = append(lists, list)
		return len(lists) < PrefixMost, err
	})
	if err != nil {
		return nil, err
	}
	return roaring.FastOr(lists...), nil
}

// terms calls f with the terms that have a prefix and their positions, until f returns false. The
// prefix must not end with the byte 0xff.
func (s *Segment) terms(prefix string, f func(term []byte, at uint64) (more bool, err error)) error {
	end := []byte(prefix)
	end[len(end)-1]++
	it, err := s.fst.Iterator([]byte(prefix), end)
	for ; err == nil; err = it.Next() {
		more, err := f(it.Current())
		if err != nil || !more {
			return err
		}
	}
	if !errors.Is(err, vellum.ErrIteratorDone) {
		return fmt.Errorf("%w: find terms with a prefix: %w", ErrDamaged, err)
	}
	return nil
}

func (s *Segment) size() int { return s.count }

func (s *Segment) among(ids []uint64) *roaring.Bitmap {
	docs := make([]uint32, 0, len(ids))
	for _, id := range ids {
		if doc, ok := s.find(id); ok {
			docs = append(docs, doc)
		}
	}
	return roaring.BitmapOf(docs...)
}

func (s *Segment) between(above, below uint64) *roaring.Bitmap {
	all, end := roaring.New(), uint32(s.count)
	if below != 0 {
		end = s.from(below)
	}
	if begin := s.from(above + 1); begin < end {
		all.AddRange(uint64(begin), uint64(end))
	}
	return all
}
