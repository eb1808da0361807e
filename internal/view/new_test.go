package view

import (
	"testing"

	"linnet/internal/core"
)

// All that is kept as it is shown has its bound in bytes, and together they come to what
// the option gives them.
func TestRenderedIsBounded(t *testing.T) {
	const bytes = 1 << 20
	s := New(core.Base{Options: core.Options{Rendered: bytes}}, nil)
	var sum uint64
	for name, most := range map[string]uint64{"statuses": s.views.Max(), "people": s.people.Max(), "texts": s.html.Max(), "profiles": s.profiles.Max()} {
		if most == 0 {
			t.Errorf("%s may take nothing", name)
		}
		sum += most
	}
	if sum != bytes {
		t.Errorf("together %d bytes, want %d", sum, bytes)
	}
}
