package moderation_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/app/apptest"
	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/wording"
)

// as gives a user a custom role.
func as(w *apptest.World, login string, r linnet.CustomRole) {
	w.Helper()
	w.OK(w.Operate(login, linnet.Measure{Act: linnet.GiveRole, Custom: r.ID}))
}

// staffAct is an action or read of staff with the permission it needs.
type staffAct struct {
	name  string
	needs linnet.Permission
	do    func(by linnet.Actor) error
}

// staffActs returns actions and reads of staff with their permissions. Each must check the
// permission first.
func staffActs(w *apptest.World, eve linnet.ID) []staffAct {
	yes := true
	measure := func(m linnet.Measure) func(linnet.Actor) error {
		m.On = eve
		return func(by linnet.Actor) error { return w.Moderation.Moderate(w.Ctx, by, m) }
	}
	day := time.Now()
	return []staffAct{
		{"overview", linnet.ViewDashboard, func(by linnet.Actor) error { _, err := w.Moderation.Statistics.LastDays(w.Ctx, by, 3); return err }},
		{"measures", linnet.ViewDashboard, func(by linnet.Actor) error {
			_, err := w.Moderation.Statistics.Measures(w.Ctx, by, nil, day, day)
			return err
		}},
		{"audit log", linnet.ViewAuditLog, func(by linnet.Actor) error { _, err := w.Moderation.Acts(w.Ctx, by, linnet.Page{}); return err }},
		{"reports", linnet.ManageReports, func(by linnet.Actor) error {
			_, err := w.Moderation.Reports(w.Ctx, by, linnet.ReportFilter{}, linnet.Page{})
			return err
		}},
		{"a report", linnet.ManageReports, func(by linnet.Actor) error { _, err := w.Moderation.ReportByID(w.Ctx, by, 5); return err }},
		{"change a report", linnet.ManageReports, func(by linnet.Actor) error {
			_, err := w.Moderation.ChangeReport(w.Ctx, by, 5, linnet.ReportChange{Act: "resolve", Resolved: &yes})
			return err
		}},
		{"accounts", linnet.ManageUsers, func(by linnet.Actor) error {
			_, err := w.Moderation.Accounts(w.Ctx, by, moderation.AccountsQuery{}, linnet.Page{})
			return err
		}},
		{"silence", linnet.ManageUsers, measure(linnet.Measure{Act: linnet.Silence})},
		{"suspend", linnet.ManageUsers, func(by linnet.Actor) error {
			return w.Moderation.ModerateReported(w.Ctx, by, linnet.Measure{On: eve, Act: linnet.Unsuspend})
		}},
		{"reset link", linnet.ManageUserAccess, func(by linnet.Actor) error {
			_, _, err := w.Identity.OfferReset(w.Ctx, by, eve, false, "")
			return err
		}},
		{"delete", linnet.DeleteUserData, func(by linnet.Actor) error { return w.Moderation.DeleteAccount(w.Ctx, by, 5) }},
		{"role", linnet.ManageRoles, measure(linnet.Measure{Act: linnet.GiveRole, Role: linnet.Member})},
		{"roles", linnet.ManageRoles, func(by linnet.Actor) error { _, err := w.Moderation.Roles(w.Ctx, by); return err }},
		{"remove a role", linnet.ManageRoles, func(by linnet.Actor) error { return w.Moderation.RemoveRole(w.Ctx, by, 5) }},
	}
}

// moreStaffActs returns further actions for staffActs.
func moreStaffActs(w *apptest.World) []staffAct {
	text := "x"
	change := func(c linnet.InstanceChange) func(linnet.Actor) error {
		return func(by linnet.Actor) error { _, err := w.Settings.ChangeInstance(w.Ctx, by, c); return err }
	}
	return []staffAct{
		{"trends", linnet.ManageTaxonomies, func(by linnet.Actor) error {
			_, err := w.Trends.All(w.Ctx, by, discovery.TrendTags)
			return err
		}},
		{"hide a trend", linnet.ManageTaxonomies, func(by linnet.Actor) error {
			return w.Trends.Hide(w.Ctx, by, discovery.TrendTags, "x", true)
		}},
		{"invite", linnet.InviteUsers, func(by linnet.Actor) error { _, err := w.Invites.Create(w.Ctx, by, linnet.InviteDraft{}); return err }},
		{"invitations", linnet.ManageInvites, func(by linnet.Actor) error { _, err := w.Invites.All(w.Ctx, by); return err }},
		{"revoke", linnet.ManageInvites, func(by linnet.Actor) error { return w.Invites.Revoke(w.Ctx, by, "x") }},
		{"settings", linnet.ManageSettings, change(linnet.InstanceChange{Title: &text})},
		{"terms", linnet.ManageSettings, func(by linnet.Actor) error { return w.Settings.RemoveTerms(w.Ctx, by, "x") }},
		{"rules", linnet.ManageRules, change(linnet.InstanceChange{Rules: &[]string{"x"}})},
		{"log-in of staff", linnet.ManageRoles, change(linnet.InstanceChange{StaffSecured: new(false)})},
		{"sign-up blocks", linnet.ManageBlocks, func(by linnet.Actor) error { _, err := w.Moderation.SignUpBlocks.List(w.Ctx, by); return err }},
		{"announcements", linnet.ManageAnnouncements, func(by linnet.Actor) error { _, err := w.Announcing.All(w.Ctx, by); return err }},
		{"emoji", linnet.ManageCustomEmojis, func(by linnet.Actor) error { _, err := w.Emojis.All(w.Ctx, by); return err }},
		{"tasks", linnet.ViewDevops, func(by linnet.Actor) error { _, _, err := w.Moderation.Server.Tasks(w.Ctx, by); return err }},
		{"store", linnet.ViewDevops, func(by linnet.Actor) error { _, err := w.Moderation.Server.StoreInfo(w.Ctx, by); return err }},
	}
}

// TestActsByPermission checks that each action requires its own permission and no other, for
// built-in and custom roles, as soon as they change.
func TestActsByPermission(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		una, eve := w.User("una"), w.User("eve")
		acts := append(staffActs(w, eve), moreStaffActs(w)...)
		try := func(role string, may linnet.Permission) {
			w.Helper()
			for _, a := range acts {
				if err := a.do(linnet.By(una)); errors.Is(err, core.ErrNotAllowed) == may.Has(a.needs) {
					w.Errorf("%s as %s: %v", a.name, role, err)
				}
			}
		}
		try("member", 0)
		for _, r := range []linnet.Role{linnet.Moderator, linnet.Admin} {
			w.OK(w.GiveRole("una", r))
			try(r.String(), r.Permissions())
		}
		r := w.CreateRole("Helper", 0)
		as(w, "una", r)
		try("nothing", 0)
		for _, d := range linnet.AllPermissions()[1:] {
			apptest.Must(w.Moderation.WriteRole(w.Ctx, linnet.Operator(), r.ID, linnet.RoleChange{Permissions: &d.Permission}))(w.T)
			try(d.Name, d.Permission)
		}
		w.OK(w.Operate("una", linnet.Measure{Act: linnet.Disable}))
		try("disabled", 0)
	})
}

// TestRolesAreChecked checks that invalid roles are refused with a reason, and that no one can
// create a role with more permissions than their own.
func TestRolesAreChecked(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		una := w.User("una")
		w.CreateRole("Helper", linnet.ManageReports)
		for _, tc := range []struct {
			c    linnet.RoleChange
			want string
		}{
			{linnet.RoleChange{}, "can't be blank"}, {linnet.RoleChange{Name: new(strings.Repeat("x", 41))}, "has 41 characters (maximum is 40)"},
			{linnet.RoleChange{Name: new("MODERATOR")}, ", which is reserved"}, {linnet.RoleChange{Name: new("hELPER")}, "another role already uses"},
			{linnet.RoleChange{Name: new("A"), Colour: new("red")}, `is "red", but must be a colour such as #1b6e4f`},
			{linnet.RoleChange{Name: new("A"), Permissions: new(linnet.Administrator)}, "can't include “administrator”"},
			{linnet.RoleChange{Name: new("A"), Permissions: new(linnet.Permission(1 << 5))}, "can't include “administrator”"},
		} {
			_, err := w.Moderation.WriteRole(w.Ctx, linnet.Operator(), 0, tc.c)
			if linnet.KindOf(err) != linnet.Invalid || !strings.Contains(err.Error(), tc.want) {
				w.Errorf("%+v: %v, want %q", tc.c, err, tc.want)
			}
		}
		keeper := w.CreateRole("Keeper", linnet.ManageRoles|linnet.ManageUsers)
		as(w, "una", keeper)
		by := linnet.By(una)
		write := func(id linnet.ID, c linnet.RoleChange) error {
			_, err := w.Moderation.WriteRole(w.Ctx, by, id, c)
			return err
		}
		apptest.WantKind(w.T, write(0, linnet.RoleChange{Name: new("B"), Permissions: new(linnet.ManageUsers | linnet.ManageReports)}), linnet.Invalid)
		apptest.WantKind(w.T, write(keeper.ID, linnet.RoleChange{Name: new("Mine")}), linnet.Forbidden)
		strong := w.CreateRole("Strong", linnet.ManageSettings)
		apptest.WantKind(w.T, write(strong.ID, linnet.RoleChange{Permissions: new(linnet.Permission(0))}), linnet.Forbidden)
		apptest.WantKind(w.T, w.Moderation.RemoveRole(w.Ctx, by, strong.ID), linnet.Forbidden)
		apptest.WantKind(w.T, write(5, linnet.RoleChange{Name: new("C")}), linnet.NotFound)
		w.OK(write(0, linnet.RoleChange{Name: new("B"), Permissions: new(linnet.ManageUsers)}))
		for n := range linnet.MaxRoles - 4 {
			w.CreateRole(fmt.Sprint("Role ", n), 0)
		}
		_, err := w.Moderation.WriteRole(w.Ctx, linnet.Operator(), 0, linnet.RoleChange{Name: new("One more")})
		apptest.WantKind(w.T, err, linnet.Invalid)
		w.Check()
	})
}

// TestWhoHasARole checks that a user with a custom role ranks as a moderator and can give roles
// within the user's own permissions. A role in use cannot be removed.
func TestWhoHasARole(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		una, mod, eve := w.User("una"), w.User("may"), w.User("eve")
		w.User("boss")
		w.OK(w.GiveRole("may", linnet.Moderator))
		w.OK(w.GiveRole("boss", linnet.Admin))
		helper, keeper := w.CreateRole("Helper", linnet.ManageUsers), w.CreateRole("Keeper", linnet.ManageRoles|linnet.ManageUsers)
		as(w, "una", keeper)
		give := func(on linnet.ID, r linnet.Role, custom linnet.ID) error {
			return w.Moderation.Moderate(w.Ctx, linnet.By(una), linnet.Measure{On: on, Act: linnet.GiveRole, Role: r, Custom: custom})
		}
		apptest.WantKind(w.T, give(eve, linnet.Admin, 0), linnet.Forbidden)
		apptest.WantKind(w.T, give(eve, linnet.Moderator, 0), linnet.Forbidden) // moderators have more permissions
		apptest.WantKind(w.T, give(mod, linnet.Member, 0), linnet.Forbidden)    // mod is not below una
		apptest.WantKind(w.T, give(una, linnet.Member, 0), linnet.Forbidden)
		apptest.WantKind(w.T, give(eve, 0, 5), linnet.Invalid)
		w.OK(give(eve, 0, helper.ID))
		apptest.WantKind(w.T, give(eve, 0, keeper.ID), linnet.Forbidden) // not below una either
		apptest.WantKind(w.T, w.Moderate(linnet.By(mod), eve, linnet.Silence), linnet.Forbidden)
		apptest.WantKind(w.T, w.Moderate(linnet.By(eve), mod, linnet.Silence), linnet.Forbidden)
		w.Drain()
		err := w.Moderation.RemoveRole(w.Ctx, linnet.Operator(), helper.ID)
		if linnet.KindOf(err) != linnet.Conflict || !strings.Contains(err.Error(), "1 person has the role “Helper”. Give them another role first") {
			w.Errorf("removed: %v", err)
		}
		roles := apptest.Must(w.Moderation.Roles(w.Ctx, linnet.Operator()))(w.T)
		if len(roles) != 2 || roles[0].Holders != 1 || roles[1].Name != "Keeper" {
			w.Errorf("roles %+v", roles)
		}
		apptest.Must(w.Moderation.WriteRole(w.Ctx, linnet.Operator(), helper.ID, linnet.RoleChange{Name: new("Aide"), Permissions: new(linnet.ManageReports), Highlighted: new(true)}))(w.T)
		w.OK(w.GiveRole("eve", linnet.Member))
		w.Drain()
		w.OK(w.Moderation.RemoveRole(w.Ctx, linnet.Operator(), helper.ID))
		saysOfRoles(w)
		if log := apptest.Must(w.Security.SecurityLog(w.Ctx, eve))(w.T); !slices.ContainsFunc(log, func(e linnet.SecurityEntry) bool { return e.Event == linnet.RoleChanged }) {
			w.Errorf("the security log holds %+v", log)
		}
		w.Check()
	})
}

// saysOfRoles checks the entries in the audit log after TestWhoHasARole.
func saysOfRoles(w *apptest.World) {
	w.Helper()
	var says []string
	for _, a := range apptest.Must(w.Moderation.Acts(w.Ctx, linnet.Operator(), linnet.Page{}))(w.T).Items {
		says = append(says, string(a.Act.Act)+" "+wording.Message(a.Detail).String())
	}
	for _, want := range []string{"add_role Name: none → “Helper”; Manage users: “off” → “on”", "role member → Helper", "role Aide → member", "role member → Keeper",
		"change_role Helper: Name: “Helper” → “Aide”; Shown on profiles: “off” → “on”; Manage reports: “off” → “on”; Manage users: “on” → “off”",
		"delete_role Name: “Aide” → none; Shown on profiles: “on” → “off”; Manage reports: “on” → “off”"} {
		if n := len(slices.DeleteFunc(slices.Clone(says), func(s string) bool { return s != want })); n != 1 {
			w.Errorf("%q stands %d times in\n%s", want, n, strings.Join(says, "\n"))
		}
	}
}

// TestStaffAreToldByPermission checks that reports notify users who can manage reports, and
// sign-ups notify users who can manage users.
func TestStaffAreToldByPermission(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		rep, usr, nix, bob := w.User("rep"), w.User("usr"), w.User("nix"), w.User("bob")
		as(w, "rep", w.CreateRole("Reports", linnet.ManageReports))
		as(w, "usr", w.CreateRole("Users", linnet.ManageUsers))
		as(w, "nix", w.CreateRole("Nothing", linnet.ManageSettings))
		w.Drain()
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{Registrations: new(linnet.RegisterOpen)}))(w.T)
		apptest.Must(w.Identity.Register(w.Ctx, linnet.SignUp{Login: "dan", Password: "correct horse", Agreed: true}))(w.T)
		apptest.Must(w.Moderation.Report(w.Ctx, bob, linnet.ReportDraft{On: nix}))(w.T)
		w.Drain()
		for who, want := range map[linnet.ID]linnet.NotificationType{rep: linnet.NotifyReport, usr: linnet.NotifySignUp, nix: ""} {
			var got linnet.NotificationType
			for _, n := range apptest.Must(w.Notify.Notifications(w.Ctx, who, linnet.NotificationFilter{}, linnet.Page{}))(w.T).Items {
				if n.Type.Kind().For != 0 {
					got += n.Type
				}
			}
			if got != want {
				w.Errorf("%v is told of %q, want %q", who, got, want)
			}
		}
		report := apptest.Must(w.Moderation.Reports(w.Ctx, linnet.By(rep), linnet.ReportFilter{}, linnet.Page{}))(w.T).Items[0]
		if report.OnAccount == nil || report.OnAccount.Login != "nix" || report.OnAccount.EmailConfirmed {
			w.Errorf("the report shows %+v", report.OnAccount)
		}
	})
}

// TestSecondFactorOfRoles checks that the second factor required of staff is required of users with
// custom roles too.
func TestSecondFactorOfRoles(t *testing.T) {
	apptest.OnEngines(t, func(w *apptest.World) {
		una := w.User("una")
		as(w, "una", w.CreateRole("Helper", linnet.ManageReports))
		read := func() error {
			_, err := w.Moderation.Reports(w.Ctx, linnet.By(una), linnet.ReportFilter{}, linnet.Page{})
			return err
		}
		w.OK(read())
		apptest.Must(w.Settings.ChangeInstance(w.Ctx, linnet.Operator(), linnet.InstanceChange{StaffSecured: new(true)}))(w.T)
		if err := read(); !w.Core.Unsecured(err) {
			w.Errorf("without a second factor: %v", err)
		}
		apptest.EnableTwoFactor(w.T, w, una)
		w.OK(read())
	})
}

// TestRolesOnTwoServers checks that changes of roles on one server apply on others as soon as they
// receive them.
func TestRolesOnTwoServers(t *testing.T) {
	apptest.SkipShort(t)
	ws := apptest.Servers(t, 2)
	one, two := ws[0], ws[1]
	una := one.User("una")
	apptest.Settle(ws)
	r := one.CreateRole("Helper", linnet.ManageReports)
	as(one, "una", r)
	may := func() string {
		acting, err := two.Core.Acting(two.Ctx, linnet.By(una))
		return fmt.Sprint(acting.May, err)
	}
	two.WaitFor("the role", may, "manage_reports <nil>")
	apptest.Must(one.Moderation.WriteRole(one.Ctx, linnet.Operator(), r.ID, linnet.RoleChange{Permissions: new(linnet.ViewAuditLog)}))(t)
	two.WaitFor("the change", may, "view_audit_log <nil>")
}
