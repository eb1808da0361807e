package live

import (
	"context"

	"linnet/internal/linnet"
)

// groupStream says whether the stream of a group's list carries a status: what
// the group reposts, and what is posted in a chat.
func groupStream(group linnet.ID, sets readerSets, about subject) bool {
	posted := about.author == group && (about.repostOf != 0 || about.deleted)
	said := about.group == group && about.visibility == linnet.Direct
	edited := about.edited && about.postedIn == group // as it stands there by the group's repost
	return (posted || said || edited) && sets.follows.has(group)
}

// outsideStream says whether a status is for the members of a group of which the
// listener is none. The sets of an open stream may not have heard yet that
// somebody was removed; what is asked here is as sure as a timeline, and lies in
// this server's memory as a rule.
func (s *Service) outsideStream(ctx context.Context, reader linnet.ID, about subject) (bool, error) {
	if about.within == 0 || reader == about.within {
		return false, nil
	}
	if reader == 0 {
		return true, nil
	}
	b := s.st.Batch()
	r := b.Reader(reader)
	r.AskJoined()
	if err := b.Run(ctx); err != nil {
		return false, err
	}
	since, in := r.InSince(about.within)
	return !in || about.visibility == linnet.Direct && since > about.id.Millis(), nil
}
