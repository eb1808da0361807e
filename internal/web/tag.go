package web

import (
	"net/url"

	"linnet/internal/linnet"
)

func (c *call) tag() error {
	tag := c.r.PathValue("tag")
	c.shared, c.why = true, why{Place: "tag", Tag: tag}
	return c.timeline(page{Title: "#" + tag, Alternates: c.feedLinks("/tags/"+url.PathEscape(tag), "#"+tag)},
		timelinePage{Heading: "#" + tag, live: url.Values{"of": {"tag"}, "tag": {tag}}, Empty: empty{"hash", "Nothing here yet", "No public post has this tag."}},
		func(q linnet.Page) (linnet.Slice[linnet.StatusView], error) {
			posts, err := c.svc.Reading.Tag(c.r.Context(), c.viewer(), linnet.TagQuery{Tag: tag}, q)
			if err != nil {
				return posts, notThere(err, "read a tag")
			}
			return posts, nil
		})
}
