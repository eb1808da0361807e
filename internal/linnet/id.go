package linnet

import (
	"strconv"
	"time"
)

// ID is the id of a user, status, list, notification or app. Its layout is Mastodon's, with a shard
// in the low bits:
//
//	Unix milliseconds << 16 | shard (10 bits) << 6 | sequence (6 bits)
//
// So ids sort by time, a date can be converted to an id, and an id contains the shard of its
// record. On the wire it is a decimal string. 0 is no id.
type ID uint64

// MakeID builds an id from its parts. Milliseconds are cut to 47 bits, shard to
// 10 and sequence to 6, so that an id always fits a signed 64-bit integer.
func MakeID(t time.Time, shard uint16, seq uint8) ID {
	ms := uint64(max(t.UnixMilli(), 0)) & (1<<47 - 1)
	return ID(ms<<16 | uint64(shard&1023)<<6 | uint64(seq&63))
}

// ParseID parses a decimal id. It returns an error for signs, leading zeros and 0. It doesn't use
// strconv, which takes three times as long, because a fan-out parses one per follower.
func ParseID(s string) (ID, bool) {
	if s == "" || len(s) > 19 || s[0] == '0' { // 19 digits do not overflow 64 bits
		return 0, false
	}
	var n ID
	for i := range len(s) {
		d := s[i] - '0'
		if d > 9 {
			return 0, false
		}
		n = n*10 + ID(d)
	}
	if n >= 1<<63 {
		return 0, false
	}
	return n, true
}

// String returns the decimal form of the id, as on the wire and in keys.
func (id ID) String() string { return strconv.FormatUint(uint64(id), 10) }

// Shard returns the shard of the record.
func (id ID) Shard() uint16 { return uint16(id>>6) & 1023 }

// Millis returns the time of the id in Unix milliseconds.
func (id ID) Millis() int64 { return int64(id >> 16) }

// Time returns the time of the id in UTC.
func (id ID) Time() time.Time { return time.UnixMilli(id.Millis()).UTC() }
