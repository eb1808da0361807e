package web

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// featuredTags are the tags on the reader's own profile, with a form for more and
// some that they have used lately.
func (h *settingsPages) featuredTags(c *call) error { return h.showFeatured(c, featureForm(c)) }

func featureForm(c *call) *form {
	return startForm(c, paths.FeaturedTags, c.tr("Feature hashtag"), field{Kind: lineField, Name: "name", Label: c.tr("Hashtag"), Required: true,
		Hint: c.trn(linnet.MaxFeaturedTags, "With or without #. At most %s hashtag.", "With or without #. At most %s hashtags.")})
}

func (h *settingsPages) showFeatured(c *call, f *form) error {
	ctx := c.r.Context()
	tags, err := h.discovery.FeaturedTags(ctx, c.me.ID, c.me.ID)
	if err != nil {
		return fmt.Errorf("read featured tags: %w", err)
	}
	used, err := h.discovery.SuggestedTags(ctx, c.me.ID)
	if err != nil {
		return fmt.Errorf("read tags used lately: %w", err)
	}
	t := &table{Caption: c.tr("Featured hashtags"), Head: []string{c.tr("Hashtag"), c.tr("Public posts"), c.tr("Last used"), ""}, Empty: c.tr("No featured hashtags.")}
	for _, tag := range tags {
		last := textCell(c.tr("never"))
		if !tag.LastAt.IsZero() {
			last = timeCell(tag.LastAt)
		}
		t.Rows = append(t.Rows, []cell{linkCell("#"+tag.Name, paths.Tagged(c.me.Login, tag.Folded)), countCell(tag.Statuses), last,
			{Forms: []*form{button(c, paths.FeaturedTags, c.tr("Remove"), c.tr("Remove %s", "#"+tag.Name), "remove", tag.ID.String())}}})
	}
	parts := []formSection{{Table: t}, {Title: c.tr("Feature another hashtag"), Form: f}}
	if len(used) > 0 {
		s := &table{Caption: c.tr("Hashtags you've used"), Head: []string{c.tr("Hashtag"), ""}}
		for _, tag := range used {
			s.Rows = append(s.Rows, []cell{textCell("#" + tag.Name), {Forms: []*form{button(c, paths.FeaturedTags, c.tr("Feature"), c.tr("Feature %s", "#"+tag.Name), "name", tag.Name)}}})
		}
		parts = append(parts, formSection{Title: c.tr("Recently used"), Table: s})
	}
	return showSettings(c, f.code(), c.tr("Featured hashtags"), paths.FeaturedTags, formPage{
		Lead: c.tr("Hashtags featured on your profile, each with a page of your posts that use it."), Parts: parts})
}

// changeFeatured takes a tag off the profile, or puts one there.
func (h *settingsPages) changeFeatured(c *call) error {
	ctx := c.r.Context()
	if typed := c.typed("remove"); typed != "" {
		id, ok := linnet.ParseID(typed)
		if !ok {
			return errNowhere()
		}
		if err := h.discovery.UnfeatureTag(ctx, c.me.ID, id); err != nil && !isKind(err, linnet.NotFound) {
			return fmt.Errorf("remove a featured tag: %w", err)
		}
		return saved(c, paths.FeaturedTags)
	}
	if _, err := h.discovery.FeatureTag(ctx, c.me.ID, c.typed("name")); err != nil {
		if f := featureForm(c); f.refused(err, nil) {
			return h.showFeatured(c, f)
		}
		return fmt.Errorf("feature a tag: %w", err)
	}
	return saved(c, paths.FeaturedTags)
}
