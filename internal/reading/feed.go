package reading

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Home shows the statuses of the people whom me follows, and me's own.
// https://docs.joinmastodon.org/methods/timelines/#home
func (s *Service) Home(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	return s.FeedPage(ctx, me, s.timeline.Home(me), p, homeKeep)
}

func homeKeep(l *view.Loader, seen *timeline.PageRead, v *linnet.StatusView) bool {
	return l.OnceIn(seen, v, HomeRule)
}

// HomeRule says what stands at home: what I wrote, what everybody may read with a tag that
// I follow, and what people whom I follow wrote, but their replies only to people whom I follow as well, to themselves
// or to me, in the languages in which I want them if I have named any, and their
// reposts only if I want them; and nothing by members of my exclusive lists or that I
// have blocked or muted.
func HomeRule(l *view.Loader, v *linnet.StatusView) bool {
	if v.Author == l.Viewer {
		return true
	}
	author := l.Relation(v.Author)
	if l.Unwanted(v) || l.Exclusive(v.Author) {
		return false
	}
	if !author.Follows() {
		return byTag(l, v)
	}
	if v.RepostOf != 0 {
		return !author.HidesReposts()
	}
	if author.Narrowed() && !Speaks(l.Reader.Languages(v.Author), v.Language) {
		return false
	}
	return byTag(l, v) || v.InReplyTo == 0 || v.InReplyAuthor == v.Author || v.InReplyAuthor == l.Viewer || l.Followed(v.InReplyAuthor)
}

// byTag says whether a status stands at home for a tag, whoever wrote it: where the tag
// shows it.
func byTag(l *view.Loader, v *linnet.StatusView) bool {
	tags := l.Reader.FollowedTags()
	return len(tags) > 0 && v.Visibility == linnet.Public && v.RepostOf == 0 && !v.By.Silenced && core.HasTag(v, tags)
}

// Speaks says whether a status in some language is wanted of somebody who is wanted in
// some languages (none: all). One that names no language is.
func Speaks(wanted []string, language string) bool {
	return len(wanted) == 0 || language == "" || slices.Contains(wanted, core.BaseLanguage(language))
}

// FeedPage shows a page of a feed; keep says which entries stand in it.
func (s *Service) FeedPage(ctx context.Context, viewer linnet.ID, f timeline.Feed, p linnet.Page,
	keep func(*view.Loader, *timeline.PageRead, *linnet.StatusView) bool) (linnet.Slice[linnet.StatusView], error) {
	return s.Page(ctx, viewer, p, timeline.NewFeedReader(f).Read, keep)
}
