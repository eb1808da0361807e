package timeline

import (
	"context"

	"linnet/internal/store/db"
)

// Statuses with a tag are pushed to nobody who follows the tag: whoever does merges the
// timeline of the tag while reading home, as with authors who have very many followers. So
// a post costs the same whatever tags it has, a page as much as its reader follows tags,
// and who begins or ceases to follow one sees that at once. See
// docs/decisions/0019-followed-tags.md.

// tagsBelow merges what stands under the tags that the reader of a home follows into what a
// falling read has found, as far down as it reached.
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
