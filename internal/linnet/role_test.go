package linnet_test

import (
	"testing"

	"linnet/internal/linnet"
)

// What the built-in roles may do, permission by permission: nothing of it changes unless it is
// meant to. The numbers are Mastodon's.
func TestPermissionsOfRoles(t *testing.T) {
	for _, row := range []struct {
		name             string
		bit              int
		moderator, admin bool
	}{
		{"administrator", 0, false, true}, {"view_devops", 1, false, true}, {"view_audit_log", 2, true, true}, {"view_dashboard", 3, true, true},
		{"manage_reports", 4, true, true}, {"manage_settings", 6, false, true}, {"manage_blocks", 7, false, true}, {"manage_taxonomies", 8, true, true},
		{"manage_users", 10, true, true}, {"manage_invites", 11, true, true}, {"manage_rules", 12, false, true}, {"manage_announcements", 13, false, true},
		{"manage_custom_emojis", 14, false, true}, {"invite_users", 16, true, true}, {"manage_roles", 17, false, true}, {"manage_user_access", 18, false, true},
		{"delete_user_data", 19, true, true},
	} {
		p, ok := linnet.PermissionNamed(row.name)
		if !ok || p != 1<<row.bit {
			t.Errorf("%s is %d, %v", row.name, p, ok)
		}
		for role, want := range map[linnet.Role]bool{linnet.Member: false, linnet.Moderator: row.moderator, linnet.Admin: row.admin} {
			if got := role.Permissions().Has(p); got != want {
				t.Errorf("%v may %s: %v, want %v", role, row.name, got, want)
			}
		}
	}
	if n := len(linnet.AllPermissions()); n != 17 {
		t.Errorf("%d permissions", n)
	}
	if len(linnet.Everything().Names()) != 17 || linnet.Admin.Permissions() != linnet.Everything() {
		t.Error("administrators may not do everything")
	}
	if _, ok := linnet.PermissionNamed("manage_federation"); ok {
		t.Error("a permission that means nothing here")
	}
}

func TestRoleSet(t *testing.T) {
	set := &linnet.RoleSet{Version: 1, Roles: []linnet.CustomRole{{ID: 7, Name: "Helper", Permissions: linnet.ManageReports}}}
	for _, tc := range []struct {
		set  *linnet.RoleSet
		of   linnet.User
		may  linnet.Permission
		name string
	}{
		{set, linnet.User{}, 0, "member"}, {set, linnet.User{Role: linnet.Moderator}, linnet.Moderator.Permissions(), "moderator"},
		{nil, linnet.User{Role: linnet.Admin}, linnet.Everything(), "admin"}, {set, linnet.User{Role: linnet.Moderator, Custom: 7}, linnet.ManageReports, "Helper"},
		{set, linnet.User{Role: linnet.Moderator, Custom: 8}, 0, linnet.DeletedRole}, {nil, linnet.User{Role: linnet.Moderator, Custom: 7}, 0, linnet.DeletedRole},
	} {
		if may, name := tc.set.May(&tc.of), tc.set.NameOf(&tc.of); may != tc.may || name != tc.name {
			t.Errorf("%+v: %v %q", tc.of, may, name)
		}
	}
	if set.Named("hELPER") == nil || set.Named("Helpers") != nil {
		t.Error("names")
	}
}

func TestNeedsOfSettings(t *testing.T) {
	yes, rules := true, []string{"x"}
	for want, c := range map[linnet.Permission]linnet.InstanceChange{
		linnet.ManageSettings: {}, linnet.ManageRules: {Rules: &rules}, linnet.ManageRoles: {StaffSecured: &yes},
		linnet.ManageRules | linnet.ManageSettings: {Rules: &rules, Private: &yes}, linnet.ManageRoles | linnet.ManageSettings: {StaffSecured: &yes, Trends: &yes},
	} {
		if got := c.Needs(); got != want {
			t.Errorf("%v for %v", got.Names(), want.Names())
		}
	}
}
