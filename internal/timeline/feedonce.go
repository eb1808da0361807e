package timeline

import (
	"slices"

	"linnet/internal/linnet"
)

// repostWindow: a repost is not shown if its original, or an earlier repost of it, is
// shown and stands among this many next older entries of the same feed.
const repostWindow = 40

// Behind are the entries of a window, the newest first, by which a repost is judged.
func Behind(window []Entry, id linnet.ID) []Entry {
	at, _ := slices.BinarySearchFunc(window, id, func(c Entry, id linnet.ID) int { return -CmpID(c.Id, id) })
	at = min(at+1, len(window))
	return window[at:min(at+repostWindow, len(window))]
}
