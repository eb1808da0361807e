package audit

import (
	"testing"

	"linnet/internal/record"
)

// TestEveryKindIsChecked: a new kind of key needs a check, or a word that there
// is nothing to check.
func TestEveryKindIsChecked(t *testing.T) {
	a := New(nil, nil, nil)
	kinds := map[string]bool{}
	for _, d := range record.Keys() {
		kinds[d.Kind] = true
		if _, ok := a.rows[d.Kind]; !ok {
			t.Errorf("keys of kind %q are not checked", d.Kind)
		}
	}
	for kind := range a.rows {
		if !kinds[kind] {
			t.Errorf("kind %q is checked but not in the table of keys", kind)
		}
	}
}
