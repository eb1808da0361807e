package timeline

import (
	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// Round is what one read of a span of a source has found.
type Round[T any] struct {
	Items   []T       // what of it may be shown, newest first
	Reached linnet.ID // the last position that was read: the next round goes on beyond it
	End     bool      // the source holds nothing beyond it
}

// Fill reads a span of a source of which not everything may be shown: in rounds, each
// beyond what the one before has reached, until there are sp.Limit items, the source ends,
// or core.PageRounds are used up. read is told how many items are missing; what it finds
// beyond them is cut off again, and position says where an item stands.
func Fill[T any](sp db.Span, position func(*T) linnet.ID, read func(sp db.Span, missing int) (Round[T], error)) (all Round[T], err error) {
	limit := sp.Limit
	for round := 0; round < core.PageRounds && len(all.Items) < limit && !all.End; round++ {
		found, err := read(sp, limit-len(all.Items))
		if err != nil {
			return all, err
		}
		all.Reached, all.End = found.Reached, found.End
		switch {
		case all.Items == nil:
			all.Items = found.Items
		case sp.Asc:
			all.Items = append(found.Items, all.Items...)
		default:
			all.Items = append(all.Items, found.Items...)
		}
		if sp.Asc {
			sp.Above = found.Reached
		} else {
			sp.Below = found.Reached
		}
		sp.Limit = min(max(sp.Limit, 2*(limit-len(all.Items))), ScanMax)
	}
	if over := len(all.Items) - limit; over > 0 {
		all.End = false
		if sp.Asc {
			all.Items = all.Items[over:] // those directly above the bound
			all.Reached = position(&all.Items[0])
		} else {
			all.Items = all.Items[:limit]
			all.Reached = position(&all.Items[limit-1])
		}
	}
	return all, nil
}

// FillPage is Fill for a page that is shown, with the positions of its neighbours. Of one
// that is given up before it is full the next begins where it stopped.
func FillPage[T any](sp db.Span, position func(*T) linnet.ID, read func(sp db.Span, missing int) (Round[T], error)) (out linnet.Slice[T], err error) {
	all, err := Fill(sp, position, read)
	if err != nil {
		return out, err
	}
	n := len(all.Items)
	out.Items = all.Items
	if n > 0 {
		out.First, out.Last = linnet.CursorOf(position(&all.Items[0])), linnet.CursorOf(position(&all.Items[n-1]))
	}
	switch {
	case sp.Asc:
	case all.End:
		out.End()
	case n < sp.Limit && all.Reached != 0:
		out.Last = linnet.CursorOf(all.Reached)
	}
	return out, nil
}

// partGrowth: where the smallest part was not enough, this many times as much is shown
// next, since every part may be a round trip.
const partGrowth = 4

// ShowParts shows a list in memory of which not everything may be shown, a part at a time:
// from its beginning (asc: from its end), until there are limit items or nothing is left.
// Parts are as large as what is missing, but at least least: to fill a gap of one, more
// than one may have to be read. The last part may bring more items than limit; rest is
// what was not looked at.
func ShowParts[E, T any](list []E, asc bool, limit, least int, show func([]E) ([]T, error)) (items []T, rest []E, err error) {
	rest = list
	for n := 0; len(rest) > 0 && len(items) < limit; n++ {
		if n > 1 {
			least *= partGrowth
		}
		size := min(max(limit-len(items), least), len(rest))
		part := rest[:size]
		if asc {
			part, rest = rest[len(rest)-size:], rest[:len(rest)-size]
		} else {
			rest = rest[size:]
		}
		found, err := show(part)
		switch {
		case err != nil:
			return items, rest, err
		case items == nil:
			items = found
		case asc:
			items = append(found, items...)
		default:
			items = append(items, found...)
		}
	}
	return items, rest, nil
}
