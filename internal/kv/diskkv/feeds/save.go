package feeds

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"slices"
	"strings"

	"linnet/internal/kv"
)

// savedTitle is the first line of saved feeds. A stamp follows, which identifies the state of the
// store. Then each feed follows as a 1 and its fields, most recently read first, and finally a 0
// and the CRC-32C of all before.
//
// Numbers are uvarints, and texts are prefixed with their length. Ids are stored as differences,
// starting from the floor.
//
// The number in the title increases when the format or the meaning of a field changes.
const savedTitle = "linnet feeds 1\n"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// errSaved is returned for data that is not a valid file of saved feeds with the expected stamp.
var errSaved = errors.New("the file contains the feeds of another store")

// Save writes the warm feeds with a stamp, the most recently read first, as many as fit into limit
// bytes. All other operations wait meanwhile.
func (fs *Feeds) Save(w io.Writer, stamp string, limit int) error {
	for i := range fs.stripes {
		fs.stripes[i].mu.Lock()
		defer fs.stripes[i].mu.Unlock()
	}
	text := appendText([]byte(savedTitle), stamp)
	sum := crc32.New(castagnoli)
	w = io.MultiWriter(sum, w) // in this order, because a vfs.File may modify its input
	room := limit - len(text) - 5
	for _, f := range fs.latest() {
		from := len(text)
		text = f.appendTo(append(text, 1))
		if room -= len(text) - from; room < 0 {
			text = text[:from]
			break
		}
		if len(text) >= 1<<16 {
			if _, err := w.Write(text); err != nil {
				return err
			}
			text = text[:0]
		}
	}
	if _, err := w.Write(append(text, 0)); err != nil {
		return err
	}
	_, err := w.Write(binary.LittleEndian.AppendUint32(nil, sum.Sum32()))
	return err
}

// latest returns the warm feeds, the most recently read first. The caller holds the locks of all
// stripes.
func (fs *Feeds) latest() []*feed {
	var all []*feed
	now := fs.now()
	for i := range fs.stripes {
		for _, at := range fs.stripes[i].index.slots {
			if f := at.feed; f != nil && f.filler == nil && !fs.outlived(f, now) {
				f.gather()
				all = append(all, f)
			}
		}
	}
	slices.SortFunc(all, func(a, b *feed) int {
		if a.read > b.read {
			return -1
		}
		return 1
	})
	return all
}

func (f *feed) appendTo(text []byte) []byte {
	text = appendText(text, f.key)
	for _, n := range [...]uint64{uint64(f.shard), uint64(f.seen), f.floor, uint64(len(f.ids))} {
		text = binary.AppendUvarint(text, n)
	}
	last := f.floor
	for _, id := range f.ids {
		text = binary.AppendUvarint(text, id-last)
		last = id
	}
	return text
}

func appendText(text []byte, s string) []byte {
	return append(binary.AppendUvarint(text, uint64(len(s))), s...)
}

// Load adds saved feeds to an empty Feeds, the most recently read first, as many as fit. It is not
// safe for concurrent use. It returns errSaved if the data is damaged or has another stamp.
func (fs *Feeds) Load(text []byte, stamp string) error {
	n := len(text) - 4
	if n < 0 || binary.LittleEndian.Uint32(text[n:]) != crc32.Checksum(text[:n], castagnoli) {
		return errSaved
	}
	rest, ok := bytes.CutPrefix(text[:n], []byte(savedTitle))
	s := saved{rest: rest, bad: !ok}
	if s.text() != stamp || s.bad {
		return errSaved
	}
	var all []*feed
	for s.number() == 1 {
		f := s.feed()
		if s.bad {
			return errSaved
		}
		all = append(all, f)
	}
	if s.bad || len(s.rest) > 0 {
		return errSaved
	}
	fs.ticks.Store(uint64(len(all)))
	for i, f := range all {
		if fs.bytes.Add(size(f)) > fs.limit {
			fs.bytes.Add(-size(f))
			break
		}
		f.read = uint64(len(all) - i)
		kind, id, _ := strings.Cut(f.key, ":")
		k := kv.Key{Kind: kind, Shard: f.shard, ID: id}
		fs.stripes[stripeOf(k)].index.add(fs.hash(k), f)
	}
	return nil
}

// saved decodes saved feeds.
type saved struct {
	rest []byte
	bad  bool // the data is invalid
}

func (s *saved) number() uint64 {
	v, n := binary.Uvarint(s.rest)
	if n <= 0 {
		s.bad = true
		return 0
	}
	s.rest = s.rest[n:]
	return v
}

func (s *saved) text() string {
	n := s.number()
	if s.bad || n > uint64(len(s.rest)) {
		s.bad = true
		return ""
	}
	t := string(s.rest[:n])
	s.rest = s.rest[n:]
	return t
}

func (s *saved) feed() *feed {
	f := &feed{key: s.text(), shard: uint16(s.number()), seen: int64(s.number()), floor: s.number()}
	n := s.number()
	if s.bad || n > uint64(len(s.rest)) { // an id takes at least one byte
		s.bad = true
		return f
	}
	f.room(int(n))
	last := f.floor
	for range n {
		last += s.number()
		f.ids = append(f.ids, last)
	}
	f.update()
	return f
}
