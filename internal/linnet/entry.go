package linnet

import (
	"cmp"
	"slices"
)

// Entry is a candidate for a page of statuses.
type Entry struct {
	ID, Author ID // author is 0 if unknown
}

// RepostWindow is the number of next older entries among which a boost is hidden if its original,
// or another boost of it, is shown there.
const RepostWindow = 40

// Repeats shows each status of a feed once.
type Repeats struct {
	Window []Entry              // the entries of a page and those after them, newest first
	Also   map[ID][]*SharedUser // boosters of a status whose boosts were left out, except the viewer
}

// OlderEntries returns the next older entries of a window after an id, newest first. They determine
// whether a boost is shown.
func OlderEntries(window []Entry, id ID) []Entry {
	at, _ := slices.BinarySearchFunc(window, id, func(c Entry, id ID) int { return cmp.Compare(id, c.ID) })
	at = min(at+1, len(window))
	return window[at:min(at+RepostWindow, len(window))]
}
