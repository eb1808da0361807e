package instance

import (
	"linnet/internal/announcing"
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/view"
	"linnet/internal/web/form"
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
	View       *view.Service
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	anySettings := linnet.ManageSettings | linnet.ManageRules
	section := page.Route{Pattern: paths.AdminSettings + "/{section}", Get: page.AllowedAny(anySettings, form.Get(h.settingsPage)), Post: page.AllowedAny(anySettings, form.Post(h.settingsPage, h.saveSettings))}
	first := section
	first.Pattern = paths.AdminSettings
	invites := form.Staff(paths.AdminInvites, linnet.ManageInvites, h.invites, nil)
	invites.Post = page.Allowed(linnet.ManageInvites|linnet.InviteUsers, h.createInvite)
	ownInvites := page.Route{Pattern: paths.Invites, Get: page.LoggedIn(h.ownInvites), Post: page.LoggedIn(h.createOwnInvite)}
	return []page.Route{
		first, section,
		{Pattern: paths.AdminSettings + "/pictures", Post: page.Allowed(linnet.ManageSettings, form.Post(h.settingsPage, h.savePictures))},
		form.Staff(paths.AdminAnnouncements, linnet.ManageAnnouncements, h.announcements, h.createAnnouncement),
		form.Staff(paths.AdminAnnouncements+"/{id}", linnet.ManageAnnouncements, h.announcement, h.changeAnnouncement),
		form.Staff(paths.AdminEmoji, linnet.ManageCustomEmojis, h.emojis, h.addEmoji),
		form.Staff(paths.AdminEmoji+"/{code}", linnet.ManageCustomEmojis, h.emoji, h.changeEmoji),
		form.Staff(paths.AdminSignUpBlocks, linnet.ManageBlocks, h.signUpBlocks, h.addSignUpBlock),
		form.Staff(paths.AdminSignUpBlocks+"/remove", linnet.ManageBlocks, nil, h.removeSignUpBlock),
		invites, ownInvites,
		form.Staff(paths.AdminInvites+"/revoke", linnet.ManageInvites, nil, func(c *page.Context) (string, error) { return h.revokeInvite(c, paths.AdminInvites) }),
		form.Member(paths.Invites+"/revoke", nil, func(c *page.Context) (string, error) { return h.revokeInvite(c, paths.Invites) }),
		form.Staff(paths.AdminStart, linnet.Administrator, h.start, nil),
		form.Staff(paths.AdminTerms, linnet.ManageSettings, h.terms, h.addTerms),
		form.Staff(paths.AdminTerms+"/{day}", linnet.ManageSettings, h.termsOfDay, h.withdrawTerms),
	}
}
