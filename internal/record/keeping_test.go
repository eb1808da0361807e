package record_test

import (
	"testing"

	"linnet/internal/kv"
	"linnet/internal/record"
)

// TestKeptKinds: everything true is in backups; what is not can be named.
func TestKeptKinds(t *testing.T) {
	kinds, left := record.KeptKinds(), map[string]bool{}
	for _, d := range record.Keys() {
		shape, kept := kinds[d.Kind]
		if !kept {
			left[d.Kind] = true
		} else if shape < kv.ValueShape || shape > kv.SetShape {
			t.Errorf("%s is kept as shape %d", d.Kind, shape)
		}
	}
	for _, kind := range []string{"home", "listfeed", "topfeed", "catchup", "ranking", "setup", "ticket", "code", "confirmed", "challenge", "servers", "backup", "move"} {
		if !left[kind] {
			t.Errorf("%s is kept", kind)
		}
		delete(left, kind)
	}
	if len(left) > 0 {
		t.Errorf("left out as well: %v", left)
	}
}
