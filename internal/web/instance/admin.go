package instance

import (
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *Pages) instanceRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.AdminAnnouncements, Get: page.Allowed(linnet.ManageAnnouncements, h.adminAnnouncements), Post: page.Allowed(linnet.ManageAnnouncements, h.writeAnnouncement)},
		{Pattern: paths.AdminAnnouncements + "/{id}", Get: page.Allowed(linnet.ManageAnnouncements, h.adminAnnouncement), Post: page.Allowed(linnet.ManageAnnouncements, h.changeAnnouncement)},
		{Pattern: paths.AdminEmoji, Get: page.Allowed(linnet.ManageCustomEmojis, h.adminEmojis), Post: page.Allowed(linnet.ManageCustomEmojis, h.addEmoji)},
		{Pattern: paths.AdminEmoji + "/{code}", Get: page.Allowed(linnet.ManageCustomEmojis, h.adminEmoji), Post: page.Allowed(linnet.ManageCustomEmojis, h.changeEmoji)},
		{Pattern: paths.AdminSettings + "/pictures", Post: page.Allowed(linnet.ManageSettings, h.changeSitePictures)},
		{Pattern: paths.AdminSettings + "/{section}", Get: page.AllowedAny(linnet.ManageSettings|linnet.ManageRules, h.instanceSettings), Post: page.AllowedAny(linnet.ManageSettings|linnet.ManageRules, h.changeInstance)},
		{Pattern: paths.AdminSettings, Get: page.AllowedAny(linnet.ManageSettings|linnet.ManageRules, h.instanceSettings), Post: page.AllowedAny(linnet.ManageSettings|linnet.ManageRules, h.changeInstance)},
	}
}
