package compose

import (
	"math"
	"net/url"
	"strconv"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// focusChoice is a choice for the focus of a picture.
type focusChoice struct {
	Value, Name string
	Chosen      bool
}

// focusChoices returns nine choices by row. The one nearest to the current focus is chosen, and has
// its exact value.
func focusChoices(now linnet.Focus) []focusChoice {
	names := []string{locale.Mark("Top left"), locale.Mark("Top centre"), locale.Mark("Top right"),
		locale.Mark("Centre left"), locale.Mark("Centre"), locale.Mark("Centre right"),
		locale.Mark("Bottom left"), locale.Mark("Bottom centre"), locale.Mark("Bottom right")}
	third := func(at float64) int { return min(int((at+1)*1.5), 2) }
	chosen := third(-now.Y)*3 + third(now.X)
	all := make([]focusChoice, len(names))
	for i, name := range names {
		at := linnet.Focus{X: float64(i%3-1) * .67, Y: float64(1-i/3) * .67}
		if i == chosen {
			at = now
		}
		all[i] = focusChoice{focusValue(at.X) + "," + focusValue(at.Y), name, i == chosen}
	}
	return all
}

func focusValue(at float64) string { return strconv.FormatFloat(at, 'f', -1, 64) }

// sentChange returns the description and focus of an attachment in a submitted form. An invalid
// focus is ignored.
func sentChange(in url.Values, digits string) linnet.AttachmentChange {
	alt := in.Get("alt-" + digits)
	change := linnet.AttachmentChange{Description: &alt}
	across, up, _ := strings.Cut(in.Get("focus-"+digits), ",")
	x, errX := strconv.ParseFloat(across, 64)
	y, errY := strconv.ParseFloat(up, 64)
	if errX == nil && errY == nil && math.Abs(x) <= 1 && math.Abs(y) <= 1 {
		change.Focus = &linnet.Focus{X: x, Y: y}
	}
	return change
}
