package settings

import (
	"fmt"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// tagInput is the input for the name of a hashtag.
func tagInput(c *page.Context, hint string) form.Field {
	return form.Field{Kind: form.LineField, Name: "name", Label: c.Tr("Hashtag"), Required: true, Hint: hint}
}

// followedTags is the page of the hashtags that the reader follows.
func (h *Pages) followedTags(c *page.Context) (*form.Page, error) {
	list, err := h.Social.Tags.List(c.Request.Context(), c.Me.ID, linnet.Page{Limit: linnet.MaxFollowedTags})
	if err != nil {
		return nil, fmt.Errorf("read followed tags: %w", err)
	}
	t := &form.Table{Caption: c.Tr("Followed hashtags"), Head: []string{c.Tr("Hashtag"), c.Tr("Since"), ""}, Empty: c.Tr("You don't follow any hashtags.")}
	for _, tag := range list.Items {
		t.Rows = append(t.Rows, []form.Cell{form.LinkCell("#"+tag.Tag, paths.Tag(tag.Tag)), form.TimeCell(tag.Since),
			{Forms: []*form.Form{form.Button(c, paths.FollowedTags, c.Tr("Unfollow"), c.Tr("Unfollow %s", "#"+tag.Tag), "remove", tag.Tag)}}})
	}
	f := form.New(c, paths.FollowedTags, c.Tr("Follow hashtag"), tagInput(c, c.Trn(linnet.MaxFollowedTags, "You can leave out the #. At most %s hashtag.", "You can leave out the #. At most %s hashtags.")))
	return &form.Page{Title: c.Tr("Followed hashtags"), Path: paths.FollowedTags, Form: f,
		Lead: c.Tr("Public posts with these hashtags appear in your home timeline."), Parts: []form.Section{{Table: t}, {Title: c.Tr("Follow another hashtag"), Form: f}}}, nil
}

// changeFollowedTags follows or unfollows a hashtag.
func (h *Pages) changeFollowedTags(c *page.Context) (string, error) {
	ctx := c.Request.Context()
	if tag := c.Typed("remove"); tag != "" {
		if err := h.Social.Tags.Unfollow(ctx, c.Me.ID, tag); err != nil {
			return "", page.OrNotFound(err, "unfollow a tag")
		}
		return form.Saved(paths.FollowedTags), nil
	}
	err := h.Social.Tags.Follow(ctx, c.Me.ID, c.Typed("name"))
	if page.IsKind(err, linnet.NotFound) {
		err = linnet.FieldError("name", "ERR_INVALID", "must contain only letters, digits and underscores, and can't be all digits")
	}
	return form.Saved(paths.FollowedTags), err
}

// featuredTags is the page of the hashtags on the reader's profile, with suggestions.
func (h *Pages) featuredTags(c *page.Context) (*form.Page, error) {
	ctx := c.Request.Context()
	tags, err := h.Discovery.FeaturedTags(ctx, c.Me.ID, c.Me.ID)
	if err != nil {
		return nil, fmt.Errorf("read featured tags: %w", err)
	}
	used, err := h.Discovery.SuggestedTags(ctx, c.Me.ID)
	if err != nil {
		return nil, fmt.Errorf("read recently used tags: %w", err)
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
	f := form.New(c, paths.FeaturedTags, c.Tr("Feature hashtag"), tagInput(c, c.Trn(linnet.MaxFeaturedTags, "You can leave out the #. At most %s hashtag.", "You can leave out the #. At most %s hashtags.")))
	p := &form.Page{Title: c.Tr("Featured hashtags"), Path: paths.FeaturedTags, Form: f,
		Lead: c.Tr("Hashtags shown on your profile. Each hashtag links to your posts that use it."), Parts: []form.Section{{Table: t}, {Title: c.Tr("Feature another hashtag"), Form: f}}}
	if len(used) > 0 {
		s := &form.Table{Caption: c.Tr("Hashtags you've used"), Head: []string{c.Tr("Hashtag"), ""}}
		for _, tag := range used {
			s.Rows = append(s.Rows, []form.Cell{form.TextCell("#" + tag.Name), {Forms: []*form.Form{form.Button(c, paths.FeaturedTags, c.Tr("Feature"), c.Tr("Feature %s", "#"+tag.Name), "name", tag.Name)}}})
		}
		p.Parts = append(p.Parts, form.Section{Title: c.Tr("Recently used"), Table: s})
	}
	return p, nil
}

// changeFeatured adds a hashtag to the profile, or removes one.
func (h *Pages) changeFeatured(c *page.Context) (string, error) {
	ctx := c.Request.Context()
	if typed := c.Typed("remove"); typed != "" {
		id, ok := linnet.ParseID(typed)
		if !ok {
			return "", page.NotFound()
		}
		if err := h.Discovery.UnfeatureTag(ctx, c.Me.ID, id); err != nil && !page.IsKind(err, linnet.NotFound) {
			return "", fmt.Errorf("remove a featured tag: %w", err)
		}
		return form.Saved(paths.FeaturedTags), nil
	}
	_, err := h.Discovery.FeatureTag(ctx, c.Me.ID, c.Typed("name"))
	return form.Saved(paths.FeaturedTags), err
}
