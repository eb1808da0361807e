package statuses

import (
	"testing"
	"time"

	"linnet/internal/linnet"
)

// TestTagsAreTrimmedEvenly checks that about one in tagTrim statuses of one author, and of one
// moment, trims its tags.
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
