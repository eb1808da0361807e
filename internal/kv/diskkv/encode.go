package diskkv

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"linnet/internal/kv"
)

// Keys are ordered on disk as
//
//	shard (2 bytes) kind 0 id shape ...
//
// A shard is contiguous. A kind has no byte 0 and an id no byte below ' '. So the byte after each
// ends it, and the records of two keys never mix. The shape is followed by:
//
//	value    nothing             -> version, expiry, data
//	counter  name                -> number
//	score    member              -> score
//	rank     score (8 bytes) member -> nothing
//
// Behind all shards is the index of values that expire:
//
//	0xffff, expiry (8 bytes), shard kind 0 id -> nothing
//
// Its entries are hints: an entry that contradicts its value is outdated.
const (
	shapeValue   = 0x01
	shapeCounter = 0x02
	shapeScore   = 0x03
	shapeRank    = 0x04
	shapeEnd     = ' ' // above every shape, not above any byte of an id

	expiryIndex = 0xffff
	expiryStart = 2 + 8 // start of the record's key in an entry of that index
)

// errMalformed marks records that no version of this package wrote.
var errMalformed = errors.New("malformed record")

// appendRecord appends the prefix of all entries of a key.
func appendRecord(b []byte, k kv.Key) []byte {
	b = binary.BigEndian.AppendUint16(b, k.Shard)
	b = append(b, k.Kind...)
	b = append(b, 0)
	return append(b, k.ID...)
}

func appendShape(b []byte, k kv.Key, shape byte) []byte {
	return append(appendRecord(b, k), shape)
}

// splitRecord splits an entry into its key and the part after the id: the shape byte and the rest.
// That part is empty if b is only the prefix of a record.
func splitRecord(b []byte) (kv.Key, []byte, error) {
	if len(b) < 2 {
		return kv.Key{}, nil, fmt.Errorf("%w: key %x", errMalformed, b)
	}
	end := bytes.IndexByte(b[2:], 0)
	if end < 1 {
		return kv.Key{}, nil, fmt.Errorf("%w: key %x", errMalformed, b)
	}
	id := b[2+end+1:]
	n := 0
	for n < len(id) && id[n] >= shapeEnd {
		n++
	}
	k := kv.Key{Kind: string(b[2 : 2+end]), Shard: binary.BigEndian.Uint16(b), ID: string(id[:n])}
	return k, id[n:], nil
}

// appendRank appends the part of a rank entry behind the shape. With the sign bit flipped, bytewise
// order equals the order of signed scores.
func appendRank(b []byte, score int64, member string) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(score)^(1<<63))
	return append(b, member...)
}

func splitRank(b []byte) (score int64, member []byte, err error) {
	if len(b) < 9 {
		return 0, nil, fmt.Errorf("%w: rank %x", errMalformed, b)
	}
	return int64(binary.BigEndian.Uint64(b) ^ (1 << 63)), b[8:], nil
}

func appendNumber(b []byte, n int64) []byte { return binary.AppendVarint(b, n) }

func readNumber(b []byte) (int64, error) {
	n, used := binary.Varint(b)
	if used <= 0 || used != len(b) {
		return 0, fmt.Errorf("%w: invalid number %x", errMalformed, b)
	}
	return n, nil
}

// value is the record of a value. Its data aliases the bytes that it was read from.
type value struct {
	version uint64
	until   int64 // Unix milliseconds; 0: never
	data    []byte
}

func (v value) expired(now time.Time) bool {
	return v.until != 0 && now.UnixMilli() >= v.until
}

// expiry returns the first millisecond at which a value has expired. It is rounded up, so that the
// value lives for at least its TTL.
func expiry(now time.Time, ttl time.Duration) int64 {
	if ttl == 0 {
		return 0
	}
	return max(1, now.Add(ttl+time.Millisecond-1).UnixMilli())
}

func appendValue(b []byte, v value) []byte {
	b = binary.AppendUvarint(b, v.version)
	b = binary.AppendUvarint(b, uint64(v.until))
	return append(b, v.data...)
}

func readValue(b []byte) (value, error) {
	version, n := binary.Uvarint(b)
	if n <= 0 || version == 0 {
		return value{}, fmt.Errorf("%w: invalid version of a value", errMalformed)
	}
	until, m := binary.Uvarint(b[n:])
	if m <= 0 || until > math.MaxInt64 {
		return value{}, fmt.Errorf("%w: invalid expiry of a value", errMalformed)
	}
	return value{version: version, until: int64(until), data: b[n+m:]}, nil
}

func appendExpiry(b []byte, until int64, k kv.Key) []byte {
	b = binary.BigEndian.AppendUint16(b, expiryIndex)
	b = binary.BigEndian.AppendUint64(b, uint64(until))
	return appendRecord(b, k)
}
