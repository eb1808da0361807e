package reading

import (
	"context"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/timeline"
	"linnet/internal/view"
)

// Home returns the home timeline of me: statuses of followees and of me.
// https://docs.joinmastodon.org/methods/timelines/#home
func (s *Service) Home(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	return s.FeedPage(ctx, me, s.timeline.Home(me), p, homeRule)
}

// HomePosts returns the home timeline of me without direct messages. Web pages show these in
// conversations only, while apps expect them in Home.
func (s *Service) HomePosts(ctx context.Context, me linnet.ID, p linnet.Page) (linnet.Slice[linnet.StatusView], error) {
	f := s.timeline.Home(me)
	return s.Page(ctx, me, p, Source{Name: func() string { return "posts of feed " + f.Key.String() }, Read: timeline.NewFeedReader(f).Read,
		Rule: func(l *view.Loader, seen *timeline.PageRead, v *linnet.StatusView) bool {
			return v.Visibility != linnet.Direct && homeRule(l, seen, v)
		},
		Skip: view.Skip{Unwanted: true, Direct: true}})
}

func homeRule(l *view.Loader, seen *timeline.PageRead, v *linnet.StatusView) bool {
	return l.OnceIn(&seen.Repeats, v, HomeRule)
}

// HomeRule reports whether a status belongs on the home timeline: statuses of the reader and of
// followees, and public ones with a followed tag. Replies of followees are shown if they are to
// followees, themselves or the reader. It excludes statuses in languages that the follow doesn't
// have, and boosts if they are turned off. It also excludes statuses by members of exclusive lists
// and by blocked or muted users. Streams have their own copy, live.atHome.
func HomeRule(l *view.Loader, v *linnet.StatusView) bool { return whyNotHome(l, v) == view.Seen }

// Reasons why a visible status isn't on the home timeline.
const (
	whyExclusive   view.Why = "the author is in one of the viewer's exclusive lists, so only that list shows it"
	whyStranger    view.Why = "the viewer follows neither the author nor a tag of the post"
	whyNoReposts   view.Why = "the viewer hides boosts by this booster"
	whyOtherTongue view.Why = "the viewer follows the author in other languages only"
	whyFiltered    view.Why = "a filter of the viewer hides it"
	whyReply       view.Why = "it replies to a user the viewer does not follow"
)

// whyNotHome is HomeRule with the reason.
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

// Why returns the reasons why a viewer can't see a status and why it isn't on their home timeline,
// for operators. It doesn't depend on the content of feeds.
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

// byTag reports whether a status belongs on the home timeline because of a followed tag.
func byTag(l *view.Loader, v *linnet.StatusView) bool {
	tags := l.Reader.FollowedTags()
	return len(tags) > 0 && v.Visibility == linnet.Public && v.RepostOf == 0 && !v.By.Silenced && core.HasTag(v, tags)
}

// Speaks reports whether a status in a language matches the languages of a follow (none for all). A
// status without a language matches.
func Speaks(wanted []string, language string) bool {
	return len(wanted) == 0 || language == "" || slices.Contains(wanted, language) || slices.Contains(wanted, core.BaseLanguage(language))
}

// FeedPage returns a page of a feed. keep decides which entries belong in it.
func (s *Service) FeedPage(ctx context.Context, viewer linnet.ID, f timeline.Feed, p linnet.Page,
	keep Rule) (linnet.Slice[linnet.StatusView], error) {
	return s.Page(ctx, viewer, p, Source{Name: func() string { return "feed " + f.Key.String() }, Read: timeline.NewFeedReader(f).Read, Rule: keep, Skip: view.Skip{Unwanted: true}})
}
