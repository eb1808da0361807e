package timeline

import (
	"cmp"
	"slices"

	"linnet/internal/linnet"
)

// repostWindow is the number of next older entries among which a boost is hidden if its original,
// or another boost of it, is shown there.
const repostWindow = 40

// OlderEntries returns the next older entries of a window after an id, newest first. They determine
// whether a boost is shown.
func OlderEntries(window []Entry, id linnet.ID) []Entry {
	at, _ := slices.BinarySearchFunc(window, id, func(c Entry, id linnet.ID) int { return cmp.Compare(id, c.ID) })
	at = min(at+1, len(window))
	return window[at:min(at+repostWindow, len(window))]
}
