package view

import (
	"testing"

	"linnet/internal/core"
)

// TestRenderedIsBounded checks that each cache of views has a limit in bytes, and that the limits
// add up to the option.
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
