package settings

import (
	"linnet/internal/linnet"
	"linnet/internal/web/page"
)

// chooseTheme stores the reader's theme. Values other than light and dark mean the theme of the
// system.
func (h *Pages) chooseTheme(c *page.Context) error {
	look := c.Me.Appearance
	if look.Theme = c.Typed("theme"); look.Theme != "light" && look.Theme != "dark" {
		look.Theme = ""
	}
	if _, err := h.Social.UpdateProfile(c.Request.Context(), c.Me.ID, linnet.ProfileChange{Appearance: &look}); err != nil {
		return err
	}
	return c.Redirect(c.PreviousPage("/"))
}
