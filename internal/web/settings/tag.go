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
		err = linnet.FieldError("name", "ERR_INVALID", "must contain only letters, digits and underscores, and not only digits")
	}
	if err != nil {
		if f := followTagForm(c); f.Refused(err, nil) {
			return h.showFollowedTags(c, f)
		}
		return fmt.Errorf("follow a tag: %w", err)
	}
	return form.Saved(c, paths.FollowedTags)
}
