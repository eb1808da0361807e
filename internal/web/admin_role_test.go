package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web"
)

// adminNeeds returns the permission that each admin page requires. The longest matching prefix of a
// path counts.
func adminNeeds() map[string]linnet.Permission {
	return map[string]linnet.Permission{
		"/admin/overview": linnet.ViewDashboard, "/admin/users": linnet.ManageUsers, "/admin/feeds": linnet.ManageUsers, "/admin/reports": linnet.ManageReports, "/admin/invites": linnet.ManageInvites, "/admin/audit": linnet.ViewAuditLog,
		"/admin/tasks": linnet.ViewDevops, "/admin/store": linnet.ViewDevops, "/admin/health": linnet.ViewDevops, "/admin/start": linnet.Administrator,
		"/admin/announcements": linnet.ManageAnnouncements, "/admin/emoji": linnet.ManageCustomEmojis, "/admin/login": linnet.ManageRoles, "/admin/roles": linnet.ManageRoles,
		"/admin/settings": linnet.ManageSettings, "/admin/settings/rules": linnet.ManageRules, "/admin/settings/signup/blocks": linnet.ManageBlocks, "/admin/terms": linnet.ManageSettings,
	}
}

// needsOf returns the permission that the page requires.
func needsOf(path string) (needs linnet.Permission) {
	longest := ""
	for prefix, p := range adminNeeds() {
		if strings.HasPrefix(path, prefix) && len(prefix) > len(longest) {
			longest, needs = prefix, p
		}
	}
	return needs
}

// helper creates a role with the permissions and assigns it to the account.
func (w *world) helper(login string, may linnet.Permission) linnet.CustomRole {
	w.t.Helper()
	name := "Helper"
	r, err := w.svc.Moderation.WriteRole(w.t.Context(), linnet.Operator(), 0, linnet.RoleChange{Name: &name, Permissions: &may})
	if err != nil {
		w.t.Fatal(err)
	}
	w.operate(login, linnet.Measure{Act: linnet.GiveRole, Custom: r.ID})
	return r
}

// TestAdminByPermission checks that each permission opens its own pages and no others. The
// navigation shows only these pages, and other forms return 404.
func TestAdminByPermission(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.user("una")
	r := w.helper("una", 0)
	report := w.report(ann.ID, bob.ID)
	b := w.browser().logIn("una")
	want(t, b.get("/admin"), http.StatusNotFound)
	pages := append(adminPages(report)[1:], "/admin/overview", "/admin/settings/rules", rolePath(r.ID))
	for _, d := range linnet.AllPermissions()[1:] {
		if _, err := w.svc.Moderation.WriteRole(t.Context(), linnet.Operator(), r.ID, linnet.RoleChange{Permissions: &d.Permission}); err != nil {
			t.Fatal(err)
		}
		home := b.get("/admin")
		for _, path := range pages {
			code, open := b.get(path).StatusCode, needsOf(path) == d.Permission || path == "/admin/settings/rules" && d.Permission == linnet.ManageSettings
			if open != (code == http.StatusOK) || !open && code != http.StatusNotFound {
				t.Errorf("%s with %s: %d", path, d.Name, code)
			}
			if l := home.Header.Get("Location"); l == path && !open || strings.Contains(home.body, `href="`+path+`"`) && !open {
				t.Errorf("/admin leads to %s with %s", path, d.Name)
			}
		}
		for _, rt := range web.AdminRoutes() {
			path := strings.NewReplacer("{login}", "bob", "{act}", "suspend", "{section}", "look").Replace(rt.Pattern)
			if !rt.Post || strings.Contains(path, "{") || needsOf(path) == d.Permission {
				continue
			}
			b.get("/compose")
			if path == "/admin/settings" && d.Permission == linnet.ManageRules {
				continue
			}
			want(t, b.post(path, "text", "x"), http.StatusNotFound)
		}
	}
	if u, err := w.svc.Moderation.Account(t.Context(), linnet.Operator(), bob.ID); err != nil || u.Suspended {
		t.Errorf("bob is %+v, %v", u.User, err)
	}
}

// TestReportsAlone checks that a role with ManageReports alone can read and resolve reports.
// Actions that need other permissions are not offered.
func TestReportsAlone(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.user("una")
	w.helper("una", linnet.ManageReports)
	report := w.report(ann.ID, bob.ID)
	b := w.browser().logIn("una")
	want(t, b.get("/admin"), http.StatusOK, "href=\"/admin/reports\"")
	a := b.get(report)
	want(t, a, http.StatusOK, `href="/@bob"`, "Resolve")
	for _, not := range []string{"/admin/users", "/admin/audit", "Act on"} {
		if strings.Contains(a.body, not) {
			t.Errorf("the report shows %q", not)
		}
	}
	want(t, b.post(report, "do", "act", "act", "suspend"), http.StatusNotFound)
	wantTo(t, b.post(report, "do", "resolve"), report+"?done=saved")
	want(t, b.get("/"), http.StatusOK, `href="/admin"`)
}

// TestRolePages checks that an administrator can create a role, assign it and delete it once it is
// unused. Validation errors keep the entered values.
func TestRolePages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("bob")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	want(t, b.get("/admin/roles"), http.StatusOK, "No custom roles yet.", "Manage reports")
	want(t, b.post("/admin/roles", "name", "Admin", "colour", "green", "may-manage_reports", "on"), http.StatusUnprocessableEntity, ", which is reserved", `value="green"`)
	want(t, b.post("/admin/roles", "name", "Helper", "colour", "green"), http.StatusUnprocessableEntity, "must be a colour such as #1b6e4f", `value="Helper"`)
	wantTo(t, b.post("/admin/roles", "name", "Helper", "colour", "#1B6E4F", "highlighted", "on", "may-manage_reports", "on", "may-administrator", "on"), "/admin/roles?done=saved")
	roles, err := w.svc.Moderation.Roles(t.Context(), linnet.Operator())
	if err != nil || len(roles) != 1 || roles[0].Permissions != linnet.ManageReports || roles[0].Colour != "#1b6e4f" {
		t.Fatalf("roles %+v, %v", roles, err)
	}
	path := rolePath(roles[0].ID)
	want(t, b.get("/admin/roles"), http.StatusOK, path, ">Helper<")
	want(t, b.get("/admin/users/bob/role"), http.StatusOK, ">Helper<", ">Administrator<")
	wantTo(t, b.post("/admin/users/bob/role", "role", roles[0].ID.String()), "/admin/users/bob?done=saved")
	want(t, b.get("/admin/users/bob"), http.StatusOK, "Helper")
	want(t, w.browser().get("/@bob"), http.StatusOK, "Helper", `fill="#1b6e4f"`)
	want(t, b.get(path), http.StatusOK, "You can only delete a role that no one has. Give everyone with this role another role first.", `value="Helper"`)
	want(t, b.post(path, "do", "delete"), http.StatusUnprocessableEntity, "1 person has the role")
	wantTo(t, b.post(path, "name", "Aide", "colour", ""), path+"?done=saved")
	if body := w.browser().get("/@bob").body; strings.Contains(body, "Aide") {
		t.Error("a role that is not to be shown is")
	}
	b.get("/admin/users/bob/role")
	wantTo(t, b.post("/admin/users/bob/role", "role", "member"), "/admin/users/bob?done=saved")
	b.get(path)
	wantTo(t, b.post(path, "do", "delete"), "/admin/roles?done=saved")
	want(t, b.get(path), http.StatusNotFound)
	b.get("/admin/roles")
	for n := range linnet.MaxRoles {
		name := fmt.Sprintf("Helper %d", n)
		if _, err := w.svc.Moderation.WriteRole(t.Context(), linnet.Operator(), 0, linnet.RoleChange{Name: &name}); err != nil {
			t.Fatal(err)
		}
	}
	want(t, b.post("/admin/roles", "name", "One more"), http.StatusUnprocessableEntity, "<h1>Invalid input</h1>", "There can be at most 20 roles", "One more")
	eventually(t, "the log has it", func() bool {
		body := b.get("/admin/audit").body
		return strings.Contains(body, "add role") && strings.Contains(body, "Aide → member") && strings.Contains(body, "delete role")
	})
}

// TestInviteAlone checks that a role with InviteUsers alone creates invitations in the settings.
func TestInviteAlone(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.open()
	w.user("una")
	w.helper("una", linnet.InviteUsers)
	b := w.browser().logIn("una")
	want(t, b.get("/settings/profile"), http.StatusOK, "/settings/invites")
	want(t, b.get("/settings/invites"), http.StatusOK, "Create invitation")
	want(t, b.post("/settings/invites", "uses", "30", "expires", "0"), http.StatusOK, "Invitation created.")
	want(t, b.post("/admin/invites", "uses", "1"), http.StatusNotFound)
}
