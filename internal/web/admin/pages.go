package admin

import (
	"linnet/internal/core"
	"linnet/internal/identity"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/outsidefeed"
	"linnet/internal/web/form"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// Pages serves the administration. All fields are required.
type Pages struct {
	Core       *core.Service
	Identity   *identity.Service
	Settings   *identity.Settings
	Moderation *moderation.Service
	Outside    *outsidefeed.Service

	// StepsLeft returns an alert with a link to the first steps, unless they are done.
	StepsLeft func(*page.Context, linnet.InstanceView) ([]form.Alert, error)
}

// Routes returns the routes of the pages.
func (h *Pages) Routes() []page.Route {
	return []page.Route{
		{Pattern: paths.Admin, Get: page.AllowedAny(linnet.Everything(), h.adminList)},
		{Pattern: paths.AdminOverview, Get: page.Allowed(linnet.ViewDashboard, h.overview)},
		form.Staff("/admin/users", linnet.ManageUsers, h.users, nil),
		form.Staff("/admin/users/{login}", linnet.ManageUsers, h.user, nil),
		{Pattern: "/admin/users/{login}/{act}", Get: page.Allowed(linnet.ManageUsers, form.Get(h.action)), Post: page.Allowed(linnet.ManageUsers, h.act)},
		form.Staff("/admin/reports", linnet.ManageReports, h.reports, nil),
		form.Staff("/admin/reports/{id}", linnet.ManageReports, h.report, h.changeReport),
		form.Staff("/admin/reports/posts/{id}", linnet.ManageReports, h.moderatedPost, h.moderatePost),
		form.Staff(paths.AdminStrikes, linnet.ManageUsers, h.appeals, nil),
		form.Staff(paths.AdminStrikes+"/{id}", linnet.ManageUsers, h.strike, h.decideAppeal),
		form.Staff(paths.AdminFeeds, linnet.ManageUsers, h.feeds, h.saveFeeds),
		form.Staff(paths.AdminFeeds+"/{id}", linnet.ManageUsers, h.feed, h.changeFeed),
		form.Staff("/admin/audit", linnet.ViewAuditLog, h.auditLog, nil),
		form.Staff("/admin/tasks", linnet.ViewDevops, h.tasks, h.resolveTask),
		form.Staff(paths.AdminHealth, linnet.ViewDevops, h.health, nil),
		form.Staff("/admin/store", linnet.ViewDevops, h.store, h.backUp),
		form.Staff(paths.AdminLogIn, linnet.ManageRoles, h.staffLogin, h.saveStaffLogin),
		form.Staff(paths.AdminRoles, linnet.ManageRoles, h.roles, h.addRole),
		form.Staff(paths.AdminRoles+"/{id}", linnet.ManageRoles, h.role, h.changeRole),
	}
}
