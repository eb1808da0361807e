package mastodon_test

import (
	"fmt"
	"testing"

	"linnet/internal/core"
	"linnet/internal/mastodon"
)

// Only drawings count. A cached avatar is still served.
func TestPicturesAreLimited(t *testing.T) {
	w := newLimitedWorld(t, memory(t), mastodon.Options{}, core.Rates{Pictures: 3}, false)
	for i := range 4 {
		w.call("", fmt.Sprintf("GET /avatars/bird%d.png", i), "", "")
		if want := map[bool]int{true: 200, false: 429}[i < 3]; w.last.Code != want {
			t.Errorf("picture %d: %d, want %d", i, w.last.Code, want)
		}
	}
	if w.call("", "GET /avatars/bird0.png", "", ""); w.last.Code != 200 {
		t.Errorf("a kept picture: %d", w.last.Code)
	}
}
