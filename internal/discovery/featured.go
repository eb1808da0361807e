package discovery

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/statuses"
	"linnet/internal/text"
)

// FeatureTag features a tag on me's profile, up to MaxFeaturedTags. It does nothing if the tag is
// already featured. https://docs.joinmastodon.org/methods/featured_tags/#feature
func (s *Service) FeatureTag(ctx context.Context, me linnet.ID, name string) (linnet.FeaturedTag, error) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "#")
	if !text.ValidTag(name) {
		return linnet.FeaturedTag{}, linnet.FieldError("name", "ERR_INVALID", "must contain only letters, digits and underscores, and can't be all digits")
	}
	folded := text.FoldTag(name)
	err := s.st.Statuses.Featured.Add(ctx, me, name, folded)
	switch {
	case errors.Is(err, db.ErrDeleted):
		return linnet.FeaturedTag{}, core.ErrNoUser
	case errors.Is(err, statuses.ErrFullTags):
		return linnet.FeaturedTag{}, linnet.FieldError("name", "ERR_TOO_MANY", "can't be added: you can feature at most %d hashtags. Remove one first", linnet.MaxFeaturedTags)
	case err != nil:
		return linnet.FeaturedTag{}, core.StoreError(err)
	}
	tags, err := s.FeaturedTags(ctx, me, me)
	for _, t := range tags {
		if t.Folded == folded {
			return t, nil
		}
	}
	if err == nil {
		err = linnet.Errorf(linnet.Conflict, "The hashtag was just removed in another window or app.")
	}
	return linnet.FeaturedTag{}, err
}

// UnfeatureTag removes a featured tag from me's profile. It returns NotFound if me doesn't feature
// it.
// https://docs.joinmastodon.org/methods/featured_tags/#unfeature
func (s *Service) UnfeatureTag(ctx context.Context, me, id linnet.ID) error {
	found, err := s.st.Statuses.Featured.Remove(ctx, me, id)
	switch {
	case errors.Is(err, db.ErrDeleted):
		return core.ErrNoUser
	case err != nil:
		return core.StoreError(err)
	case !found:
		return linnet.Errorf(linnet.NotFound, "Record not found")
	}
	return nil
}

// UnfeatureTagNamed removes a featured tag by name. It does nothing if the tag isn't featured and
// returns NotFound if the name is not a valid tag.
// https://docs.joinmastodon.org/methods/tags/#unfeature
func (s *Service) UnfeatureTagNamed(ctx context.Context, me linnet.ID, name string) error {
	if !text.ValidTag(name) {
		return linnet.Errorf(linnet.NotFound, "Record not found")
	}
	have, err := s.st.Statuses.Featured.Names(ctx, me)
	if err != nil {
		return core.StoreError(err)
	}
	id, ok := have[text.FoldTag(name)]
	if !ok {
		return nil
	}
	if err = s.UnfeatureTag(ctx, me, id); linnet.KindOf(err) == linnet.NotFound {
		err = nil // a concurrent request was first
	}
	return err
}

// FeaturesTags returns the folded tags that me features. It returns none if me is 0.
func (s *Service) FeaturesTags(ctx context.Context, me linnet.ID) ([]string, error) {
	if me == 0 {
		return nil, nil
	}
	have, err := s.st.Statuses.Featured.Names(ctx, me)
	return slices.Collect(maps.Keys(have)), core.StoreError(err)
}

// FeaturedTags returns the tags on a user's profile. It returns none if the user is suspended or
// blocks the viewer.
// https://docs.joinmastodon.org/methods/accounts/#featured_tags
func (s *Service) FeaturedTags(ctx context.Context, viewer, of linnet.ID) ([]linnet.FeaturedTag, error) {
	u, err := s.view.User(ctx, viewer, of)
	if err != nil || u.Suspended {
		return nil, err
	}
	if m, err := s.view.Relationship(ctx, viewer, of); err != nil || m.BlockedBy() {
		return nil, err
	}
	tags, err := s.st.Statuses.Featured.List(ctx, of)
	for i := range tags {
		tags[i].URL = u.URL + "/tagged/" + url.PathEscape(tags[i].Folded)
	}
	return tags, core.StoreError(err)
}

// Limits of suggestions: the number of recent statuses that are searched for tags, of different
// tags that are compared, and of suggestions.
const (
	suggestScan = 200
	suggestMost = 100
	suggestTags = 10
)

// SuggestedTags returns the most used tags in recent statuses of me that me doesn't feature yet.
// https://docs.joinmastodon.org/methods/featured_tags/#suggestions
func (s *Service) SuggestedTags(ctx context.Context, me linnet.ID) ([]TagView, error) {
	have, err := s.st.Statuses.Featured.List(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	tags, unlisted, err := s.recentTags(ctx, me)
	if err != nil {
		return nil, err
	}
	tags = slices.DeleteFunc(tags, func(t string) bool {
		return slices.ContainsFunc(have, func(h linnet.FeaturedTag) bool { return h.Folded == t })
	})
	tags = tags[:min(len(tags), suggestMost)]
	counts, err := s.st.Statuses.Featured.Counts(ctx, me, tags)
	if err != nil {
		return nil, core.StoreError(err)
	}
	used := map[string]int64{}
	for i, t := range tags {
		used[t] = counts[i] + unlisted[t]
	}
	slices.SortStableFunc(tags, func(a, b string) int { return cmp.Compare(used[b], used[a]) })
	out := []TagView{}
	for _, t := range tags[:min(len(tags), suggestTags)] {
		v, err := s.TagInfo(ctx, t)
		if linnet.KindOf(err) == linnet.NotFound {
			continue // the rules for tags have changed since it was used
		}
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// recentTags returns the distinct folded tags of a user's recent public and unlisted statuses, last
// used first, and the number of unlisted statuses with each. The store counts the public ones.
func (s *Service) recentTags(ctx context.Context, user linnet.ID) (tags []string, unlisted map[string]int64, err error) {
	b := s.st.Batch()
	ref := b.Posts(user, db.Span{Limit: suggestScan})
	if err := b.Run(ctx); err != nil {
		return nil, nil, core.StoreError(err)
	}
	b = s.st.Batch()
	var refs []*db.StatusRef
	for _, p := range ref.Posts() {
		if !p.Repost && p.Visibility.Open() {
			refs = append(refs, b.Status(p.ID))
		}
	}
	if err := b.Run(ctx); err != nil {
		return nil, nil, core.StoreError(err)
	}
	seen := map[string]bool{}
	unlisted = map[string]int64{}
	for _, ref := range refs {
		if ref.Status == nil {
			continue
		}
		for _, t := range core.FoldTags(ref.Status.Tags) {
			if ref.Status.Visibility == linnet.Unlisted {
				unlisted[t]++
			}
			if !seen[t] {
				seen[t] = true
				tags = append(tags, t)
			}
		}
	}
	return tags, unlisted, nil
}
