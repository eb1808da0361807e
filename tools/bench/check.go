package bench

import (
	"bytes"
	"cmp"
)

// compareIDs orders ids like clients: by length, then by value.
func compareIDs[T string | []byte](a, b T) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare([]byte(a), []byte(b)))
}

// checkOrder checks that the ids of a page decrease and do not repeat, as clients expect.
func checkOrder(r *request, items []item) error {
	for i := 1; i < len(items); i++ {
		if compareIDs(items[i-1].id, items[i].id) > 0 {
			continue
		}
		for _, before := range items[:i] {
			if bytes.Equal(before.id, items[i].id) {
				return complaint(kindRepeat, r, "status %s appears twice", items[i].id)
			}
		}
		return complaint(kindOrder, r, "status %s appears below %s", items[i].id, items[i-1].id)
	}
	return nil
}
