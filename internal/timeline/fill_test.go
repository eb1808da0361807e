package timeline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// numbers is a list of 1 to n. show determines the visible ones. It records the spans that were
// read.
type numbers struct {
	n     linnet.ID
	show  func(linnet.ID) bool
	spans []string
}

func (s *numbers) read(sp db.Span, missing int) (r Round[linnet.ID], err error) {
	s.spans = append(s.spans, fmt.Sprintf("%d-%d:%d for %d", sp.Above, sp.Below, sp.Limit, missing))
	var ids []linnet.ID
	for id := s.n; id > sp.Above; id-- {
		if sp.Below == 0 || id < sp.Below {
			ids = append(ids, id)
		}
	}
	r.End = len(ids) < sp.Limit
	if sp.Asc {
		ids = ids[max(0, len(ids)-sp.Limit):]
	} else {
		ids = ids[:min(len(ids), sp.Limit)]
	}
	if n := len(ids); n > 0 && sp.Asc {
		r.Reached = ids[0]
	} else if n > 0 {
		r.Reached = ids[n-1]
	}
	r.Items = slices.DeleteFunc(ids, func(id linnet.ID) bool { return !s.show(id) })
	return r, nil
}

func itself(id *linnet.ID) Position { return Position{ID: *id} }

func TestFill(t *testing.T) {
	all := func(linnet.ID) bool { return true }
	none := func(linnet.ID) bool { return false }
	even := func(id linnet.ID) bool { return id%2 == 0 }
	hidden := func(id linnet.ID) Position { return Position{id, true} }
	seen := func(id linnet.ID) Position { return Position{id, false} }
	const rounds = 4 // of 1, 4, 16 and 64 entries for a page of one item
	for name, c := range map[string]struct {
		n           linnet.ID
		show        func(linnet.ID) bool
		sp          db.Span
		items       []linnet.ID
		first, last Position
		rounds      int
		end         bool
	}{
		"empty list":              {0, all, db.Span{Limit: 3}, nil, Position{}, Position{}, 1, true},
		"full at once":            {9, all, db.Span{Limit: 3}, []linnet.ID{9, 8, 7}, seen(9), seen(7), 1, false},
		"ends with the list":      {2, all, db.Span{Limit: 3}, []linnet.ID{2, 1}, seen(2), seen(1), 1, true},
		"all hidden":              {5, none, db.Span{Limit: 3}, nil, Position{}, Position{}, 2, true},
		"filled from below":       {9, even, db.Span{Limit: 3}, []linnet.ID{8, 6, 4}, seen(8), seen(4), 2, false},
		"more found than missing": {20, even, db.Span{Limit: 4, Below: 20}, []linnet.ID{18, 16, 14, 12}, seen(18), seen(12), 2, false},
		"given up":                {1000, none, db.Span{Limit: 1}, nil, Position{}, hidden(916), rounds, false},
		"given up half full": {1000, func(id linnet.ID) bool { return id == 999 }, db.Span{Limit: 2}, []linnet.ID{999}, seen(999), hidden(831),
			rounds, false},
		"given up upwards":   {1000, none, db.Span{Limit: 1, Above: 10, Asc: true}, nil, hidden(95), Position{}, rounds, false},
		"upwards":            {9, even, db.Span{Limit: 2, Above: 1, Asc: true}, []linnet.ID{4, 2}, seen(4), seen(2), 2, false},
		"upwards to the end": {3, all, db.Span{Limit: 5, Above: 1, Asc: true}, []linnet.ID{3, 2}, seen(3), seen(2), 1, true},
		"upwards past hidden entries": {9, func(id linnet.ID) bool { return id > 6 }, db.Span{Limit: 2, Above: 1, Asc: true}, []linnet.ID{8, 7},
			seen(8), seen(7), 2, false},
		"between bounds": {9, all, db.Span{Limit: 5, Above: 3, Below: 6}, []linnet.ID{5, 4}, seen(5), seen(4), 1, true},
	} {
		src := &numbers{n: c.n, show: c.show}
		got, err := Fill(c.sp, rounds, itself, src.read)
		first, last := got.neighbours(c.sp, itself)
		if err != nil || !slices.Equal(got.Items, c.items) || first != c.first || last != c.last || len(src.spans) != c.rounds || got.End != c.end {
			t.Errorf("%s: %v, %v to %v, end %v (%v), after %q", name, got.Items, first, last, got.End, err, src.spans)
		}
	}
}

// TestFilledPagesMeet checks that each page continues where the previous one stopped. Every visible
// entry is on one page, for any limit and number of rounds.
func TestFilledPagesMeet(t *testing.T) {
	third := func(id linnet.ID) bool { return id%3 == 0 || id > 400 && id < 420 }
	for _, limit := range []int{1, 2, 7, 40} {
		var got []linnet.ID
		for sp := (db.Span{Limit: limit}); ; {
			page, err := Fill(sp, 2, itself, (&numbers{n: 500, show: third}).read)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.Items...)
			if page.End {
				break
			}
			_, last := page.neighbours(sp, itself)
			sp.Below = last.ID
		}
		want := 0
		for id := linnet.ID(1); id <= 500; id++ {
			if third(id) {
				want++
			}
		}
		if len(got) != want || !slices.IsSortedFunc(got, func(a, b linnet.ID) int { return cmp.Compare(b, a) }) || len(slices.Compact(got)) != want {
			t.Errorf("pages of %d show %d of %d", limit, len(got), want)
		}
	}
}

func TestFillReadsLargerSpans(t *testing.T) {
	src := &numbers{n: 100_000, show: func(linnet.ID) bool { return false }}
	all, err := Fill(db.Span{Limit: 90}, core.PageScans, itself, src.read)
	if want := []string{"0-0:90 for 90", "0-99911:200 for 90", "0-99711:200 for 90"}; err != nil || !slices.Equal(src.spans[:3], want) {
		t.Errorf("read %q: %v", src.spans, err)
	}
	if all.End || all.Reached != 100_000-90-(core.PageScans-1)*ScanMax+1 {
		t.Errorf("reached %d, the end: %v", all.Reached, all.End)
	}
	lost := errors.New("lost")
	if _, err := Fill(db.Span{Limit: 1}, 1, itself, func(db.Span, int) (Round[linnet.ID], error) { return Round[linnet.ID]{}, lost }); err != lost {
		t.Error(err)
	}
}

func TestReadRound(t *testing.T) {
	lost := errors.New("lost")
	even := func(page []linnet.ID) (out []linnet.ID, err error) {
		return slices.DeleteFunc(slices.Clone(page), func(id linnet.ID) bool { return id%2 != 0 }), nil
	}
	for name, c := range map[string]struct {
		sp      db.Span
		page    []linnet.ID
		failure error
		want    Round[linnet.ID]
	}{
		"full":              {db.Span{Limit: 3}, []linnet.ID{9, 8, 7}, nil, Round[linnet.ID]{Items: []linnet.ID{8}, Reached: 7}},
		"full, ascending":   {db.Span{Limit: 3, Asc: true}, []linnet.ID{9, 8, 7}, nil, Round[linnet.ID]{Items: []linnet.ID{8}, Reached: 9}},
		"the end":           {db.Span{Limit: 3}, []linnet.ID{2, 1}, nil, Round[linnet.ID]{Items: []linnet.ID{2}, Reached: 1, End: true}},
		"nothing":           {db.Span{Limit: 3}, nil, nil, Round[linnet.ID]{End: true}},
		"the store is away": {db.Span{Limit: 3}, nil, lost, Round[linnet.ID]{}},
	} {
		got, err := ReadRound(c.sp, func(db.Span) ([]linnet.ID, error) { return c.page, c.failure }, func(id *linnet.ID) linnet.ID { return *id }, even)
		if (err != nil) != (c.failure != nil) || got.Reached != c.want.Reached || got.End != c.want.End || !slices.Equal(got.Items, c.want.Items) {
			t.Errorf("%s: %+v, %v, want %+v", name, got, err, c.want)
		}
	}
}

func TestShowParts(t *testing.T) {
	list := make([]int, 200)
	for i := range list {
		list[i] = i
	}
	for name, c := range map[string]struct {
		asc                bool
		limit, least, from int // first visible number (asc: last)
		items, rest        int
		parts              []int
	}{
		"all that is read is shown":    {false, 5, 10, 0, 10, 190, []int{10}},
		"only what is missing is read": {false, 5, 0, 3, 5, 192, []int{5, 3}},
		"parts grow":                   {false, 5, 10, 199, 1, 0, []int{10, 10, 40, 140}},
		"nothing may be shown":         {false, 100, 0, 200, 0, 0, []int{100, 100}},
		"from the end":                 {true, 5, 10, 185, 6, 180, []int{10, 10}},
		"no limit":                     {false, 0, 10, 0, 0, 200, nil},
	} {
		var parts []int
		items, rest, err := ShowParts(list, c.asc, c.limit, c.least, func(part []int) ([]int, error) {
			parts = append(parts, len(part))
			return slices.DeleteFunc(slices.Clone(part), func(i int) bool { return c.asc == (i > c.from) && i != c.from }), nil
		})
		if err != nil || len(items) != c.items || len(rest) != c.rest || !slices.Equal(parts, c.parts) || !slices.IsSorted(items) {
			t.Errorf("%s: %v, %d are left (%v), parts of %v", name, items, len(rest), err, parts)
		}
	}
	lost := errors.New("lost")
	if _, _, err := ShowParts(list, false, 1, 0, func([]int) ([]int, error) { return nil, lost }); err != lost {
		t.Error(err)
	}
}
