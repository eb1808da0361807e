package store

import (
	"slices"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestKeysOfMany: the keys of many ids are those of each.
func TestKeysOfMany(t *testing.T) {
	ids := []linnet.ID{0, 7, 1 << 40, 1<<64 - 1, 7}
	var want []Key
	for _, id := range ids {
		want = append(want, idKey(kHome, id))
	}
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = id.String()
	}
	if got := idKeys(kHome, ids, texts); !slices.Equal(got, want) {
		t.Errorf("keys of %v, with texts: %v, want %v", ids, got, want)
	}
	if got := idKeys(kHome, ids, nil); !slices.Equal(got, want) {
		t.Errorf("keys of %v: %v, want %v", ids, got, want)
	}
	if got := idKeys(kHome, nil, nil); len(got) != 0 {
		t.Errorf("keys of nobody: %v", got)
	}
}

// TestTagsAreTrimmedEvenly: of the statuses of one author, and of those of one
// moment, about one in tagTrim trims its tags.
func TestTagsAreTrimmedEvenly(t *testing.T) {
	const many = 100 * tagTrim
	start := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for what, id := range map[string]func(i int) linnet.ID{
		"an author who posts slowly": func(i int) linnet.ID { return linnet.MakeID(start.Add(time.Duration(i)*time.Second), 77, 0) },
		"an author who posts fast": func(i int) linnet.ID {
			return linnet.MakeID(start.Add(time.Duration(i/64)*time.Millisecond), 77, uint8(i))
		},
		"many authors": func(i int) linnet.ID {
			return linnet.MakeID(start.Add(time.Duration(i/1024)*time.Millisecond), uint16(i%1024), 5)
		},
	} {
		n := 0
		for i := range many {
			if trimsTags(id(i)) {
				n++
			}
		}
		if n < 50 || n > 200 {
			t.Errorf("%s: %d of %d trim", what, n, many)
		}
	}
}
