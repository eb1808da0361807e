package store

import (
	"slices"
	"testing"

	"linnet/internal/linnet"
)

// TestKeysOfMany: the keys of many ids are those of each.
func TestKeysOfMany(t *testing.T) {
	ids := []linnet.ID{0, 7, 1 << 40, 1<<64 - 1, 7}
	var want []Key
	for _, id := range ids {
		want = append(want, idKey(kHome, id))
	}
	if got := idKeys(kHome, ids); !slices.Equal(got, want) {
		t.Errorf("keys of %v: %v, want %v", ids, got, want)
	}
	if got := idKeys(kHome, nil); len(got) != 0 {
		t.Errorf("keys of nobody: %v", got)
	}
}
