package timeline

import (
	"fmt"
	"strconv"
	"strings"

	"linnet/internal/discovery"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

// homeAside has the contents of the side panel of home.
type homeAside struct {
	Trends    []discovery.TagView
	Suggested []suggestedRow
}

// asideOfHome reads trends and suggestions. It logs errors and leaves out the section, because home
// is useful without it.
func (h *Pages) asideOfHome(c *page.Context) (a homeAside) {
	var trends, people error
	a.Trends, trends = h.trends(c, page.AsideRows)
	a.Suggested, people = h.suggested(c, page.AsideRows)
	c.LogMissing(trends, people)
	return a
}

// trends are the tags that people use more than usually.
func (h *Pages) trends(c *page.Context, most int) ([]discovery.TagView, error) {
	all, err := h.Discovery.TrendingTags(c.Request.Context(), discovery.TrendQuery{Limit: most})
	if err != nil {
		return nil, fmt.Errorf("read tags that are used much: %w", err)
	}
	return all, nil
}

// weekOf is how often a tag was used in the days that are known of it.
func weekOf(t discovery.TagView) int64 {
	n := int64(0)
	for _, d := range t.Days {
		n += d.Uses
	}
	return n
}

// spark is a line through the days of a tag, the oldest first, in a field of 64 by 28.
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
