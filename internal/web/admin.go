package web

import (
	"net/http"
	"slices"

	"linnet/internal/linnet"
)

// Pages of staff. They don't exist for other users, and for staff without the permission.

const adminPath = "/admin"

func adminRoutes() []route {
	return []route{
		{pattern: adminPath, get: anyOf(linnet.Everything(), (*call).adminList)},
		{pattern: overviewPath, get: allowed(linnet.ViewDashboard, (*call).overview)},
		{pattern: "/admin/users", get: allowed(linnet.ManageUsers, (*call).users)},
		{pattern: "/admin/users/{login}", get: allowed(linnet.ManageUsers, (*call).user)},
		{pattern: "/admin/users/{login}/{act}", get: allowed(linnet.ManageUsers, (*call).userActForm), post: allowed(linnet.ManageUsers, (*call).userAct)},
		{pattern: "/admin/reports", get: allowed(linnet.ManageReports, (*call).reports)},
		{pattern: "/admin/reports/{id}", get: allowed(linnet.ManageReports, (*call).staffReport), post: allowed(linnet.ManageReports, (*call).changeReport)},
		{pattern: "/admin/audit", get: allowed(linnet.ViewAuditLog, (*call).auditLog)},
		{pattern: "/admin/tasks", get: allowed(linnet.ViewDevops, (*call).tasks), post: allowed(linnet.ViewDevops, (*call).resolveTask)},
		{pattern: healthPath, get: allowed(linnet.ViewDevops, (*call).health)},
		{pattern: "/admin/store", get: allowed(linnet.ViewDevops, (*call).store), post: allowed(linnet.ViewDevops, (*call).backUp)},
		{pattern: staffLogInPath, get: allowed(linnet.ManageRoles, (*call).staffLogIn), post: allowed(linnet.ManageRoles, (*call).changeStaffLogIn)},
		{pattern: rolesPath, get: allowed(linnet.ManageRoles, (*call).roles), post: allowed(linnet.ManageRoles, (*call).addRole)},
		{pattern: rolesPath + "/{id}", get: allowed(linnet.ManageRoles, (*call).customRole), post: allowed(linnet.ManageRoles, (*call).changeRole)},
	}
}

func instanceRoutes() []route {
	return []route{
		{pattern: adminAnnouncementsPath, get: allowed(linnet.ManageAnnouncements, (*call).adminAnnouncements), post: allowed(linnet.ManageAnnouncements, (*call).writeAnnouncement)},
		{pattern: adminAnnouncementsPath + "/{id}", get: allowed(linnet.ManageAnnouncements, (*call).adminAnnouncement), post: allowed(linnet.ManageAnnouncements, (*call).changeAnnouncement)},
		{pattern: emojiPath, get: allowed(linnet.ManageCustomEmojis, (*call).adminEmojis), post: allowed(linnet.ManageCustomEmojis, (*call).addEmoji)},
		{pattern: emojiPath + "/{code}", get: allowed(linnet.ManageCustomEmojis, (*call).adminEmoji), post: allowed(linnet.ManageCustomEmojis, (*call).changeEmoji)},
		{pattern: settingsPath + "/pictures", post: allowed(linnet.ManageSettings, (*call).changeSitePictures)},
		{pattern: settingsPath + "/{section}", get: anyOf(linnet.ManageSettings|linnet.ManageRules, (*call).instanceSettings), post: anyOf(linnet.ManageSettings|linnet.ManageRules, (*call).changeInstance)},
		{pattern: settingsPath, get: anyOf(linnet.ManageSettings|linnet.ManageRules, (*call).instanceSettings), post: anyOf(linnet.ManageSettings|linnet.ManageRules, (*call).changeInstance)},
	}
}

// allowed restricts a page to staff with all of some permissions. Visitors are redirected to the
// log-in, and for others the page doesn't exist.
func allowed(all linnet.Permission, do func(*call) error) func(*call) error {
	return guarded(do, func(c *call) error { return c.svc.Core.Authorize(c.r.Context(), c.by(), all) })
}

// anyOf is like allowed, for staff with one of some permissions.
func anyOf(of linnet.Permission, do func(*call) error) func(*call) error {
	return guarded(do, func(c *call) error { return c.svc.Core.AuthorizeAny(c.r.Context(), c.by(), of) })
}

// may reports whether the reader has all of some permissions, to decide what a page offers. Actions
// check again.
func (c *call) may(all linnet.Permission) bool {
	return c.me != nil && c.me.Role.Staff() && c.svc.Core.KnownRoles().May(&c.me.User).Has(all)
}

// by returns the reader as an actor in this browser session.
func (c *call) by() linnet.Actor { return linnet.By(c.me.ID).In(c.session) }

// guarded restricts a page to readers that check permits.
func guarded(do, check func(*call) error) func(*call) error {
	return own(func(c *call) error {
		err := check(c)
		if c.svc.Core.Unsecured(err) {
			return &httpError{code: http.StatusForbidden, head: "Two-factor authentication required", back: securityPath, text: "Password and security",
				msg: "Moderators and administrators need two-factor authentication or a passkey. Set one up, then come back here."}
		}
		if isKind(err, linnet.Forbidden) {
			return errNowhere()
		}
		if err != nil {
			return err
		}
		return do(c)
	})
}

// mayAny is like may, for one of some permissions.
func (c *call) mayAny(of linnet.Permission) bool {
	return c.me != nil && c.me.Role.Staff() && c.svc.Core.KnownRoles().May(&c.me.User).Any(of)
}

// opened returns the links to pages of the administration that the reader can open.
func (c *call) opened(links []navLink) (out []navLink) {
	places := inOneRow(adminPlaces())
	for _, l := range links {
		i := slices.IndexFunc(places, func(p place) bool { return p.Path == l.Path })
		if i < 0 || c.mayAny(places[i].needs) {
			out = append(out, l)
		}
	}
	return out
}

// administers reports whether the reader can open any page of the administration.
func (c *call) administers() bool {
	return c.mayAny(c.staff)
}

func (c *call) showAdmin(code int, title, here string, d formPage) error {
	if d.Done == "" && c.r.URL.Query().Get("done") != "" {
		d.Done = c.tr("Done. See the audit log for details.")
	}
	return c.showPlace(code, c.adminPlacesFor(), title, here, formPageView(d))
}
