package web

import (
	"net/http"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/web/paths"
)

// Pages of staff. They don't exist for other users, and for staff without the permission.

func (h *adminPages) adminRoutes() []route {
	return []route{
		{pattern: paths.Admin, get: anyOf(linnet.Everything(), h.adminList)},
		{pattern: paths.AdminOverview, get: allowed(linnet.ViewDashboard, h.overview)},
		{pattern: "/admin/users", get: allowed(linnet.ManageUsers, h.users)},
		{pattern: "/admin/users/{login}", get: allowed(linnet.ManageUsers, h.user)},
		{pattern: "/admin/users/{login}/{act}", get: allowed(linnet.ManageUsers, h.userActForm), post: allowed(linnet.ManageUsers, h.userAct)},
		{pattern: "/admin/reports", get: allowed(linnet.ManageReports, h.reports)},
		{pattern: "/admin/reports/{id}", get: allowed(linnet.ManageReports, h.staffReport), post: allowed(linnet.ManageReports, h.changeReport)},
		{pattern: "/admin/audit", get: allowed(linnet.ViewAuditLog, h.auditLog)},
		{pattern: "/admin/tasks", get: allowed(linnet.ViewDevops, h.tasks), post: allowed(linnet.ViewDevops, h.resolveTask)},
		{pattern: paths.AdminHealth, get: allowed(linnet.ViewDevops, h.health)},
		{pattern: "/admin/store", get: allowed(linnet.ViewDevops, h.store), post: allowed(linnet.ViewDevops, h.backUp)},
		{pattern: paths.AdminLogIn, get: allowed(linnet.ManageRoles, h.staffLogIn), post: allowed(linnet.ManageRoles, h.changeStaffLogIn)},
		{pattern: paths.AdminRoles, get: allowed(linnet.ManageRoles, h.roles), post: allowed(linnet.ManageRoles, h.addRole)},
		{pattern: paths.AdminRoles + "/{id}", get: allowed(linnet.ManageRoles, h.customRole), post: allowed(linnet.ManageRoles, h.changeRole)},
	}
}

func (h *instancePages) instanceRoutes() []route {
	return []route{
		{pattern: paths.AdminAnnouncements, get: allowed(linnet.ManageAnnouncements, h.adminAnnouncements), post: allowed(linnet.ManageAnnouncements, h.writeAnnouncement)},
		{pattern: paths.AdminAnnouncements + "/{id}", get: allowed(linnet.ManageAnnouncements, h.adminAnnouncement), post: allowed(linnet.ManageAnnouncements, h.changeAnnouncement)},
		{pattern: paths.AdminEmoji, get: allowed(linnet.ManageCustomEmojis, h.adminEmojis), post: allowed(linnet.ManageCustomEmojis, h.addEmoji)},
		{pattern: paths.AdminEmoji + "/{code}", get: allowed(linnet.ManageCustomEmojis, h.adminEmoji), post: allowed(linnet.ManageCustomEmojis, h.changeEmoji)},
		{pattern: paths.AdminSettings + "/pictures", post: allowed(linnet.ManageSettings, h.changeSitePictures)},
		{pattern: paths.AdminSettings + "/{section}", get: anyOf(linnet.ManageSettings|linnet.ManageRules, h.instanceSettings), post: anyOf(linnet.ManageSettings|linnet.ManageRules, h.changeInstance)},
		{pattern: paths.AdminSettings, get: anyOf(linnet.ManageSettings|linnet.ManageRules, h.instanceSettings), post: anyOf(linnet.ManageSettings|linnet.ManageRules, h.changeInstance)},
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
			return &httpError{code: http.StatusForbidden, head: "Two-factor authentication required", back: paths.Security, text: "Password and security",
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
func opened(c *call, links []navLink) (out []navLink) {
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

func showAdmin(c *call, code int, title, here string, d formPage) error {
	if d.Done == "" && c.r.URL.Query().Get("done") != "" {
		d.Done = c.tr("Done. See the audit log for details.")
	}
	return showPlace(c, code, adminPlacesFor(c), title, here, formPageView(d))
}
