package timeline

import (
	"net/http"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// emojiCategory has the emoji of a category; Name is "" for none.
type emojiCategory struct {
	Name string
	All  []linnet.Emoji
}

// emojis shows the enabled custom emoji with their shortcodes.
func (h *Pages) emojis(c *page.Context) error {
	var all []emojiCategory
	for _, e := range h.Core.Emojis().Offered() {
		if n := len(all); n == 0 || all[n-1].Name != e.Category {
			all = append(all, emojiCategory{Name: e.Category})
		}
		last := &all[len(all)-1]
		last.All = append(last.All, e)
	}
	return c.Render(http.StatusOK, page.Page{Title: c.Tr("Emoji"), Body: emojisView(all)})
}
