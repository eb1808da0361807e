package timeline

import (
	"context"

	"linnet/internal/store/db"
)

// Statuses with a tag are not pushed to followers of the tag. Readers merge the timeline of the tag
// into their home timeline, as with authors who have very many followers. So the cost of a post
// doesn't depend on its tags, and following a tag takes effect immediately. The cost of a page
// depends on the number of followed tags. See docs/decisions/0019-followed-tags.md.

// tagsBelow merges the timelines of followed tags into the result of reading a home feed downwards,
// as far as it reached.
func (b *FeedReader) tagsBelow(ctx context.Context, l *PageRead, sp db.Span) error {
	if len(b.tags) == 0 {
		return nil
	}
	least := sp.Limit
	if sp.Limit = max(sp.Limit, len(l.Entries)); !l.End && l.Reached > 0 {
		sp.Above = l.Reached - 1
	}
	m, err := b.s.st.MergeTagged(ctx, b.tags, sp, least)
	if err == nil {
		l.joinBelow(m, sp)
	}
	return err
}

// tagsAbove is tagsBelow for rising reads.
func (b *FeedReader) tagsAbove(ctx context.Context, l *PageRead, sp db.Span) error {
	if len(b.tags) == 0 {
		return nil
	}
	if !l.End {
		sp.Below = l.Reached + 1
	}
	m, err := b.s.st.MergeTagged(ctx, b.tags, sp, sp.Limit)
	if err == nil {
		l.joinAbove(m, sp)
	}
	return err
}
