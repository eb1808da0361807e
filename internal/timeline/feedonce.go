package timeline

import (
	"cmp"
	"slices"

	"linnet/internal/linnet"
)

// repostWindow: a repost is not shown if its original, or an earlier repost of it, is
// shown and stands among this many next older entries of the same feed.
const repostWindow = 40

// OlderEntries are the entries of a window, the newest first, that decide whether a repost is shown.
func OlderEntries(window []Entry, id linnet.ID) []Entry {
	at, _ := slices.BinarySearchFunc(window, id, func(c Entry, id linnet.ID) int { return cmp.Compare(id, c.ID) })
	at = min(at+1, len(window))
	return window[at:min(at+repostWindow, len(window))]
}
