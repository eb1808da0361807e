package admin

import (
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/web/instance"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages serves the administration. All fields are required.
type Pages struct {
	Core       *core.Service
	Identity   *identity.Service
	Settings   *identity.Settings
	Moderation *moderation.Service

	Instance *instance.Pages
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return h.adminRoutes()
}

func (h *Pages) adminRoutes() []page.Route {
	return []page.Route{
		{Pattern: paths.Admin, Get: page.AllowedAny(linnet.Everything(), h.adminList)},
		{Pattern: paths.AdminOverview, Get: page.Allowed(linnet.ViewDashboard, h.overview)},
		{Pattern: "/admin/users", Get: page.Allowed(linnet.ManageUsers, h.users)},
		{Pattern: "/admin/users/{login}", Get: page.Allowed(linnet.ManageUsers, h.user)},
		{Pattern: "/admin/users/{login}/{act}", Get: page.Allowed(linnet.ManageUsers, h.userActForm), Post: page.Allowed(linnet.ManageUsers, h.userAct)},
		{Pattern: "/admin/reports", Get: page.Allowed(linnet.ManageReports, h.reports)},
		{Pattern: "/admin/reports/{id}", Get: page.Allowed(linnet.ManageReports, h.staffReport), Post: page.Allowed(linnet.ManageReports, h.changeReport)},
		{Pattern: "/admin/audit", Get: page.Allowed(linnet.ViewAuditLog, h.auditLog)},
		{Pattern: "/admin/tasks", Get: page.Allowed(linnet.ViewDevops, h.tasks), Post: page.Allowed(linnet.ViewDevops, h.resolveTask)},
		{Pattern: paths.AdminHealth, Get: page.Allowed(linnet.ViewDevops, h.health)},
		{Pattern: "/admin/store", Get: page.Allowed(linnet.ViewDevops, h.store), Post: page.Allowed(linnet.ViewDevops, h.backUp)},
		{Pattern: paths.AdminLogIn, Get: page.Allowed(linnet.ManageRoles, h.staffLogIn), Post: page.Allowed(linnet.ManageRoles, h.changeStaffLogIn)},
		{Pattern: paths.AdminRoles, Get: page.Allowed(linnet.ManageRoles, h.roles), Post: page.Allowed(linnet.ManageRoles, h.addRole)},
		{Pattern: paths.AdminRoles + "/{id}", Get: page.Allowed(linnet.ManageRoles, h.customRole), Post: page.Allowed(linnet.ManageRoles, h.changeRole)},
	}
}
