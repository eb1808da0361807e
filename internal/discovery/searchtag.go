package discovery

import (
	"cmp"
	"context"
	"math"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/store/statuses"
	"linnet/internal/text"
)

// TagView is a tag with its use by day, today first.
type TagView struct {
	Name string
	URL  string
	Days []TagDay
}

// TagDay is the use of a tag or link on one day (UTC). For a trend, the numbers were counted by the
// servers. Users above 64 have a standard error of 13 %. For other tags, both numbers are counted
// among its newest 1,000 statuses, or 200 in lists of tags.
type TagDay struct {
	Day         time.Time
	Uses, Users int64
}

const (
	tagDays     = 7
	tagUsesOne  = kv.MaxRange // maximum counted statuses of one tag
	tagUsesMany = 200         // maximum in lists of tags
	tagRankUses = 50          // uses for ranking tags
	tagHalfLife = 7 * 24 * time.Hour
)

// SearchTags finds tags by their beginning, ignoring case, accents and width. The exact tag is
// first, then tags by recent authors: each author among the newest 50 public statuses of a tag
// counts once, and half as much for each week since. About 150 tags are ranked: those used last,
// and the first ones alphabetically. It omits tags that moderators don't list.
func (s *Service) SearchTags(ctx context.Context, q SearchQuery) ([]TagView, error) {
	q.limits()
	begun := strings.TrimPrefix(strings.TrimSpace(q.Text), "#")
	if !text.ValidTag(begun) && !text.ValidTag(begun+"a") { // digits alone can be the beginning of a tag, but not a tag
		return nil, nil
	}
	prefix := text.FoldTag(begun)
	tags, err := s.st.Statuses.Tags.ByPrefix(ctx, prefix)
	if err != nil || len(tags) == 0 {
		return nil, core.StoreError(err)
	}
	rules, err := s.core.TagRules.Now(ctx)
	if err != nil {
		return nil, err
	}
	tags = slices.DeleteFunc(tags, func(t string) bool { return rules.Of(t).Unlisted })
	uses, err := s.st.Statuses.Tags.Uses(ctx, tags, tagRankUses)
	if err != nil {
		return nil, core.StoreError(err)
	}
	return s.tagViews(ctx, window(rankTags(tags, uses, prefix, s.st.Now()), q), tagUsesMany)
}

// rankTags sorts tags with uses. Uses of the same day have the same weight. Shorter tags come first
// on a tie.
func rankTags(tags []string, uses [][]statuses.TagUse, exact string, now time.Time) []string {
	score := map[string]float64{}
	for i, t := range tags {
		if len(uses[i]) == 0 {
			continue
		}
		seen := map[string]bool{}
		for _, u := range uses[i] {
			if !seen[u.Author] {
				seen[u.Author] = true
				score[t] += math.Exp2(-float64(now.Sub(u.At).Truncate(24*time.Hour)) / float64(tagHalfLife))
			}
		}
		if t == exact {
			score[t] = math.Inf(1)
		}
	}
	used := slices.DeleteFunc(tags, func(t string) bool { _, ok := score[t]; return !ok })
	slices.SortFunc(used, func(a, b string) int {
		return cmp.Or(cmp.Compare(score[b], score[a]), cmp.Compare(utf8.RuneCountInString(a), utf8.RuneCountInString(b)), cmp.Compare(a, b))
	})
	return used
}

// TagInfo returns the use of a tag.
// https://docs.joinmastodon.org/methods/tags/#get
func (s *Service) TagInfo(ctx context.Context, name string) (TagView, error) {
	if !text.ValidTag(name) {
		return TagView{}, linnet.Errorf(linnet.NotFound, "Record not found")
	}
	vs, err := s.tagViews(ctx, []string{name}, tagUsesOne)
	if err != nil {
		return TagView{}, err
	}
	return vs[0], nil
}

// TagsInfo returns the use of several tags, counted over the newest 200 statuses of each.
func (s *Service) TagsInfo(ctx context.Context, names []string) ([]TagView, error) {
	return s.tagViews(ctx, names, tagUsesMany)
}

// tagViews returns the use of tags, counted over the newest most statuses of each.
func (s *Service) tagViews(ctx context.Context, names []string, most int) ([]TagView, error) {
	if len(names) == 0 {
		return nil, nil
	}
	folded := make([]string, len(names))
	for i, n := range names {
		folded[i] = text.FoldTag(n)
	}
	uses, users, err := s.st.Statuses.Tags.Days(ctx, folded, tagDays, most)
	if err != nil {
		return nil, core.StoreError(err)
	}
	today := s.st.Now().UTC().Truncate(24 * time.Hour)
	views := make([]TagView, len(names))
	for i := range views {
		v := TagView{Name: names[i], URL: s.opt.PublicURL + "/tags/" + url.PathEscape(folded[i])}
		for day := range uses[i] {
			v.Days = append(v.Days, TagDay{Day: today.AddDate(0, 0, -day), Uses: uses[i][day], Users: users[i][day]})
		}
		s.trends.newestUse(ctx, &v, folded[i])
		views[i] = v
	}
	return views, nil
}
