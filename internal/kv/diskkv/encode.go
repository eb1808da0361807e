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

// How keys lie on disk, in order:
//
//	shard (2 bytes) kind 0 id shape ...
//
// A shard is contiguous. A kind has no byte 0 and an id none below ' ', so the
// byte after each ends it, and no record of one key lies between those of
// another. What follows the shape:
//
//	value    nothing             -> version, expiry, data
//	counter  name                -> number
//	score    member              -> score
//	rank     score (8 bytes) member -> nothing
//
// Behind all shards lies one more index, of the values that expire:
//
//	0xffff, expiry (8 bytes), shard kind 0 id -> nothing
//
// Its entries are hints: an entry whose value says otherwise is stale.
const (
	shapeValue   = 0x01
	shapeCounter = 0x02
	shapeScore   = 0x03
	shapeRank    = 0x04
	shapeEnd     = ' ' // above every shape, not above any byte of an id

	expiryIndex = 0xffff
	expiryStart = 2 + 8 // where the record's key begins in an entry of that index
)

// errMalformed is in the chain of an error about a record that no version of
// this package wrote.
var errMalformed = errors.New("malformed record")

// appendRecord adds what all entries of a key begin with.
func appendRecord(b []byte, k kv.Key) []byte {
	b = binary.BigEndian.AppendUint16(b, k.Shard)
	b = append(b, k.Kind...)
	b = append(b, 0)
	return append(b, k.ID...)
}

func appendShape(b []byte, k kv.Key, shape byte) []byte {
	return append(appendRecord(b, k), shape)
}

// splitRecord reads the key of an entry and what follows its id: the shape byte
// and the rest, or nothing if b is the beginning of a record alone.
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

// appendRank adds the part of a rank entry behind the shape. Flipping the sign
// bit makes the order of bytes that of the signed scores.
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
		return 0, fmt.Errorf("%w: number %x", errMalformed, b)
	}
	return n, nil
}

// value is what lies under a value's key. Its data aliases the bytes it was
// read from.
type value struct {
	version uint64
	until   int64 // Unix milliseconds; 0: for ever
	data    []byte
}

func (v value) expired(now time.Time) bool {
	return v.until != 0 && now.UnixMilli() >= v.until
}

// expiry returns the first millisecond at which a value put now has expired. It
// never lives for less than its lifetime, so the end is rounded up.
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
		return value{}, fmt.Errorf("%w: version of a value", errMalformed)
	}
	until, m := binary.Uvarint(b[n:])
	if m <= 0 || until > math.MaxInt64 {
		return value{}, fmt.Errorf("%w: expiry of a value", errMalformed)
	}
	return value{version: version, until: int64(until), data: b[n+m:]}, nil
}

func appendExpiry(b []byte, until int64, k kv.Key) []byte {
	b = binary.BigEndian.AppendUint16(b, expiryIndex)
	b = binary.BigEndian.AppendUint64(b, uint64(until))
	return appendRecord(b, k)
}
