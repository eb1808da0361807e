package linnet

import (
	"cmp"
	"fmt"
	"strconv"
)

// Page selects a part of a long list. Bounds are exclusive, and "" means none. With Min the result
// is the Limit items directly above it, otherwise the newest Limit items below Max and above Since.
// Min has priority over Since. The result is always newest first.
// https://docs.joinmastodon.org/api/guidelines/#pagination
type Page struct {
	Max, Since, Min Cursor
	Limit           int
}

// CutPage returns the part of a sorted list within a page's bounds: its lowest entries if it is
// read upwards from Min, and its highest otherwise.
func CutPage[T any](all []T, p Page) []T {
	if len(all) <= p.Limit {
		return all
	}
	if p.Min != "" {
		return all[len(all)-p.Limit:]
	}
	return all[:p.Limit]
}

// Cursor is a position in a list: the digits of an id, or of a (score, id) pair if the list isn't
// sorted by id. "" is no position.
type Cursor string

// CursorOf returns the position of an item that is ordered by its id.
func CursorOf(id ID) Cursor { return Cursor(id.String()) }

// ScoredCursor returns the position of an item sorted by (score, id). It consists of digits,
// because clients parse cursors as integers.
func ScoredCursor(score int64, id ID) Cursor {
	return Cursor(fmt.Sprintf("%d%019d", score, uint64(id)))
}

// SealedDigits is the length of every sealed cursor. Plain cursors have at most 35 digits.
const SealedDigits = 78

// Sealed reports whether the position is encrypted, because it names an entry that the viewer
// cannot see. core.Service.OpenPage decrypts it.
func (c Cursor) Sealed() bool { return len(c) == SealedDigits && allDigits(string(c)) }

// cursorError names the parameter of an error about a cursor. The message is a whole sentence,
// because pages show it without the parameter.
func cursorError(e *Error) *Error {
	e.Fields = []Field{{Name: "max_id", Code: "ERR_INVALID", Msg: e.Wording.in(nil, e.Msg), Wording: e.Wording}}
	return e
}

// SealedError returns the error for a sealed cursor of another list.
func SealedError() error {
	return cursorError(Errorf(Invalid, "Validation failed: This page cursor belongs to another list. Start from the first page"))
}

// ID parses a position in a list sorted by id. It returns 0 for "" and "0". A number above all ids
// is a position after the last one. It returns Invalid for other characters and for an encrypted
// cursor.
func (c Cursor) ID() (ID, error) {
	if c == "" {
		return 0, nil
	}
	if c.Sealed() {
		return 0, SealedError()
	}
	if !allDigits(string(c)) {
		return 0, cursorError(Errorf(Invalid, "Validation failed: The page cursor %q isn't a number. Start from the first page", string(c)))
	}
	n, _ := strconv.ParseUint(string(c), 10, 63) // out of range: the maximum
	return ID(n), nil
}

// Scored parses a position in a list sorted by (score, id). An id alone is a position by its time.
func (c Cursor) Scored() (score int64, id ID, err error) {
	if c == "" {
		return 0, 0, nil
	}
	if !allDigits(string(c)) || len(c) > 35 {
		return 0, 0, cursorError(Errorf(Invalid, "Validation failed: The page cursor %q isn't a number. Start from the first page", string(c)))
	}
	if len(c) <= 19 {
		n, _ := strconv.ParseUint(string(c), 10, 63)
		return ID(n).Millis(), 0, nil
	}
	score, err1 := strconv.ParseInt(string(c[:len(c)-19]), 10, 54)
	n, err2 := strconv.ParseUint(string(c[len(c)-19:]), 10, 63)
	if err1 != nil || err2 != nil {
		return 0, 0, cursorError(Errorf(Invalid, "Validation failed: The page cursor %q is out of range. Start from the first page", string(c)))
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

// Slice is a page of a list. First and Last are the positions of its newest and oldest item, for
// links to other pages. Both are "" if there are none: on an empty page, or (Last) at the end of
// the list.
type Slice[T any] struct {
	Items []T
	First Cursor // newer items come before it
	Last  Cursor // older items come after it; "" at the end

	oldest Cursor // position of the oldest item if it is known to be the last
}

// End records that there are no older items, so that pages have no further link.
func (s *Slice[T]) End() {
	if len(s.Items) > 0 && s.Last != "" {
		s.oldest = s.Last
	}
	s.Last = ""
}

// Next returns the cursor for apps. Every page that isn't empty has one, because without it apps
// never ask again, even if there will be more.
func (s *Slice[T]) Next() Cursor { return cmp.Or(s.Last, s.oldest) }
