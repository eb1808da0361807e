package compose

import (
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/ui"
)

// PeopleTitle returns the names of users as a line.
func PeopleTitle(c *page.Context, people []linnet.UserView) string {
	names := make([]string, len(people))
	for i, u := range people {
		names[i] = ui.DisplayName(u)
	}
	return strings.Join(names, c.TrIn("between parts of a list", ", "))
}
