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

// editedInChat reports whether an edited status of a chat is relevant, for any reader.
// outsideStream checks afterwards whether the reader is a member. A listener of direct messages
// only has no set of groups.
func (a subject) editedInChat(reader linnet.ID) bool { return a.edited && a.group != 0 && reader != 0 }
