package linnet

import (
	"cmp"
	"fmt"
	"strconv"
)

// Page asks for a part of a long list. Bounds are exclusive; "" means none.
// With Min the answer is the Limit items directly above it, otherwise the
// newest Limit items below Max and above Since. Min wins over Since. The answer
// is always newest first.
// https://docs.joinmastodon.org/api/guidelines/#pagination
type Page struct {
	Max, Since, Min Cursor
	Limit           int
}

// CutPage leaves of all that lies within the bounds of a page, the highest first, what the
// page shows: the lowest where it is read upwards from Min, else the highest.
func CutPage[T any](all []T, p Page) []T {
	if len(all) <= p.Limit {
		return all
	}
	if p.Min != "" {
		return all[len(all)-p.Limit:]
	}
	return all[:p.Limit]
}

// Cursor is a position in a list: the digits of an id, or of a (score, id) pair
// where the order is not that of the ids. "" is no position.
type Cursor string

// CursorOf returns the position of an item that is ordered by its id.
func CursorOf(id ID) Cursor { return Cursor(id.String()) }

// EdgeCursor returns the position of an item ordered by (score, id). It is made
// of digits, because clients turn cursors into integers.
func EdgeCursor(score int64, id ID) Cursor {
	return Cursor(fmt.Sprintf("%d%019d", score, uint64(id)))
}

// SealedDigits is the length of every sealed cursor. Plain cursors have at most 35 digits.
const SealedDigits = 78

// Sealed reports whether the position is encrypted, because it names an entry that the viewer
// cannot see. core.Service.OpenPage decrypts it.
func (c Cursor) Sealed() bool { return len(c) == SealedDigits && allDigits(string(c)) }

// SealedError refuses a sealed cursor of another list.
func SealedError() error {
	return FieldError("max_id", "ERR_INVALID", "the cursor doesn't belong to this list: start again without it")
}

// ID reads a position in a list ordered by id; 0 for "" and for "0". A number
// beyond all ids stands behind the last one. Anything but digits is Invalid, and so is a sealed
// cursor.
func (c Cursor) ID() (ID, error) {
	if c == "" {
		return 0, nil
	}
	if c.Sealed() {
		return 0, SealedError()
	}
	if !allDigits(string(c)) {
		return 0, FieldError("max_id", "ERR_INVALID", "cursor %q is not a number", string(c))
	}
	n, _ := strconv.ParseUint(string(c), 10, 63) // out of range: the greatest
	return ID(n), nil
}

// Edge reads a position in a list ordered by (score, id). An id alone means the
// position of its time.
func (c Cursor) Edge() (score int64, id ID, err error) {
	if c == "" {
		return 0, 0, nil
	}
	if !allDigits(string(c)) || len(c) > 35 {
		return 0, 0, FieldError("max_id", "ERR_INVALID", "cursor %q is not a number", string(c))
	}
	if len(c) <= 19 {
		n, _ := strconv.ParseUint(string(c), 10, 63)
		return ID(n).Millis(), 0, nil
	}
	score, err1 := strconv.ParseInt(string(c[:len(c)-19]), 10, 54)
	n, err2 := strconv.ParseUint(string(c[len(c)-19:]), 10, 63)
	if err1 != nil || err2 != nil {
		return 0, 0, FieldError("max_id", "ERR_INVALID", "cursor %q is out of range", string(c))
	}
	return score, ID(n), nil
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Slice is a page of a list. First and Last are the positions of its newest and
// oldest item, for links to the neighbouring pages; both are "" if there is
// nothing more to ask for: an empty page, or (Last) the known end.
type Slice[T any] struct {
	Items []T
	First Cursor // what is newer lies above
	Last  Cursor // what is older lies below; "" at the end

	oldest Cursor // of the oldest item where that is known to be the end
}

// End notes that nothing is older than the items: pages offer no way on then.
func (s *Slice[T]) End() {
	if len(s.Items) > 0 && s.Last != "" {
		s.oldest = s.Last
	}
	s.Last = ""
}

// Next is where apps go on, which is told of every page that is not empty: they take
// its absence for the end of what they have, also when there will be more.
func (s *Slice[T]) Next() Cursor { return cmp.Or(s.Last, s.oldest) }
