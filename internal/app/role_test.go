package app_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"linnet/internal/core"
	"linnet/internal/discovery"
	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/moderation"
	"linnet/internal/store"
	"linnet/internal/wording"
)

// madeRole creates a role as the operator.
func (w *world) madeRole(name string, may linnet.Permission) linnet.CustomRole {
	w.Helper()
	return must(w.Moderation.WriteRole(w.ctx, linnet.Operator(), 0, linnet.RoleChange{Name: &name, Permissions: &may}))(w.T)
}

// as gives a user a custom role.
func (w *world) as(login string, r linnet.CustomRole) {
	w.Helper()
	w.did(w.operate(login, linnet.Measure{Act: linnet.GiveRole, Custom: r.ID}))
}

// staffAct is an action or read of staff with the permission it needs.
type staffAct struct {
	name  string
	needs linnet.Permission
	do    func(by linnet.Actor) error
}

// staffActs returns actions and reads of staff with their permissions. Each must check the
// permission first.
func (w *world) staffActs(eve linnet.ID) []staffAct {
	yes := true
	measure := func(m linnet.Measure) func(linnet.Actor) error {
		m.On = eve
		return func(by linnet.Actor) error { return w.Moderation.Moderate(w.ctx, by, m) }
	}
	day := time.Now()
	return []staffAct{
		{"overview", linnet.ViewDashboard, func(by linnet.Actor) error { _, err := w.Moderation.Statistics.LastDays(w.ctx, by, 3); return err }},
		{"measures", linnet.ViewDashboard, func(by linnet.Actor) error {
			_, err := w.Moderation.Statistics.Measures(w.ctx, by, nil, day, day)
			return err
		}},
		{"audit log", linnet.ViewAuditLog, func(by linnet.Actor) error { _, err := w.Moderation.Acts(w.ctx, by, linnet.Page{}); return err }},
		{"reports", linnet.ManageReports, func(by linnet.Actor) error {
			_, err := w.Moderation.Reports(w.ctx, by, linnet.ReportFilter{}, linnet.Page{})
			return err
		}},
		{"a report", linnet.ManageReports, func(by linnet.Actor) error { _, err := w.Moderation.ReportByID(w.ctx, by, 5); return err }},
		{"change a report", linnet.ManageReports, func(by linnet.Actor) error {
			_, err := w.Moderation.ChangeReport(w.ctx, by, 5, linnet.ReportChange{Act: "resolve", Resolved: &yes})
			return err
		}},
		{"accounts", linnet.ManageUsers, func(by linnet.Actor) error {
			_, err := w.Moderation.Accounts(w.ctx, by, moderation.AccountsQuery{}, linnet.Page{})
			return err
		}},
		{"silence", linnet.ManageUsers, measure(linnet.Measure{Act: linnet.Silence})},
		{"suspend", linnet.ManageUsers, func(by linnet.Actor) error {
			return w.Moderation.ModerateReported(w.ctx, by, linnet.Measure{On: eve, Act: linnet.Unsuspend})
		}},
		{"reset link", linnet.ManageUserAccess, func(by linnet.Actor) error {
			_, _, err := w.Identity.OfferReset(w.ctx, by, eve, false, "")
			return err
		}},
		{"delete", linnet.DeleteUserData, func(by linnet.Actor) error { return w.Moderation.DeleteAccount(w.ctx, by, 5) }},
		{"role", linnet.ManageRoles, measure(linnet.Measure{Act: linnet.GiveRole, Role: linnet.Member})},
		{"roles", linnet.ManageRoles, func(by linnet.Actor) error { _, err := w.Moderation.Roles(w.ctx, by); return err }},
		{"remove a role", linnet.ManageRoles, func(by linnet.Actor) error { return w.Moderation.RemoveRole(w.ctx, by, 5) }},
	}
}

// moreStaffActs returns further actions for staffActs.
func (w *world) moreStaffActs() []staffAct {
	text := "x"
	change := func(c linnet.InstanceChange) func(linnet.Actor) error {
		return func(by linnet.Actor) error { _, err := w.Settings.ChangeInstance(w.ctx, by, c); return err }
	}
	return []staffAct{
		{"trends", linnet.ManageTaxonomies, func(by linnet.Actor) error {
			_, err := w.Trends.All(w.ctx, by, discovery.TrendTags)
			return err
		}},
		{"hide a trend", linnet.ManageTaxonomies, func(by linnet.Actor) error {
			return w.Trends.Hide(w.ctx, by, discovery.TrendTags, "x", true)
		}},
		{"invite", linnet.InviteUsers, func(by linnet.Actor) error { _, err := w.Invites.Create(w.ctx, by, linnet.InviteDraft{}); return err }},
		{"invitations", linnet.ManageInvites, func(by linnet.Actor) error { _, err := w.Invites.All(w.ctx, by); return err }},
		{"revoke", linnet.ManageInvites, func(by linnet.Actor) error { return w.Invites.Revoke(w.ctx, by, "x") }},
		{"settings", linnet.ManageSettings, change(linnet.InstanceChange{Title: &text})},
		{"terms", linnet.ManageSettings, func(by linnet.Actor) error { return w.Settings.RemoveTerms(w.ctx, by, "x") }},
		{"rules", linnet.ManageRules, change(linnet.InstanceChange{Rules: &[]string{"x"}})},
		{"log-in of staff", linnet.ManageRoles, change(linnet.InstanceChange{StaffSecured: new(false)})},
		{"sign-up blocks", linnet.ManageBlocks, func(by linnet.Actor) error { _, err := w.Moderation.SignUpBlocks.List(w.ctx, by); return err }},
		{"announcements", linnet.ManageAnnouncements, func(by linnet.Actor) error { _, err := w.Announcing.All(w.ctx, by); return err }},
		{"emoji", linnet.ManageCustomEmojis, func(by linnet.Actor) error { _, err := w.Emojis.All(w.ctx, by); return err }},
		{"tasks", linnet.ViewDevops, func(by linnet.Actor) error { _, _, err := w.Moderation.Server.Tasks(w.ctx, by); return err }},
		{"store", linnet.ViewDevops, func(by linnet.Actor) error { _, err := w.Moderation.Server.StoreInfo(w.ctx, by); return err }},
	}
}

// TestActsByPermission checks that each action requires its own permission and no other, for
// built-in and custom roles, as soon as they change.
func TestActsByPermission(t *testing.T) {
	onEngines(t, func(w *world) {
		una, eve := w.user("una"), w.user("eve")
		acts := append(w.staffActs(eve), w.moreStaffActs()...)
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
			w.did(w.giveRole("una", r))
			try(r.String(), r.Permissions())
		}
		r := w.madeRole("Helper", 0)
		w.as("una", r)
		try("nothing", 0)
		for _, d := range linnet.AllPermissions()[1:] {
			must(w.Moderation.WriteRole(w.ctx, linnet.Operator(), r.ID, linnet.RoleChange{Permissions: &d.Permission}))(w.T)
			try(d.Name, d.Permission)
		}
		w.did(w.operate("una", linnet.Measure{Act: linnet.Disable}))
		try("disabled", 0)
	})
}

// TestRolesAreChecked checks that invalid roles are refused with a reason, and that no one can
// create a role with more permissions than their own.
func TestRolesAreChecked(t *testing.T) {
	onEngines(t, func(w *world) {
		una := w.user("una")
		w.madeRole("Helper", linnet.ManageReports)
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
			_, err := w.Moderation.WriteRole(w.ctx, linnet.Operator(), 0, tc.c)
			if linnet.KindOf(err) != linnet.Invalid || !strings.Contains(err.Error(), tc.want) {
				w.Errorf("%+v: %v, want %q", tc.c, err, tc.want)
			}
		}
		keeper := w.madeRole("Keeper", linnet.ManageRoles|linnet.ManageUsers)
		w.as("una", keeper)
		by := linnet.By(una)
		write := func(id linnet.ID, c linnet.RoleChange) error {
			_, err := w.Moderation.WriteRole(w.ctx, by, id, c)
			return err
		}
		kindIs(w.T, write(0, linnet.RoleChange{Name: new("B"), Permissions: new(linnet.ManageUsers | linnet.ManageReports)}), linnet.Invalid)
		kindIs(w.T, write(keeper.ID, linnet.RoleChange{Name: new("Mine")}), linnet.Forbidden)
		strong := w.madeRole("Strong", linnet.ManageSettings)
		kindIs(w.T, write(strong.ID, linnet.RoleChange{Permissions: new(linnet.Permission(0))}), linnet.Forbidden)
		kindIs(w.T, w.Moderation.RemoveRole(w.ctx, by, strong.ID), linnet.Forbidden)
		kindIs(w.T, write(5, linnet.RoleChange{Name: new("C")}), linnet.NotFound)
		w.did(write(0, linnet.RoleChange{Name: new("B"), Permissions: new(linnet.ManageUsers)}))
		for n := range linnet.MaxRoles - 4 {
			w.madeRole(fmt.Sprint("Role ", n), 0)
		}
		_, err := w.Moderation.WriteRole(w.ctx, linnet.Operator(), 0, linnet.RoleChange{Name: new("One more")})
		kindIs(w.T, err, linnet.Invalid)
		w.check()
	})
}

// TestWhoHasARole checks that a user with a custom role ranks as a moderator and can give roles
// within the user's own permissions. A role in use cannot be removed.
func TestWhoHasARole(t *testing.T) {
	onEngines(t, func(w *world) {
		una, mod, eve := w.user("una"), w.user("may"), w.user("eve")
		w.user("boss")
		w.did(w.giveRole("may", linnet.Moderator))
		w.did(w.giveRole("boss", linnet.Admin))
		helper, keeper := w.madeRole("Helper", linnet.ManageUsers), w.madeRole("Keeper", linnet.ManageRoles|linnet.ManageUsers)
		w.as("una", keeper)
		give := func(on linnet.ID, r linnet.Role, custom linnet.ID) error {
			return w.Moderation.Moderate(w.ctx, linnet.By(una), linnet.Measure{On: on, Act: linnet.GiveRole, Role: r, Custom: custom})
		}
		kindIs(w.T, give(eve, linnet.Admin, 0), linnet.Forbidden)
		kindIs(w.T, give(eve, linnet.Moderator, 0), linnet.Forbidden) // moderators have more permissions
		kindIs(w.T, give(mod, linnet.Member, 0), linnet.Forbidden)    // mod is not below una
		kindIs(w.T, give(una, linnet.Member, 0), linnet.Forbidden)
		kindIs(w.T, give(eve, 0, 5), linnet.Invalid)
		w.did(give(eve, 0, helper.ID))
		kindIs(w.T, give(eve, 0, keeper.ID), linnet.Forbidden) // not below una either
		kindIs(w.T, w.moderate(linnet.By(mod), eve, linnet.Silence), linnet.Forbidden)
		kindIs(w.T, w.moderate(linnet.By(eve), mod, linnet.Silence), linnet.Forbidden)
		w.drain()
		err := w.Moderation.RemoveRole(w.ctx, linnet.Operator(), helper.ID)
		if linnet.KindOf(err) != linnet.Conflict || !strings.Contains(err.Error(), "1 person has the role “Helper”. Give them another role first") {
			w.Errorf("removed: %v", err)
		}
		roles := must(w.Moderation.Roles(w.ctx, linnet.Operator()))(w.T)
		if len(roles) != 2 || roles[0].Holders != 1 || roles[1].Name != "Keeper" {
			w.Errorf("roles %+v", roles)
		}
		must(w.Moderation.WriteRole(w.ctx, linnet.Operator(), helper.ID, linnet.RoleChange{Name: new("Aide"), Permissions: new(linnet.ManageReports), Highlighted: new(true)}))(w.T)
		w.did(w.giveRole("eve", linnet.Member))
		w.drain()
		w.did(w.Moderation.RemoveRole(w.ctx, linnet.Operator(), helper.ID))
		w.saysOfRoles()
		if log := must(w.Security.SecurityLog(w.ctx, eve))(w.T); !slices.ContainsFunc(log, func(e linnet.SecurityEntry) bool { return e.Event == linnet.RoleChanged }) {
			w.Errorf("the security log holds %+v", log)
		}
		w.check()
	})
}

// saysOfRoles checks the entries in the audit log after TestWhoHasARole.
func (w *world) saysOfRoles() {
	w.Helper()
	var says []string
	for _, a := range must(w.Moderation.Acts(w.ctx, linnet.Operator(), linnet.Page{}))(w.T).Items {
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

// TestRoleRemovedWhileGiven checks that no user ends with a removed role, if a role is removed
// between any two writes of giving it, or the other way round.
func TestRoleRemovedWhileGiven(t *testing.T) {
	for _, gives := range []bool{true, false} {
		for at := 1; at <= 5; at++ {
			t.Run(fmt.Sprint(gives, at), func(t *testing.T) {
				e := memkv.New(memkv.Options{})
				other := worldOf(t, e, store.Options{Shared: true})
				una := other.user("una")
				r := other.madeRole("Helper", linnet.ManageReports)
				other.drain()
				give := func(w *world) error {
					return w.Moderation.Moderate(w.ctx, linnet.Operator(), linnet.Measure{On: una, Act: linnet.GiveRole, Custom: r.ID})
				}
				remove := func(w *world) error { return w.Moderation.RemoveRole(w.ctx, linnet.Operator(), r.ID) }
				act, meanwhile := give, remove
				if !gives {
					act, meanwhile = remove, give
				}
				var got [2]error
				hook := &between{Engine: e, do: func() { got[1] = meanwhile(other) }}
				w := worldOf(t, hook, store.Options{Shared: true})
				hook.arm(at)
				got[0] = act(w)
				hook.arm(0)
				w.drain()
				other.drain()
				for _, err := range got {
					if err != nil && !slices.Contains([]linnet.Kind{linnet.Conflict, linnet.Invalid}, linnet.KindOf(err)) {
						t.Error(err)
					}
				}
				u := must(other.Core.LookupUser(other.ctx, una))(t)
				there := must(other.Core.ReadRoles(other.ctx))(t).Find(r.ID) != nil
				if u.Custom != 0 && !there || u.Custom == 0 && u.Role != linnet.Member {
					t.Errorf("the role is there: %v; the user is %v with %v; %v", there, u.Role, u.Custom, got)
				}
				w.check()
			})
		}
	}
}

// TestStaffAreToldByPermission checks that reports notify users who can manage reports, and
// sign-ups notify users who can manage users.
func TestStaffAreToldByPermission(t *testing.T) {
	onEngines(t, func(w *world) {
		rep, usr, nix, bob := w.user("rep"), w.user("usr"), w.user("nix"), w.user("bob")
		w.as("rep", w.madeRole("Reports", linnet.ManageReports))
		w.as("usr", w.madeRole("Users", linnet.ManageUsers))
		w.as("nix", w.madeRole("Nothing", linnet.ManageSettings))
		w.drain()
		must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{Registrations: new(linnet.RegisterOpen)}))(w.T)
		must(w.Identity.Register(w.ctx, linnet.SignUp{Login: "dan", Password: "correct horse", Agreed: true}))(w.T)
		must(w.Moderation.Report(w.ctx, bob, linnet.ReportDraft{On: nix}))(w.T)
		w.drain()
		for who, want := range map[linnet.ID]linnet.NotificationType{rep: linnet.NotifyReport, usr: linnet.NotifySignUp, nix: ""} {
			var got linnet.NotificationType
			for _, n := range must(w.Notify.Notifications(w.ctx, who, linnet.NotificationFilter{}, linnet.Page{}))(w.T).Items {
				if n.Type.Staff() {
					got += n.Type
				}
			}
			if got != want {
				w.Errorf("%v is told of %q, want %q", who, got, want)
			}
		}
		report := must(w.Moderation.Reports(w.ctx, linnet.By(rep), linnet.ReportFilter{}, linnet.Page{}))(w.T).Items[0]
		if report.OnAccount == nil || report.OnAccount.Login != "nix" || report.OnAccount.EmailConfirmed {
			w.Errorf("the report shows %+v", report.OnAccount)
		}
	})
}

// TestSecondFactorOfRoles checks that the second factor required of staff is required of users with
// custom roles too.
func TestSecondFactorOfRoles(t *testing.T) {
	onEngines(t, func(w *world) {
		una := w.user("una")
		w.as("una", w.madeRole("Helper", linnet.ManageReports))
		read := func() error {
			_, err := w.Moderation.Reports(w.ctx, linnet.By(una), linnet.ReportFilter{}, linnet.Page{})
			return err
		}
		w.did(read())
		must(w.Settings.ChangeInstance(w.ctx, linnet.Operator(), linnet.InstanceChange{StaffSecured: new(true)}))(w.T)
		if err := read(); !w.Core.Unsecured(err) {
			w.Errorf("without a second factor: %v", err)
		}
		secondFactor(w.T, w, una)
		w.did(read())
	})
}

// TestRolesOnTwoServers checks that changes of roles on one server apply on others as soon as they
// receive them.
func TestRolesOnTwoServers(t *testing.T) {
	notWhenShort(t)
	ws := servers(t, 2)
	one, two := ws[0], ws[1]
	una := one.user("una")
	settle(ws)
	r := one.madeRole("Helper", linnet.ManageReports)
	one.as("una", r)
	may := func() string {
		acting, err := two.Core.Acting(two.ctx, linnet.By(una))
		return fmt.Sprint(acting.May, err)
	}
	two.comes("the role", may, "manage_reports <nil>")
	must(one.Moderation.WriteRole(one.ctx, linnet.Operator(), r.ID, linnet.RoleChange{Permissions: new(linnet.ViewAuditLog)}))(t)
	two.comes("the change", may, "view_audit_log <nil>")
}
