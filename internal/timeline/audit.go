package timeline

import (
	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// PublicTimelines returns the public timelines of a status. Public statuses that aren't boosts are
// in the timelines of their folded tags, and in the global one unless they reply to another user.
// Imported statuses and items of external feeds are in none.
func PublicTimelines(st *linnet.Status) (global bool, tags []string) {
	if st.Visibility != linnet.Public || st.RepostOf != 0 || st.Imported || st.FromFeed {
		return false, nil
	}
	return st.InReplyTo == 0 || st.InReplyAuthor == st.Author, core.FoldTags(st.Tags)
}

// FeedOf returns the feed that is stored under a key.
func (s *Service) FeedOf(key kv.Key) (f Feed, kind record.RelationKind, owner linnet.ID) {
	owner, _ = linnet.ParseID(key.ID)
	switch key {
	case record.HomeKey(owner):
		return s.Home(owner), record.Follows(), owner
	case record.TopKey(owner):
		return s.TopFeed(owner), record.Follows(), owner
	}
	return s.ListFeed(owner), record.Listings(), owner
}
