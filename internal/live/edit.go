package live

import (
	"slices"

	"linnet/internal/linnet"
)

// editedFor reports whether a reader got an edited status for another reason than following its
// author. It is a direct status, or a group that the reader has joined boosts it.
func (a subject) editedFor(reader linnet.ID, sets readerSets) bool {
	if !a.edited {
		return false
	}
	direct := a.visibility == linnet.Direct && a.group == 0 && (a.author == reader || slices.Contains(a.mentions, reader))
	return direct || a.postedIn != 0 && sets.follows.has(a.postedIn)
}
