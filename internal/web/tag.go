package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

func (h *timelinePages) tagRoutes() []page.Route {
	return []page.Route{
		{Pattern: "/tags/{tag}", Get: h.tag},
		{Pattern: "/tags/{tag}/follow", Post: page.LoggedIn(h.followTag)},
	}
}

// followTag follows the tag in the path, or no longer, and leads back to its page.
func (h *timelinePages) followTag(c *page.Context) error {
	tag := c.Request.PathValue("tag")
	act := h.social.FollowTag
	if c.Request.PostForm.Get("act") == "unfollow" {
		act = h.social.UnfollowTag
	}
	if err := act(c.Request.Context(), c.Me.ID, tag); err != nil {
		if e := page.Refusal(err); e != nil && e.Kind == linnet.Invalid {
			return &page.Error{Code: http.StatusUnprocessableEntity, Localized: c.ErrorText(e), Back: paths.FollowedTags, BackText: "Followed hashtags"}
		}
		return page.OrNotFound(err, "follow a tag")
	}
	return c.Redirect(paths.Tag(tag))
}

// followsTag is what the page of a tag says to a member; nil for strangers.
func (h *timelinePages) followsTag(c *page.Context, tag string) (*post.TagFollow, error) {
	if c.Me == nil || !text.ValidTag(tag) {
		return nil, nil
	}
	tags, err := h.social.FollowsTags(c.Request.Context(), c.Me.ID)
	if err != nil {
		return nil, fmt.Errorf("read followed tags: %w", err)
	}
	return &post.TagFollow{Name: tag, Following: slices.Contains(tags, text.FoldTag(tag))}, nil
}

// followedTags are the tags whose posts come to the reader's home.
func (h *settingsPages) followedTags(c *page.Context) error {
	return h.showFollowedTags(c, followTagForm(c))
}

func followTagForm(c *page.Context) *form.Form {
	return form.New(c, paths.FollowedTags, c.Tr("Follow hashtag"), form.Field{Kind: form.LineField, Name: "name", Label: c.Tr("Hashtag"), Required: true,
		Hint: c.Trn(linnet.MaxFollowedTags, "With or without #. At most %s hashtag.", "With or without #. At most %s hashtags.")})
}

func (h *settingsPages) showFollowedTags(c *page.Context, f *form.Form) error {
	list, err := h.social.FollowedTags(c.Request.Context(), c.Me.ID, linnet.Page{Limit: linnet.MaxFollowedTags})
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

func (h *settingsPages) changeFollowedTags(c *page.Context) error {
	ctx := c.Request.Context()
	if tag := c.Typed("remove"); tag != "" {
		if err := h.social.UnfollowTag(ctx, c.Me.ID, tag); err != nil {
			return page.OrNotFound(err, "unfollow a tag")
		}
		return form.Saved(c, paths.FollowedTags)
	}
	err := h.social.FollowTag(ctx, c.Me.ID, c.Typed("name"))
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

func (h *timelinePages) tag(c *page.Context) error {
	tag := c.Request.PathValue("tag")
	follows, err := h.followsTag(c, tag)
	if err != nil {
		return err
	}
	c.Shared, c.Reason = true, page.Reason{Place: "tag", Tag: tag}
	return timeline(c, page.Page{Title: "#" + tag, Alternates: feedLinks(c, "/tags/"+url.PathEscape(tag), "#"+tag)},
		post.Timeline{Heading: "#" + tag, Tag: follows, Stream: url.Values{"of": {"tag"}, "tag": {tag}}, Empty: ui.Empty{Icon: "hash", Title: c.Tr("No posts yet"), Text: c.Tr("No public posts use this hashtag.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			posts, err := h.reading.Tag(c.Request.Context(), c.Viewer(), linnet.TagQuery{Tag: tag}, q)
			if err != nil {
				return posts, page.OrNotFound(err, "read a tag")
			}
			return posts, nil
		})
}
