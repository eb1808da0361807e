package timeline

import (
	"fmt"
	"strconv"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/web/page"
	"linnet/internal/web/people"
	"linnet/internal/web/ui"
)

// homeSidePanel is the side panel of the home timeline.
type homeSidePanel struct {
	Trends    []discovery.TagView
	Suggested []people.Row
}

// trends returns hashtags that are used more than usual.
func (h *Pages) trends(c *page.Context, most int) ([]discovery.TagView, error) {
	all, err := h.Trends.Tags(c.Request.Context(), discovery.TrendQuery{Limit: most})
	if err != nil {
		return nil, fmt.Errorf("read trending tags: %w", err)
	}
	return all, nil
}

// weekOf returns the number of uses of a hashtag in all known days.
func weekOf(t discovery.TagView) int64 {
	n := int64(0)
	for _, d := range t.Days {
		n += d.Uses
	}
	return n
}

// spark returns the points of a line through the days of a hashtag, the oldest first, in a box of
// 64 by 28.
func spark(t discovery.TagView) string {
	most := int64(1)
	for _, d := range t.Days {
		most = max(most, d.Uses)
	}
	var b strings.Builder
	last := len(t.Days) - 1
	for i := range t.Days {
		b.WriteString(ui.Either(i == 0, "M", "L") + strconv.Itoa(2+60*i/max(1, last)) + " " + strconv.FormatInt(25-22*t.Days[last-i].Uses/most, 10))
	}
	return b.String()
}
