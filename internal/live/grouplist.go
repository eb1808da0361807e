package live

import (
	"context"

	"linnet/internal/linnet"
)

// groupStream reports whether the stream of a group's list includes a status: boosts by the group
// and posts in a chat.
func groupStream(group linnet.ID, sets readerSets, about subject) bool {
	posted := about.author == group && (about.repostOf != 0 || about.deleted)
	said := about.group == group && about.visibility == linnet.Direct
	edited := about.edited && about.postedIn == group // included because of the group's boost
	return (posted || said || edited) && sets.follows.has(group)
}

// outsideStream reports whether a status is for members of a group that the listener is not in. The
// sets of an open stream may not reflect a removal yet. This check is as strict as a timeline and
// is usually answered from memory.
func (s *Service) outsideStream(ctx context.Context, reader linnet.ID, about subject) (bool, error) {
	if about.within == 0 || reader == about.within {
		return false, nil
	}
	if reader == 0 {
		return true, nil
	}
	b := s.st.Batch()
	r := b.Reader(reader)
	r.AskMemberships()
	if err := b.Run(ctx); err != nil {
		return false, err
	}
	since, in := r.InSince(about.within)
	return !in || about.visibility == linnet.Direct && since > about.id.Millis(), nil
}
