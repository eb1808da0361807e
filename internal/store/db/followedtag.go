package db

import (
	"context"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// Which tags a user follows stands among the relationship flags, a member for each tag: a
// page of home asks for nothing more, and one of a user who follows none costs nothing.
// Their scores are below all others, so that they are known whenever the flags have been
// read, however many these are.

// FollowedTagsQuery asks for all members of a user's about tags, the latest followed first.
func FollowedTagsQuery(user linnet.ID) *kv.Range {
	return &kv.Range{Key: record.RelationshipsKey(user), Below: &kv.Member{Score: record.LanguagesScore}, Limit: 2 * linnet.MaxFollowedTags}
}

// Tags are the folded tags that the user follows. They must not be modified.
func (s *Relationships) Tags() []string {
	if s == nil {
		return nil
	}
	return s.tags
}

// FollowedTags are the folded tags that the reader follows, after AskRelationships and
// Run. They must not be modified.
func (r *Reader) FollowedTags() []string {
	if r == nil {
		return nil
	}
	return r.known().Tags()
}

// MergeTagged is MergePosts for the statuses under some folded tags. One that has several
// of them is there as often.
func (s *DB) MergeTagged(ctx context.Context, tags []string, sp Span, least int) (Merged, error) {
	numbers := make([]linnet.ID, len(tags))
	for i := range tags {
		numbers[i] = linnet.ID(i)
	}
	under := func(i linnet.ID) kv.Key { return record.TagKey(tags[i]) }
	return s.merge(ctx, under, numbers, sp, least, func(_ linnet.ID, m string) record.Post { return record.ParseTagged(m) }, func(record.Post) bool { return true })
}
