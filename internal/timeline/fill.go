package timeline

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// Round is the result of one read of a span of a list.
type Round[T any] struct {
	Items   []T       // the visible items, newest first
	Reached linnet.ID // last position read; the next round continues beyond it
	End     bool      // the list has nothing beyond Reached
}

// ReadRound reads the records of a span with fetch, newest first. The items of the round come from
// show, which gets the records. id returns the position of a record.
func ReadRound[R, T any](sp db.Span, fetch func(db.Span) ([]R, error), id func(*R) linnet.ID, show func([]R) ([]T, error)) (r Round[T], err error) {
	page, err := fetch(sp)
	if err != nil {
		return r, core.StoreError(err)
	}
	r.End = len(page) < sp.Limit
	n := len(page)
	if n == 0 {
		return r, nil
	}
	r.Reached = id(&page[n-1])
	if sp.Asc {
		r.Reached = id(&page[0])
	}
	r.Items, err = show(page)
	return r, err
}

// Position is the position of an item in the order of a list. Hidden reports that the id belongs to
// an entry that the viewer cannot see, although the item is visible.
type Position struct {
	ID     linnet.ID
	Hidden bool
}

// scanGrowth is the factor by which the span grows with each round.
const scanGrowth = 4

// Fill reads a span of a list in which some entries can't be shown. It reads in rounds, each beyond
// the previous one, until it has sp.Limit items, the list ends or rounds are used up. read gets the
// number of missing items. Fill discards further items.
func Fill[T any](sp db.Span, rounds int, position func(*T) Position, read func(sp db.Span, missing int) (Round[T], error)) (all Round[T], err error) {
	limit := sp.Limit
	for round := 0; round < rounds && len(all.Items) < limit && !all.End; round++ {
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
		sp.Limit = max(sp.Limit, min(scanGrowth*sp.Limit, ScanMax))
	}
	if over := len(all.Items) - limit; over > 0 {
		all.End = false
		if sp.Asc {
			all.Items = all.Items[over:] // the items directly above the bound
			all.Reached = position(&all.Items[0]).ID
		} else {
			all.Items = all.Items[:limit]
			all.Reached = position(&all.Items[limit-1]).ID
		}
	}
	return all, nil
}

// List is a list that is shown in pages to one viewer.
type List[T any] struct {
	Name     core.ListName
	Most     int // maximum items per page
	Position func(*T) Position
	Read     func(sp db.Span, missing int) (Round[T], error)
}

// FillPage reads a page of a list with Fill and adds the cursors of the neighbouring pages. No
// cursor contains the id of an entry that the viewer cannot see: such a position is sealed.
func FillPage[T any](ctx context.Context, c *core.Service, p linnet.Page, l List[T]) (out linnet.Slice[T], err error) {
	if p, err = c.OpenPage(ctx, l.Name, p); err != nil {
		return out, err
	}
	sp, err := Span(p, l.Most)
	if err != nil {
		return out, err
	}
	all, err := Fill(sp, core.PageScans, l.Position, l.Read)
	if err != nil {
		return out, err
	}
	out.Items = all.Items
	first, last := all.neighbours(sp, l.Position)
	if out.First, err = first.Cursor(ctx, c, l.Name); err != nil {
		return out, err
	}
	if out.Last, err = last.Cursor(ctx, c, l.Name); err != nil {
		return out, err
	}
	if all.End && !sp.Asc {
		out.End()
	}
	return out, nil
}

// neighbours returns the positions from which the pages above and below a filled one continue.
func (r *Round[T]) neighbours(sp db.Span, position func(*T) Position) (first, last Position) {
	n := len(r.Items)
	if n > 0 {
		first, last = position(&r.Items[0]), position(&r.Items[n-1])
	}
	switch stopped := n < sp.Limit && !r.End && r.Reached != 0; {
	case stopped && sp.Asc:
		first = Position{r.Reached, true}
	case stopped:
		last = Position{r.Reached, true}
	}
	return first, last
}

// Cursor returns the cursor of a position in a list, sealed if the position is hidden.
func (p Position) Cursor(ctx context.Context, c *core.Service, list core.ListName) (linnet.Cursor, error) {
	switch {
	case p.ID == 0:
		return "", nil
	case p.Hidden:
		return c.SealCursor(ctx, list, linnet.CursorOf(p.ID))
	}
	return linnet.CursorOf(p.ID), nil
}

// PartLeast is the usual minimum number of entries that are loaded together.
const PartLeast = 10

// partGrowth is the factor by which a part grows after one that wasn't enough, since every part can
// be a round trip.
const partGrowth = 4

// ShowParts shows a list in memory with invisible entries, one part at a time from its beginning
// (with asc from its end), until there are limit items or the list ends. A part has as many entries
// as items are missing, but at least least, because filling a gap of one can take several. The last
// part can add more items than limit. rest has the entries that were not checked.
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
