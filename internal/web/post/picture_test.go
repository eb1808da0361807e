package post_test

import (
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/post"
)

func TestFocusClass(t *testing.T) {
	for f, want := range map[linnet.Focus]string{{}: "", {X: -1, Y: 1}: "fx0 fy0", {X: 1, Y: -1}: "fx4 fy4", {X: 0, Y: 0.5}: "fx2 fy1", {X: 0.3, Y: 0}: "fx3 fy2"} {
		if got := post.FocusClass(f); got != want {
			t.Errorf("%v: %q, want %q", f, got, want)
		}
	}
}
