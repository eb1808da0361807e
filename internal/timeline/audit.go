package timeline

import (
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// PublicPlaces says in which public timelines a status stands: public ones that
// are no reposts in those of their (folded) tags, and unless they answer
// somebody else in the global one. What was imported stands in none.
func PublicPlaces(st *linnet.Status) (global bool, tags []string) {
	if st.Visibility != linnet.Public || st.RepostOf != 0 || st.Imported {
		return false, nil
	}
	return st.InReplyTo == 0 || st.InReplyAuthor == st.Author, core.FoldTags(st.Tags)
}

// FeedOf finds out whose feed lies under a key.
func (s *Service) FeedOf(key kv.Key) (f Feed, kind record.EdgeKind, owner linnet.ID) {
	owner, _ = linnet.ParseID(key.ID)
	switch key {
	case record.HomeKey(owner):
		return s.Home(owner), record.Follows(), owner
	case record.TopKey(owner):
		return s.TopFeed(owner), record.Follows(), owner
	}
	return s.ListFeed(owner), record.Listings(), owner
}
