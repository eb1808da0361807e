package web

import (
	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

func (h *adminPages) adminRoutes() []page.Route {
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

func (h *instancePages) instanceRoutes() []page.Route {
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
