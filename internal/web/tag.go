package web

import (
	"net/http"

	"linnet/internal/linnet"
)

type tagPage struct {
	Tag   string
	Posts []linnet.StatusView
	Older string
}

func (c *call) tag() error {
	tag := c.r.PathValue("tag")
	posts, err := c.svc.Tag(c.r.Context(), c.viewer(), linnet.TagQuery{Tag: tag},
		linnet.Page{Max: linnet.Cursor(c.r.URL.Query().Get("max_id")), Limit: linnet.DefaultPage})
	if err != nil {
		return notThere(err, "read a tag")
	}
	c.shared = true
	return c.render(http.StatusOK, "tag", page{Title: "#" + tag,
		Main: tagPage{Tag: tag, Posts: posts.Items, Older: olderPath(c.r.URL, posts.Last)}})
}
