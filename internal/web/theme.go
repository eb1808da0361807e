package web

import (
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// chooseTheme stores the reader's theme. Values other than light and dark mean that of the system.
func (h *settingsPages) chooseTheme(c *call) error {
	look := c.me.Appearance
	if look.Theme = c.typed("theme"); look.Theme != "light" && look.Theme != "dark" {
		look.Theme = ""
	}
	if _, err := h.social.UpdateProfile(c.r.Context(), c.me.ID, linnet.ProfileChange{Appearance: &look}); err != nil {
		return err
	}
	return c.seeOther(c.cameFrom("/"))
}

// cameFrom is the path of the page whose form was sent, or other if the browser
// does not say, or names a page that is not ours.
func (c *call) cameFrom(other string) string {
	u, err := url.Parse(c.r.Referer())
	if err != nil || u.Host == "" || u.Host != c.r.Host && u.Host != c.url.Host || !ui.IsLocalPath(u.RequestURI()) {
		return other
	}
	return u.RequestURI()
}
