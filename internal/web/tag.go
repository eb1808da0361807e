package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// tagFollow says whether the reader follows the tag of a page.
type tagFollow struct {
	Name      string
	Following bool
}

func (h *timelinePages) tagRoutes() []route {
	return []route{
		{pattern: "/tags/{tag}", get: h.tag},
		{pattern: "/tags/{tag}/follow", post: own(h.followTag)},
	}
}

// followTag follows the tag in the path, or no longer, and leads back to its page.
func (h *timelinePages) followTag(c *call) error {
	tag := c.r.PathValue("tag")
	act := h.social.FollowTag
	if c.r.PostForm.Get("act") == "unfollow" {
		act = h.social.UnfollowTag
	}
	if err := act(c.r.Context(), c.me.ID, tag); err != nil {
		if e := refusal(err); e != nil && e.Kind == linnet.Invalid {
			return &httpError{code: http.StatusUnprocessableEntity, said: c.told(e), back: paths.FollowedTags, text: "Followed hashtags"}
		}
		return notThere(err, "follow a tag")
	}
	return c.seeOther(paths.Tag(tag))
}

// followsTag is what the page of a tag says to a member; nil for strangers.
func (h *timelinePages) followsTag(c *call, tag string) (*tagFollow, error) {
	if c.me == nil || !text.ValidTag(tag) {
		return nil, nil
	}
	tags, err := h.social.FollowsTags(c.r.Context(), c.me.ID)
	if err != nil {
		return nil, fmt.Errorf("read followed tags: %w", err)
	}
	return &tagFollow{tag, slices.Contains(tags, text.FoldTag(tag))}, nil
}

// followedTags are the tags whose posts come to the reader's home.
func (h *settingsPages) followedTags(c *call) error { return h.showFollowedTags(c, followTagForm(c)) }

func followTagForm(c *call) *form {
	return startForm(c, paths.FollowedTags, c.tr("Follow hashtag"), field{Kind: lineField, Name: "name", Label: c.tr("Hashtag"), Required: true,
		Hint: c.trn(linnet.MaxFollowedTags, "With or without #. At most %s hashtag.", "With or without #. At most %s hashtags.")})
}

func (h *settingsPages) showFollowedTags(c *call, f *form) error {
	list, err := h.social.FollowedTags(c.r.Context(), c.me.ID, linnet.Page{Limit: linnet.MaxFollowedTags})
	if err != nil {
		return fmt.Errorf("read followed tags: %w", err)
	}
	t := &table{Caption: c.tr("Followed hashtags"), Head: []string{c.tr("Hashtag"), c.tr("Since"), ""}, Empty: c.tr("You don't follow any hashtags.")}
	for _, tag := range list.Items {
		t.Rows = append(t.Rows, []cell{linkCell("#"+tag.Tag, paths.Tag(tag.Tag)), timeCell(tag.Since),
			{Forms: []*form{button(c, paths.FollowedTags, c.tr("Unfollow"), c.tr("Unfollow %s", "#"+tag.Tag), "remove", tag.Tag)}}})
	}
	return showSettings(c, f.code(), c.tr("Followed hashtags"), paths.FollowedTags, formPage{
		Lead: c.tr("Public posts with these hashtags appear in your home timeline."), Parts: []formSection{{Table: t}, {Title: c.tr("Follow another hashtag"), Form: f}}})
}

func (h *settingsPages) changeFollowedTags(c *call) error {
	ctx := c.r.Context()
	if tag := c.typed("remove"); tag != "" {
		if err := h.social.UnfollowTag(ctx, c.me.ID, tag); err != nil {
			return notThere(err, "unfollow a tag")
		}
		return saved(c, paths.FollowedTags)
	}
	err := h.social.FollowTag(ctx, c.me.ID, c.typed("name"))
	if isKind(err, linnet.NotFound) {
		err = linnet.FieldError("name", "ERR_INVALID", "must contain only letters, digits and underscores, and not only digits")
	}
	if err != nil {
		if f := followTagForm(c); f.refused(err, nil) {
			return h.showFollowedTags(c, f)
		}
		return fmt.Errorf("follow a tag: %w", err)
	}
	return saved(c, paths.FollowedTags)
}

func (h *timelinePages) tag(c *call) error {
	tag := c.r.PathValue("tag")
	follows, err := h.followsTag(c, tag)
	if err != nil {
		return err
	}
	c.shared, c.why = true, why{Place: "tag", Tag: tag}
	return timeline(c, page{Title: "#" + tag, Alternates: c.feedLinks("/tags/"+url.PathEscape(tag), "#"+tag)},
		timelinePage{Heading: "#" + tag, Tag: follows, live: url.Values{"of": {"tag"}, "tag": {tag}}, Empty: ui.Empty{Icon: "hash", Title: c.tr("No posts yet"), Text: c.tr("No public posts use this hashtag.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			posts, err := h.reading.Tag(c.r.Context(), c.viewer(), linnet.TagQuery{Tag: tag}, q)
			if err != nil {
				return posts, notThere(err, "read a tag")
			}
			return posts, nil
		})
}
