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

// numbers is a source that holds 1 to n, of which show says what may be shown. It notes
// which spans were read.
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

func itself(id *linnet.ID) linnet.ID { return *id }

func TestFillPage(t *testing.T) {
	all := func(linnet.ID) bool { return true }
	none := func(linnet.ID) bool { return false }
	even := func(id linnet.ID) bool { return id%2 == 0 }
	for name, c := range map[string]struct {
		n           linnet.ID
		show        func(linnet.ID) bool
		sp          db.Span
		items       []linnet.ID
		first, last linnet.Cursor
		rounds      int
	}{
		"of an empty source":              {0, all, db.Span{Limit: 3}, nil, "", "", 1},
		"that is full at once":            {9, all, db.Span{Limit: 3}, []linnet.ID{9, 8, 7}, "9", "7", 1},
		"that ends with the source":       {2, all, db.Span{Limit: 3}, []linnet.ID{2, 1}, "2", "", 1},
		"of which nothing may be shown":   {5, none, db.Span{Limit: 3}, nil, "", "", 2},
		"that is filled from below":       {9, even, db.Span{Limit: 3}, []linnet.ID{8, 6, 4}, "8", "4", 2},
		"that finds more than is missing": {20, even, db.Span{Limit: 4, Below: 20}, []linnet.ID{18, 16, 14, 12}, "18", "12", 2},
		"that is given up":                {1000, none, db.Span{Limit: 1}, nil, "", "986", core.PageRounds},
		"that is given up before it is full": {1000, func(id linnet.ID) bool { return id == 999 }, db.Span{Limit: 2}, []linnet.ID{999}, "999", "985",
			core.PageRounds},
		"that rises":            {9, even, db.Span{Limit: 2, Above: 1, Asc: true}, []linnet.ID{4, 2}, "4", "2", 2},
		"that rises to the end": {3, all, db.Span{Limit: 5, Above: 1, Asc: true}, []linnet.ID{3, 2}, "3", "2", 1},
		"that rises over what is not shown": {9, func(id linnet.ID) bool { return id > 6 }, db.Span{Limit: 2, Above: 1, Asc: true}, []linnet.ID{8, 7}, "8", "7",
			3},
		"between bounds": {9, all, db.Span{Limit: 5, Above: 3, Below: 6}, []linnet.ID{5, 4}, "5", "", 1},
	} {
		src := &numbers{n: c.n, show: c.show}
		got, err := FillPage(c.sp, itself, src.read)
		if err != nil || !slices.Equal(got.Items, c.items) || got.First != c.first || got.Last != c.last || len(src.spans) != c.rounds {
			t.Errorf("a page %s: %v, %q to %q (%v), after %q", name, got.Items, got.First, got.Last, err, src.spans)
		}
	}
}

// Each page of a source goes on where the last one stopped: all that may be shown comes
// once, whatever the limit and the rounds.
func TestFillPagesMeet(t *testing.T) {
	third := func(id linnet.ID) bool { return id%3 == 0 || id > 400 && id < 420 }
	for _, limit := range []int{1, 2, 7, 40} {
		var got []linnet.ID
		for sp := (db.Span{Limit: limit}); ; {
			page, err := FillPage(sp, itself, (&numbers{n: 500, show: third}).read)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.Items...)
			if page.Last == "" {
				break
			}
			if sp.Below, err = page.Last.ID(); err != nil {
				t.Fatal(err)
			}
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

func TestFillReadsFurtherWhereMuchIsMissing(t *testing.T) {
	src := &numbers{n: 10_000, show: func(linnet.ID) bool { return false }}
	all, err := Fill(db.Span{Limit: 90}, itself, src.read)
	if want := []string{"0-0:90 for 90", "0-9911:180 for 90", "0-9731:180 for 90"}; err != nil || !slices.Equal(src.spans[:3], want) {
		t.Errorf("read %q: %v", src.spans, err)
	}
	if all.End || all.Reached != 10_000-90-7*180+1 {
		t.Errorf("reached %d, the end: %v", all.Reached, all.End)
	}
	lost := errors.New("lost")
	if _, err := FillPage(db.Span{Limit: 1}, itself, func(db.Span, int) (Round[linnet.ID], error) { return Round[linnet.ID]{}, lost }); err != lost {
		t.Error(err)
	}
}

func TestShowParts(t *testing.T) {
	list := make([]int, 200)
	for i := range list {
		list[i] = i
	}
	for name, c := range map[string]struct {
		asc                bool
		limit, least, from int // from this one on (asc: up to it) they may be shown
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
