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
func HomeRule(l *view.Loader, v *linnet.StatusView) bool { return whyNotHome(l, v) == view.Seen }

// Why a status that somebody sees does not stand at their home.
const (
	whyExclusive   view.Why = "the author is in one of the viewer's exclusive lists, so only that list shows it"
	whyStranger    view.Why = "the viewer follows neither the author nor a tag of the post"
	whyNoReposts   view.Why = "the viewer hides boosts by this booster"
	whyOtherTongue view.Why = "the viewer follows the author in other languages only"
	whyFiltered    view.Why = "a filter of the viewer hides it"
	whyReply       view.Why = "it replies to a user the viewer does not follow"
)

// whyNotHome is HomeRule with its reason.
func whyNotHome(l *view.Loader, v *linnet.StatusView) view.Why {
	if v.Author == l.Viewer {
		return view.Seen
	}
	author := l.Relation(v.Author)
	switch {
	case l.Unwanted(v):
		return view.WhyBlocksOrMutes
	case l.Exclusive(v.Author):
		return whyExclusive
	case !author.Follows():
		if byTag(l, v) {
			return view.Seen
		}
		return whyStranger
	case v.RepostOf != 0:
		if author.HidesReposts() {
			return whyNoReposts
		}
		return view.Seen
	case author.Narrowed() && !Speaks(l.Reader.Languages(v.Author), v.Language):
		return whyOtherTongue
	case byTag(l, v) || v.InReplyTo == 0 || v.InReplyAuthor == v.Author || v.InReplyAuthor == l.Viewer || l.Followed(v.InReplyAuthor):
		return view.Seen
	}
	return whyReply
}

// Why says why somebody does not see a status, and why it does not stand at their home,
// for who runs the installation. What feeds hold does not matter to it.
func (s *Service) Why(ctx context.Context, me, id linnet.ID) (seen, home view.Why, err error) {
	b := s.st.Batch()
	reader := b.Reader(me)
	reader.AskExclusive()
	if err := b.Run(ctx); err != nil {
		return "", "", core.StoreError(err)
	}
	l := s.view.Loader(me)
	defer l.Release()
	l.At, l.Lists = linnet.FilterHome, reader.Exclusive()
	l.Want(id, 0)
	if err := l.Run(ctx); err != nil {
		return "", "", err
	}
	v, ok := l.View(id)
	if !ok {
		why := l.Why(id)
		return why, why, nil
	}
	home = whyNotHome(l, &v)
	if home == view.Seen && v.Hidden() {
		home = whyFiltered
	}
	return view.Seen, home, nil
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
	return len(wanted) == 0 || language == "" || slices.Contains(wanted, language) || slices.Contains(wanted, core.BaseLanguage(language))
}

// FeedPage shows a page of a feed; keep says which entries stand in it.
func (s *Service) FeedPage(ctx context.Context, viewer linnet.ID, f timeline.Feed, p linnet.Page,
	keep KeepRule) (linnet.Slice[linnet.StatusView], error) {
	return s.Page(ctx, viewer, p, Source{Name: func() string { return "feed " + f.Key.String() }, Read: timeline.NewFeedReader(f).Read, Keep: keep, Skip: view.Skip{Unwanted: true}})
}
