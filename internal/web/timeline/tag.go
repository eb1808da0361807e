package timeline

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/text"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/post"
	"linnet/internal/web/ui"
)

// followTag follows or unfollows the hashtag in the path, and redirects to its page.
func (h *Pages) followTag(c *page.Context) error {
	tag := c.Request.PathValue("tag")
	act := h.Social.Tags.Follow
	if c.Request.PostForm.Get("act") == "unfollow" {
		act = h.Social.Tags.Unfollow
	}
	if err := act(c.Request.Context(), c.Me.ID, tag); err != nil {
		if e := page.Refusal(err); e != nil && e.Kind == linnet.Invalid {
			return &page.Error{Code: http.StatusUnprocessableEntity, Localized: c.ErrorText(e), Back: paths.FollowedTags, BackText: "Followed hashtags"}
		}
		return page.OrNotFound(err, "follow a tag")
	}
	return c.Redirect(paths.Tag(tag))
}

func (h *Pages) tag(c *page.Context) error {
	tag := c.Request.PathValue("tag")
	var follows *post.TagFollow
	if c.Me != nil && text.ValidTag(tag) {
		tags, err := h.Social.Tags.Names(c.Request.Context(), c.Me.ID)
		if err != nil {
			return fmt.Errorf("read followed tags: %w", err)
		}
		follows = &post.TagFollow{Name: tag, Following: slices.Contains(tags, text.FoldTag(tag))}
	}
	c.Shared, c.Reason = true, page.Reason{Source: "tag", Tag: tag}
	return showTimeline(c, page.Page{Title: "#" + tag, Alternates: c.FeedLinks("/tags/"+url.PathEscape(tag), "#"+tag)},
		post.Timeline{Heading: "#" + tag, Tag: follows, Stream: url.Values{"of": {"tag"}, "tag": {tag}}, Empty: ui.Empty{Icon: "hash", Title: c.Tr("No posts yet"), Text: c.Tr("No public posts use this hashtag.")}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			posts, err := h.Reading.Tag(c.Request.Context(), c.Viewer(), linnet.TagQuery{Tag: tag}, q)
			if err != nil {
				return posts, page.OrNotFound(err, "read a tag")
			}
			return posts, nil
		})
}
