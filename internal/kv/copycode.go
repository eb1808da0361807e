package kv

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"
)

// ErrEntries is returned for bytes that AppendEntry did not write.
var ErrEntries = errors.New("malformed entries")

// newKey marks the first byte of an entry that contains its key. Other entries have the key of the
// previous entry.
const newKey = 0x80

// AppendEntry appends an entry to b. last is the previous entry, or nil for the first one. Backups
// consist of this encoding, so it never changes.
//
//	byte: shape, and 0x80 if the key follows: length and kind, shard, length and id
//	value: version, end of life in Unix milliseconds (0: never), length and data
//	counter, member: length and name, number or score (zigzag)
//
// Numbers are varints of package encoding/binary.
func AppendEntry(b []byte, last, e *Entry) []byte {
	if last != nil && last.Key == e.Key {
		b = append(b, byte(e.Shape))
	} else {
		b = appendText(append(b, byte(e.Shape)|newKey), e.Key.Kind)
		b = appendText(binary.AppendUvarint(b, uint64(e.Key.Shard)), e.Key.ID)
	}
	if e.Shape != ValueShape {
		return binary.AppendVarint(appendText(b, e.Name), e.Number)
	}
	until := int64(0)
	if !e.Until.IsZero() {
		until = max(1, e.Until.UnixMilli())
	}
	b = binary.AppendUvarint(binary.AppendUvarint(b, e.Version), uint64(until))
	return append(binary.AppendUvarint(b, uint64(len(e.Data))), e.Data...)
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// Entries calls each with the entries that AppendEntry wrote, in order. Entries are within the
// limits of the port and valid only during the call. An error from each ends Entries and is
// returned.
func Entries(b []byte, each func(*Entry) error) error {
	var e Entry
	for r := (entryReader{b: b}); len(r.b) > 0; {
		if !r.entry(&e) {
			return fmt.Errorf("%w, %d bytes before the end", ErrEntries, len(r.b))
		}
		if err := each(&e); err != nil {
			return err
		}
	}
	return nil
}

// entryReader decodes entries from b. bad reports malformed bytes.
type entryReader struct {
	b   []byte
	bad bool
}

func (r *entryReader) entry(e *Entry) bool {
	head := r.b[0]
	r.b = r.b[1:]
	e.Shape = Shape(head &^ newKey)
	if head&newKey != 0 {
		kind, shard := string(r.text(MaxKind)), r.uint()
		e.Key = Key{Kind: kind, Shard: uint16(min(shard, Shards)), ID: string(r.text(MaxKeyID))}
		r.bad = r.bad || e.Key.check() != nil
	}
	switch e.Shape {
	case ValueShape:
		e.Version, e.Name, e.Number, e.Until = r.uint(), "", 0, time.Time{}
		if until := r.uint(); until > 0 {
			e.Until = time.UnixMilli(int64(until))
			r.bad = r.bad || until > 1<<62
		}
		e.Data = r.text(MaxValue)
		r.bad = r.bad || e.Version == 0
	case CounterShape:
		e.Data, e.Version, e.Until, e.Name = nil, 0, time.Time{}, string(r.text(MaxName))
		e.Number = r.int()
	case SetShape:
		e.Data, e.Version, e.Until, e.Name = nil, 0, time.Time{}, string(r.text(MaxMember))
		e.Number = r.int()
	default:
		r.bad = true
	}
	return !r.bad && e.Key.Kind != "" && (e.Name != "" || e.Shape == ValueShape)
}

func (r *entryReader) uint() uint64 {
	n, used := binary.Uvarint(r.b)
	r.take(used)
	return n
}

func (r *entryReader) int() int64 {
	n, used := binary.Varint(r.b)
	r.take(used)
	return n
}

// text reads a text of at most so many bytes.
func (r *entryReader) text(most int) []byte {
	n := r.uint()
	if r.bad || n > uint64(most) || n > uint64(len(r.b)) {
		r.bad = true
		return nil
	}
	text := r.b[:n:n]
	r.b = r.b[n:]
	return text
}

func (r *entryReader) take(used int) {
	if used <= 0 {
		r.bad, used = true, 0
	}
	r.b = r.b[used:]
}
