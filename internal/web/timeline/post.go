package timeline

import (
	"linnet/internal/web/page"
	"linnet/internal/web/post"
)

// mainRow returns the row of the status that a thread page is about.
func mainRow(c *page.Context, p statusPage) *post.Row {
	r := post.OpenedRow(c, p.Status)
	r.Translation = p.Translation
	return r
}
