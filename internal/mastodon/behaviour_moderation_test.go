package mastodon_test

import (
	"context"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/internal/mastodon"
)

const boss = "boss/read write admin:read admin:write"

// operate does to the account with a login what a command would.
func operate(login string, m linnet.Measure) func(w *world) {
	return func(w *world) {
		ctx := context.Background()
		u, err := w.svc.Moderation.AccountNamed(ctx, linnet.Operator(), login)
		if err == nil {
			m.On = u.ID
			err = w.svc.Moderation.Moderate(ctx, linnet.Operator(), m)
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// giveRole gives a user a built-in role.
func giveRole(login string, r linnet.Role) func(w *world) {
	return operate(login, linnet.Measure{Act: linnet.GiveRole, Role: r})
}

// giveOwnRole creates a custom role and gives it to a user.
func giveOwnRole(login, name string, may linnet.Permission, shown bool) func(w *world) {
	return func(w *world) {
		colour := "#1b6e4f"
		r, err := w.svc.Moderation.WriteRole(context.Background(), linnet.Operator(), 0, linnet.RoleChange{Name: &name, Colour: &colour, Permissions: &may, Highlighted: &shown})
		if err != nil {
			w.t.Fatal(err)
		}
		operate(login, linnet.Measure{Act: linnet.GiveRole, Custom: r.ID})(w)
	}
}

// setRules gives the installation rules.
func setRules(rules ...string) func(w *world) {
	return func(w *world) {
		if _, err := w.svc.Settings.ChangeInstance(context.Background(), linnet.Operator(), linnet.InstanceChange{Rules: &rules}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// moderationScenarios returns scenarios about reports and actions of moderators.
func moderationScenarios() []scenario {
	return []scenario{
		{name: "roles of one's own", people: "boss ann bob", steps: []step{
			{before: giveRole("boss", linnet.Admin), as: "ann/read", do: "GET /api/v1/accounts/verify_credentials", want: []string{"role.id=-99", "role.name=", "role.permissions=0", "role.highlighted=false", "roles#0"}},
			{as: "boss/read", do: "GET /api/v1/accounts/verify_credentials", want: []string{"role.id=2", "role.name=Admin", "role.permissions=1015263", "role.highlighted=true", "roles.0.name=Admin"}},
			{before: giveRole("boss", linnet.Moderator), as: "boss/read", do: "GET /api/v1/accounts/verify_credentials", want: []string{"role.id=1", "role.permissions=593180"}},
			{before: giveOwnRole("ann", "Helper", linnet.ManageReports, true), as: "ann/read", do: "GET /api/v1/accounts/verify_credentials",
				want: []string{"role.name=Helper", "role.color=#1b6e4f", "role.permissions=16", "role.highlighted=true", "roles.0.name=Helper", "roles.0.color=#1b6e4f"}, save: "role=role.id"},
			{do: "GET /api/v1/accounts/{ann}", want: []string{"roles.0.id={role}", "roles.0.name=Helper"}},
			{before: giveOwnRole("bob", "Quiet", linnet.ManageUsers, false), do: "GET /api/v1/accounts/{bob}", want: []string{"roles#0"}},
			{as: "bob/admin:read", do: "GET /api/v1/admin/accounts/{ann}", want: []string{"role.id={role}", "role.name=Helper", "role.permissions=16", "role.position=100"}},
			{as: "bob/admin:read", do: "GET /api/v2/admin/accounts?permissions=staff", want: []string{"*.username=bob ann boss"}},
			{as: "bob/admin:write", do: "POST /api/v1/admin/accounts/{ann}/action", body: "type=suspend", code: 403},
		}},
		{name: "reports", people: "boss ann bob", steps: []step{
			{before: giveRole("boss", linnet.Moderator), as: "bob", do: "POST /api/v1/statuses", body: "status=spam&visibility=unlisted", save: "s=id"},
			{as: "ann", do: "POST /api/v1/statuses", body: "status=mine", save: "mine=id"},
			{before: setRules("Be kind.", "No spam."), as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&status_ids[]={s}&status_ids[]={mine}&comment=Look&category=spam&forward=true",
				want: []string{"status_ids#1", "status_ids.0={s}", "category=spam", "comment=Look", "action_taken=false", "action_taken_at=null", "forwarded=false", "rule_ids=null", "target_account.id={bob}"}, save: "report=id"},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&status_ids[]={s}&status_ids[]={mine}&comment=Look&category=spam", want: []string{"id={report}"}},
			{as: "ann", do: "POST /api/v1/reports/", body: `{"account_id":"{bob}","rule_ids":[2,"1"]}`, want: []string{"category=violation", "rule_ids.0=1", "rule_ids.1=2", "status_ids#0"}, save: "second=id"},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&rule_ids[]=3", code: 422, want: []string{"details.rule_ids.0.error=ERR_INVALID"}},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&category=dull", code: 422},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={ann}", code: 422},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}&comment=" + strings.Repeat("x", 1001), code: 422, want: []string{"details.comment.0.error=ERR_TOO_LONG"}},
			{as: "ann", do: "POST /api/v1/reports", body: "account_id=5", code: 404}, {as: "ann", do: "POST /api/v1/reports", code: 404},
			{do: "POST /api/v1/reports", body: "account_id={bob}", code: 401}, {as: "ann/read", do: "POST /api/v1/reports", body: "account_id={bob}", code: 403},
			{as: boss, do: "GET /api/v1/notifications", want: []string{"#2", "1.type=admin.report", "1.account.acct=ann", "1.report.id={report}", "1.report.target_account.acct=bob"}},
			{as: boss, do: "GET /api/v1/notifications?types[]=admin.report", want: []string{"#2"}},
			{as: "ann", do: "GET /api/v1/notifications", want: []string{"#0"}}, {as: "bob", do: "GET /api/v1/notifications", want: []string{"#0"}},
			{as: boss, do: "GET /api/v1/admin/reports", want: []string{"#2", "1.id={report}", "1.account.username=ann", "1.target_account.username=bob", "1.statuses.0.id={s}", "0.rules.1.text=No spam.", "1.assigned_account=null"}},
			{as: boss, do: "GET /api/v1/admin/reports?limit=1", want: []string{"#1", "0.id={second}", "Link~max_id={second}"}},
			{as: boss, do: "GET /api/v1/admin/reports?max_id={second}", want: []string{"#1", "0.id={report}"}},
			{as: boss, do: "GET /api/v1/admin/reports?target_account_id={bob}", want: []string{"#2"}},
			{as: boss, do: "GET /api/v1/admin/reports?account_id={ann}", want: []string{"#2"}},
			{as: boss, do: "GET /api/v1/admin/reports?account_id={bob}", want: []string{"#0"}},
			{as: boss, do: "GET /api/v1/admin/reports?target_account_id={ann}", want: []string{"#0"}},
			{as: boss, do: "POST /api/v1/admin/reports/{report}/assign_to_self", want: []string{"assigned_account.username=boss"}},
			{as: boss, do: "POST /api/v1/admin/reports/{report}/unassign", want: []string{"assigned_account=null"}},
			{as: boss, do: "PUT /api/v1/admin/reports/{report}", body: "category=violation&rule_ids[]=1", want: []string{"category=violation", "rules.0.text=Be kind."}},
			{as: boss, do: "POST /api/v1/admin/reports/{report}/resolve", want: []string{"action_taken=true", "action_taken_by_account.username=boss"}},
			{as: boss, do: "GET /api/v1/admin/reports?resolved=true", want: []string{"#1", "0.id={report}"}},
			{as: boss, do: "GET /api/v1/admin/reports", want: []string{"#1"}},
			{as: boss, do: "POST /api/v1/admin/reports/{report}/reopen", want: []string{"action_taken=false", "action_taken_at=null"}},
			{as: boss, do: "GET /api/v1/admin/reports/{report}", want: []string{"action_taken=false"}},
			{as: boss, do: "GET /api/v1/admin/reports/77", code: 404},
			{as: boss, do: "POST /api/v1/admin/measures", body: "keys[]=opened_reports&keys[]=new_users&keys[]=resolved_reports&keys[]=nonsense&start_at=2020-01-01&end_at=2020-01-02", want: []string{"#3", "0.key=opened_reports", "0.total=0", "0.data#2"}},
			{as: boss, do: "POST /api/v1/admin/measures", body: "keys[]=new_users&start_at=x&end_at=2020-01-02", code: 422},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=suspend&text=enough&report_id={report}"},
			{as: boss, do: "GET /api/v1/admin/reports", want: []string{"#0"}},
			{as: boss, do: "GET /api/v1/admin/reports/{report}", want: []string{"statuses.0.id={s}", "target_account.suspended=true"}},
			{as: boss, do: "GET /api/v1/linnet/admin/audit", want: []string{"2.action=suspend", "2.reason=enough", "2.account.acct=boss", "2.target_account.acct=bob", "2.report_id={report}", "0.action=resolve"}},
			{before: giveRole("boss", linnet.Member), as: boss, do: "GET /api/v1/notifications", want: []string{"#0"}},
		}},
		{name: "accounts for moderators", people: "boss chief ann bob", steps: []step{
			{before: giveRole("boss", linnet.Moderator), as: boss, do: "GET /api/v1/admin/accounts", want: []string{"#4", "0.username=bob", "3.role.name=Moderator", "0.approved=true", "0.ip=null", "0.account.acct=bob", "0.domain=null"}},
			{before: giveRole("chief", linnet.Admin), as: boss, do: "GET /api/v2/admin/accounts?limit=2", want: []string{"#2", "1.username=ann", "Link~max_id={ann}"}},
			{as: boss, do: "GET /api/v2/admin/accounts?max_id={ann}", want: []string{"#2", "0.username=chief"}},
			{as: boss, do: "GET /api/v2/admin/accounts?permissions=staff", want: []string{"*.username=chief boss"}},
			{as: boss, do: "GET /api/v1/admin/accounts?username=an", want: []string{"*.username=ann"}},
			{as: boss, do: "GET /api/v1/admin/accounts?remote=true", want: []string{"#0"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=silence"},
			{as: boss, do: "GET /api/v1/admin/accounts?silenced=true", want: []string{"*.username=bob"}},
			{as: "ann", do: "GET /api/v1/accounts/{bob}", want: []string{"limited=true"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=early", want: []string{"sensitive=false"}, save: "early=id"}, {do: "GET /api/v1/statuses/{early}", want: []string{"sensitive=false"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=sensitive&text=loud"},
			{as: boss, do: "GET /api/v1/admin/accounts?sensitized=true", want: []string{"*.username=bob", "0.sensitized=true", "0.suspended=false"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=loud&sensitive=false", want: []string{"sensitive=true", "spoiler_text="}, save: "loud=id"},
			{do: "GET /api/v1/statuses/{early}", want: []string{"sensitive=true"}}, {do: "GET /api/v1/accounts/{bob}/statuses", want: []string{"#2", "1.content=<p>early</p>", "1.sensitive=true"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/unsensitive", want: []string{"sensitized=false"}},
			{as: boss, do: "GET /api/v1/admin/accounts?sensitized=true", want: []string{"#0"}},
			{as: "bob", do: "POST /api/v1/statuses", body: "status=calm", want: []string{"sensitive=false"}}, {do: "GET /api/v1/statuses/{loud}", want: []string{"sensitive=true"}}, {do: "GET /api/v1/statuses/{early}", want: []string{"sensitive=false"}},
			{as: boss, do: "GET /api/v1/linnet/admin/audit", want: []string{"0.action=unsensitive", "1.action=sensitive", "1.reason=loud", "1.target_account.acct=bob"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/unsilence", want: []string{"silenced=false"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: `{"type":"disable"}`}, {as: "bob", do: "GET /api/v1/timelines/home", code: 401},
			{as: boss, do: "GET /api/v2/admin/accounts?status=disabled", want: []string{"#1"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/enable", want: []string{"disabled=false"}},
			{as: "bob", do: "GET /api/v1/timelines/home"},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=suspend"},
			{as: "bob", do: "GET /api/v1/timelines/home", code: 401},
			{as: boss, do: "GET /api/v2/admin/accounts?status=suspended", want: []string{"*.username=bob"}},
			{as: boss, do: "GET /api/v1/admin/accounts?username=bob", want: []string{"0.suspended=true"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/unsuspend", want: []string{"suspended=false"}}, {as: "bob", do: "GET /api/v1/timelines/home"},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=none&text=warned"},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=explode", code: 422},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=none&text=" + strings.Repeat("x", 1001), code: 422},
			{as: boss, do: "POST /api/v1/admin/accounts/{chief}/action", body: "type=suspend", code: 403, want: []string{"error=This action is not allowed"}},
			{as: boss, do: "POST /api/v1/admin/accounts/{boss}/action", body: "type=silence", code: 403},
			{as: boss, do: "POST /api/v1/admin/accounts/{bob}/approve", code: 403},
			{as: boss, do: "GET /api/v1/admin/accounts/5", code: 404}, {as: boss, do: "POST /api/v1/admin/accounts/5/action", body: "type=suspend", code: 404},
			{as: boss, do: "GET /api/v2/admin/accounts?status=odd", code: 422},
			{as: boss, do: "DELETE /api/v1/admin/accounts/{bob}", code: 403}, {as: boss, do: "POST /api/v1/admin/accounts/{bob}/action", body: "type=suspend"},
			{as: boss, do: "DELETE /api/v1/admin/accounts/{bob}", want: []string{"username=bob", "suspended=true"}},
			{as: boss, do: "GET /api/v1/admin/accounts/{bob}", code: 404},
			{as: "chief/admin:write", do: "POST /api/v1/admin/accounts/{boss}/action", body: "type=suspend"},
			{as: boss, do: "GET /api/v1/admin/accounts", code: 401},
			{as: "chief/read", do: "GET /api/v1/accounts/verify_credentials", want: []string{"role.permissions=1015263"}},
		}},
	}
}

// TestStaffOnly checks that the routes of staff refuse members with all scopes, and moderators
// without scopes.
func TestStaffOnly(t *testing.T) {
	e := memkv.New(memkv.Options{})
	w := newWorld(t, e, mastodon.Options{}, "boss", "ann", "bob")
	giveRole("boss", linnet.Admin)(w)
	w.run([]step{{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}", save: "report=id"}})
	const all = "/read write follow push admin:read admin:write"
	for _, who := range []string{"ann" + all, "bob" + all, "boss/read write", "boss/admin:read", "boss/admin:write"} {
		w.as(who)
	}
	w.settle()
	before, routes := fingerprint(t, e), 0
	for _, row := range w.api.(*mastodon.API).Rows() {
		if !strings.Contains(row.Path, "/admin/") {
			continue
		}
		routes++
		path := strings.NewReplacer("accounts/{id}", "accounts/{bob}", "reports/{id}", "reports/{report}").Replace(row.Path)
		as := map[string]int{"": 401, "ann" + all: 403, "bob" + all: 403, "boss/read write": 403, "boss/admin:read": 403, "boss/admin:write": 403}
		if strings.HasPrefix(row.Scopes, "admin:read") {
			as["boss/admin:read"] = 0
		} else {
			delete(as, "boss/admin:write")
		}
		for who, code := range as {
			w.call(who, row.Method+" "+path, "type=suspend&category=spam", "")
			if code != 0 && w.last.Code != code || code == 403 && strings.Contains(w.last.Body.String(), "username") {
				t.Errorf("%s %s as %s: %d %s", row.Method, row.Path, who, w.last.Code, w.last.Body)
			}
		}
	}
	w.settle()
	if after := fingerprint(t, e); after != before {
		t.Errorf("something was changed:\n%s\nbefore:\n%s", after, before)
	}
	if routes < 18 {
		t.Errorf("only %d routes", routes)
	}
}

// staffNeeds returns the permissions that a staff route requires, by the longest matching prefix.
func staffNeeds(method, path string) (needs linnet.Permission) {
	longest := ""
	for prefix, p := range map[string]linnet.Permission{
		"/api/v1/admin/": linnet.ManageUsers, "/api/v2/admin/": linnet.ManageUsers, "/api/v1/admin/reports": linnet.ManageReports, "/api/v1/admin/measures": linnet.ViewDashboard,
		"/api/v1/admin/dimensions": linnet.ViewDashboard, "/api/v1/admin/retention": linnet.ViewDashboard, "/api/v1/admin/email_domain_blocks": linnet.ManageBlocks, "/api/v1/admin/ip_blocks": linnet.ManageBlocks, "/api/v1/admin/canonical_email_blocks": linnet.ManageBlocks,
		"/api/v1/admin/trends": linnet.ManageTaxonomies, "/api/v1/admin/tags": linnet.ManageTaxonomies, "/api/v1/linnet/admin/audit": linnet.ViewAuditLog,
		"/api/v1/linnet/admin/accounts": linnet.ManageUsers, "/api/v1/linnet/admin/appeals": linnet.ManageUsers, "/api/v1/linnet/admin/strikes": linnet.ManageUsers, "/api/v1/linnet/admin/statuses": linnet.ManageReports,
	} {
		if strings.HasPrefix(path, prefix) && len(prefix) > len(longest) {
			longest, needs = prefix, p
		}
	}
	if method == "DELETE" && needs == linnet.ManageUsers {
		needs |= linnet.DeleteUserData
	}
	return needs
}

// TestStaffByPermission checks that a single permission only opens the routes that require it.
func TestStaffByPermission(t *testing.T) {
	ctx := context.Background()
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, "boss", "ann", "bob")
	name := "Helper"
	r, err := w.svc.Moderation.WriteRole(ctx, linnet.Operator(), 0, linnet.RoleChange{Name: &name})
	if err != nil {
		t.Fatal(err)
	}
	operate("boss", linnet.Measure{Act: linnet.GiveRole, Custom: r.ID})(w)
	w.run([]step{{as: "ann", do: "POST /api/v1/reports", body: "account_id={bob}", save: "report=id"}})
	for _, d := range linnet.AllPermissions()[1:] {
		if _, err := w.svc.Moderation.WriteRole(ctx, linnet.Operator(), r.ID, linnet.RoleChange{Permissions: &d.Permission}); err != nil {
			t.Fatal(err)
		}
		for _, row := range w.api.(*mastodon.API).Rows() {
			if !strings.Contains(row.Path, "/admin/") {
				continue
			}
			path := strings.NewReplacer("accounts/{id}", "accounts/{bob}", "reports/{id}", "reports/{report}").Replace(row.Path)
			w.call(boss, row.Method+" "+path, "type=none&category=spam&start_at=2026-01-01&end_at=2026-01-02", "")
			body := w.last.Body.String()
			if refused := w.last.Code == 403 && strings.Contains(body, "This action is not allowed"); refused != !d.Permission.Has(staffNeeds(row.Method, row.Path)) {
				t.Errorf("%s %s with %s: %d %s", row.Method, row.Path, d.Name, w.last.Code, body)
			}
			if strings.Contains(path, "/reports") && strings.Contains(body, "bob@") {
				t.Errorf("%s %s shows an address: %s", row.Method, row.Path, body)
			}
		}
	}
}

// TestReports checks that users cannot report objects that they cannot see.
func TestReports(t *testing.T) {
	w := newWorld(t, memkv.New(memkv.Options{}), mastodon.Options{}, author, follower, mentioned, requester, other, "boss")
	giveRole("boss", linnet.Moderator)(w)
	prepareMatrix(w)
	for _, vis := range visibilities {
		for _, viewer := range viewers[1:5] {
			w.vars["s"] = w.vars["s_"+vis]
			w.run([]step{{as: viewer, do: "POST /api/v1/reports", body: "account_id={ann}&status_ids[]={s}&comment=" + vis, save: "r=id"}})
			shown := strings.Contains(w.last.Body.String(), w.vars["s"])
			w.run([]step{{as: boss, do: "GET /api/v1/admin/reports/{r}"}})
			told := strings.Contains(w.last.Body.String(), w.vars["s"])
			if sees := maySee(viewer, vis); shown != sees || told != sees {
				t.Errorf("%s reports a %s status: %v, moderators see it: %v", viewer, vis, shown, told)
			}
		}
	}
}
