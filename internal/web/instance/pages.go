package instance

import (
	"slices"

	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages serves the settings of the server. All fields are required.
type Pages struct {
	Announcing *announcing.Service
	Core       *core.Service
	Identity   *identity.Service
	Settings   *identity.Settings
	Invites    *identity.Invites
	Emojis     *identity.Emojis
	Moderation *moderation.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return slices.Concat(h.instanceRoutes(), h.signUpBlockRoutes(), h.inviteRoutes(), h.startRoutes(), h.adminTermsRoutes())
}

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
