package db

import (
	"context"

	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/record"
)

// The tags that a user follows are among the relationship flags, with a member for each tag. So
// pages of the home timeline need no further query. Their scores are below all others, so that they
// are known whenever the flags were read, however many there are.

// FollowedTagsQuery reads all of a user's members for tags, the last followed first.
func FollowedTagsQuery(user linnet.ID) *kv.Range {
	return &kv.Range{Key: record.RelationshipsKey(user), Below: &kv.Member{Score: record.LanguagesScore}, Limit: 2 * linnet.MaxFollowedTags}
}

// Tags returns the folded tags that the user follows. They must not be modified.
func (s *Relationships) Tags() []string {
	if s == nil {
		return nil
	}
	return s.tags
}

// FollowedTags returns the folded tags that the reader follows, after AskRelationships and Run.
// They must not be modified.
func (r *Reader) FollowedTags() []string {
	if r == nil {
		return nil
	}
	return r.known().Tags()
}

// MergeTagged is MergePosts for the statuses with some folded tags. A status with several of them
// is returned several times.
func (s *DB) MergeTagged(ctx context.Context, tags []string, sp Span, least int) (Merged, error) {
	numbers := make([]linnet.ID, len(tags))
	for i := range tags {
		numbers[i] = linnet.ID(i)
	}
	under := func(i linnet.ID) kv.Key { return record.TagKey(tags[i]) }
	return s.merge(ctx, under, numbers, sp, least, func(_ linnet.ID, m string) record.Post { return record.ParseTagged(m) }, func(record.Post) bool { return true })
}
