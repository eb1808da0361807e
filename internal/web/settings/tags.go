package settings

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// followedTags shows the hashtags that the reader follows.
func (h *Pages) followedTags(c *page.Context) error {
	return h.showFollowedTags(c, followTagForm(c))
}

func followTagForm(c *page.Context) *form.Form {
	return form.New(c, paths.FollowedTags, c.Tr("Follow hashtag"), form.Field{Kind: form.LineField, Name: "name", Label: c.Tr("Hashtag"), Required: true,
		Hint: c.Trn(linnet.MaxFollowedTags, "With or without #. At most %s hashtag.", "With or without #. At most %s hashtags.")})
}

func (h *Pages) showFollowedTags(c *page.Context, f *form.Form) error {
	list, err := h.Social.FollowedTags(c.Request.Context(), c.Me.ID, linnet.Page{Limit: linnet.MaxFollowedTags})
	if err != nil {
		return fmt.Errorf("read followed tags: %w", err)
	}
	t := &form.Table{Caption: c.Tr("Followed hashtags"), Head: []string{c.Tr("Hashtag"), c.Tr("Since"), ""}, Empty: c.Tr("You don't follow any hashtags.")}
	for _, tag := range list.Items {
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell("#"+tag.Tag, paths.Tag(tag.Tag)), form.TimeCell(tag.Since),
			{Forms: []*form.Form{form.Button(c, paths.FollowedTags, c.Tr("Unfollow"), c.Tr("Unfollow %s", "#"+tag.Tag), "remove", tag.Tag)}}})
	}
	return form.ShowSettings(c, f.StatusCode(), c.Tr("Followed hashtags"), paths.FollowedTags, form.Page{
		Lead: c.Tr("Public posts with these hashtags appear in your home timeline."), Parts: []form.Section{{Table: t}, {Title: c.Tr("Follow another hashtag"), Form: f}}})
}

func (h *Pages) changeFollowedTags(c *page.Context) error {
	ctx := c.Request.Context()
	if tag := c.Typed("remove"); tag != "" {
		if err := h.Social.UnfollowTag(ctx, c.Me.ID, tag); err != nil {
			return page.OrNotFound(err, "unfollow a tag")
		}
		return form.Saved(c, paths.FollowedTags)
	}
	err := h.Social.FollowTag(ctx, c.Me.ID, c.Typed("name"))
	if page.IsKind(err, linnet.NotFound) {
		err = linnet.FieldError("name", "ERR_INVALID", "must contain only letters, digits and underscores, and can't be all digits")
	}
	if err != nil {
		if f := followTagForm(c); f.Refused(err, nil) {
			return h.showFollowedTags(c, f)
		}
		return fmt.Errorf("follow a tag: %w", err)
	}
	return form.Saved(c, paths.FollowedTags)
}

// featuredTags shows the hashtags on the reader's profile, a form to add more, and suggestions.
func (h *Pages) featuredTags(c *page.Context) error { return h.showFeatured(c, featureForm(c)) }

func featureForm(c *page.Context) *form.Form {
	return form.New(c, paths.FeaturedTags, c.Tr("Feature hashtag"), form.Field{Kind: form.LineField, Name: "name", Label: c.Tr("Hashtag"), Required: true,
		Hint: c.Trn(linnet.MaxFeaturedTags, "With or without #. At most %s hashtag.", "With or without #. At most %s hashtags.")})
}

func (h *Pages) showFeatured(c *page.Context, f *form.Form) error {
	ctx := c.Request.Context()
	tags, err := h.Discovery.FeaturedTags(ctx, c.Me.ID, c.Me.ID)
	if err != nil {
		return fmt.Errorf("read featured tags: %w", err)
	}
	used, err := h.Discovery.SuggestedTags(ctx, c.Me.ID)
	if err != nil {
		return fmt.Errorf("read tags used lately: %w", err)
	}
	t := &form.Table{Caption: c.Tr("Featured hashtags"), Head: []string{c.Tr("Hashtag"), c.Tr("Public posts"), c.Tr("Last used"), ""}, Empty: c.Tr("No featured hashtags.")}
	for _, tag := range tags {
		last := form.TextCell(c.Tr("never"))
		if !tag.LastAt.IsZero() {
			last = form.TimeCell(tag.LastAt)
		}
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell("#"+tag.Name, paths.Tagged(c.Me.Login, tag.Folded)), form.CountCell(tag.Statuses), last,
			{Forms: []*form.Form{form.Button(c, paths.FeaturedTags, c.Tr("Remove"), c.Tr("Remove %s", "#"+tag.Name), "remove", tag.ID.String())}}})
	}
	parts := []form.Section{{Table: t}, {Title: c.Tr("Feature another hashtag"), Form: f}}
	if len(used) > 0 {
		s := &form.Table{Caption: c.Tr("Hashtags you've used"), Head: []string{c.Tr("Hashtag"), ""}}
		for _, tag := range used {
			s.Rows = append(s.Rows, []form.Cell{form.TextCell("#" + tag.Name), {Forms: []*form.Form{form.Button(c, paths.FeaturedTags, c.Tr("Feature"), c.Tr("Feature %s", "#"+tag.Name), "name", tag.Name)}}})
		}
		parts = append(parts, form.Section{Title: c.Tr("Recently used"), Table: s})
	}
	return form.ShowSettings(c, f.StatusCode(), c.Tr("Featured hashtags"), paths.FeaturedTags, form.Page{
		Lead: c.Tr("Hashtags featured on your profile, each with a page of your posts that use it."), Parts: parts})
}

// changeFeatured adds a hashtag to the profile, or removes one.
func (h *Pages) changeFeatured(c *page.Context) error {
	ctx := c.Request.Context()
	if typed := c.Typed("remove"); typed != "" {
		id, ok := linnet.ParseID(typed)
		if !ok {
			return page.NotFound()
		}
		if err := h.Discovery.UnfeatureTag(ctx, c.Me.ID, id); err != nil && !page.IsKind(err, linnet.NotFound) {
			return fmt.Errorf("remove a featured tag: %w", err)
		}
		return form.Saved(c, paths.FeaturedTags)
	}
	if _, err := h.Discovery.FeatureTag(ctx, c.Me.ID, c.Typed("name")); err != nil {
		if f := featureForm(c); f.Refused(err, nil) {
			return h.showFeatured(c, f)
		}
		return fmt.Errorf("feature a tag: %w", err)
	}
	return form.Saved(c, paths.FeaturedTags)
}
