package live

import (
	"slices"

	"linnet/internal/linnet"
)

// editedFor says whether a reader had a status, which is edited, in another way than by
// following its author: it is a direct one, or a group that the reader is in has passed
// it on.
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
