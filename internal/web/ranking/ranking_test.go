package ranking

import (
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// The score line shows all terms of a score.
func TestScoreLine(t *testing.T) {
	for want, y := range map[string]linnet.Why{
		"Score 10.4 = (1 + 6 for favourites + 2 for boosts + 2 for replies) × 0.94 for age": {Score: 10.39, Own: 1, Favourites: 6, Reposts: 2, Replies: 2, Decay: .944, Weight: 1},
		"Score 0.5 = 1 × 0.50 for age":                 {Score: .5, Own: 1, Decay: .5, Weight: 1},
		"Score 6 = (1 + 2 for replies) × 2 for source": {Score: 6, Own: 1, Replies: 2, Decay: 1, Weight: 2},
	} {
		if got := scoreLine(locale.English(), y); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := scoreLine(locale.Named("de"), linnet.Why{Score: .5, Own: 1, Decay: .5, Weight: 1}); got != "Punktzahl 0,5 = 1 × 0,50 fürs Alter" {
		t.Errorf("in German: %q", got)
	}
}
