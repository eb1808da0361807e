package web_test

import (
	"encoding/xml"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/task"
	"linnet/internal/web"
)

// operate applies a moderation measure as the operator.
func (w *world) operate(login string, m linnet.Measure) {
	w.t.Helper()
	u, err := w.svc.Moderation.AccountNamed(w.t.Context(), linnet.Operator(), login)
	if err == nil {
		m.On = u.ID
		err = w.svc.Moderation.Moderate(w.t.Context(), linnet.Operator(), m)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// role assigns a built-in role.
func (w *world) role(login string, r linnet.Role) {
	w.t.Helper()
	w.operate(login, linnet.Measure{Act: linnet.GiveRole, Role: r})
}

// report reports an account and returns the path of the report.
func (w *world) report(by, on linnet.ID, statuses ...linnet.ID) string {
	w.t.Helper()
	r, err := w.svc.Moderation.Report(w.t.Context(), by, linnet.ReportDraft{On: on, Statuses: statuses, Comment: "rude", Category: linnet.ReportSpam})
	if err != nil {
		w.t.Fatal(err)
	}
	return "/admin/reports/" + r.ID.String()
}

// adminPages returns the paths of the admin pages.
func adminPages(report string) []string {
	return []string{"/admin", "/admin/users", "/admin/users/bob", "/admin/users/bob/suspend", "/admin/reports", report, "/admin/invites", "/admin/audit",
		"/admin/tasks", "/admin/store", "/admin/health", "/admin/settings", "/admin/settings/look", "/admin/settings/signup/blocks", "/admin/login", "/admin/roles", "/admin/start", "/admin/emoji", "/admin/announcements", "/admin/terms"}
}

// TestAdminIsForStaff checks that admin pages return 404 to members and visitors. Some are only
// available to administrators.
func TestAdminIsForStaff(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.user("una")
	w.role("ann", linnet.Admin)
	w.role("una", linnet.Moderator)
	report := w.report(ann.ID, bob.ID)
	boss, mod, member := w.browser().logIn("ann"), w.browser().logIn("una"), w.browser().logIn("bob")
	for _, path := range adminPages(report) {
		want(t, boss.get(path), http.StatusOK)
		onlyAdmin := path == "/admin/tasks" || path == "/admin/store" || path == "/admin/health" || strings.HasPrefix(path, "/admin/settings") || path == "/admin/login" || path == "/admin/roles" || path == "/admin/start" || path == "/admin/emoji" || path == "/admin/announcements" || path == "/admin/terms"
		if code := mod.get(path).StatusCode; (code == http.StatusOK) == onlyAdmin {
			t.Errorf("%s as a moderator: %d", path, code)
		}
		nowhere := ids(member.get("/@nobody").body)
		if a := member.get(path); a.StatusCode != http.StatusNotFound || ids(a.body) != nowhere {
			t.Errorf("%s as a member: %d", path, a.StatusCode)
		}
		if a := w.browser().get(path); a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/login") {
			t.Errorf("%s as nobody: %d", path, a.StatusCode)
		}
	}
	for _, rt := range web.AdminRoutes() {
		if !rt.Post {
			continue
		}
		path := strings.NewReplacer("{login}", "bob", "{act}", "suspend", "{id}", strings.TrimPrefix(report, "/admin/reports/")).Replace(rt.Pattern)
		member.get("/compose")
		want(t, member.post(path, "do", "resolve", "text", "x", "act", "suspend"), http.StatusNotFound)
	}
	if u, err := w.svc.Moderation.Account(t.Context(), linnet.Operator(), bob.ID); err != nil || u.Suspended {
		t.Errorf("bob is %+v, %v", u.User, err)
	}
	if body := member.get("/").body; strings.Contains(body, "/admin") {
		t.Error("a member is shown the way to administration")
	}
	want(t, boss.get("/"), http.StatusOK, `href="/admin"`)
	w.role("ann", linnet.Member)
	want(t, boss.get("/admin"), http.StatusNotFound)
}

func TestAdminUsers(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	w.user("bob")
	const path = "/admin/users/bob"
	want(t, b.get("/admin/users"), http.StatusOK, path, `>@ann<`)
	if a := b.get("/admin/users?state=suspended"); strings.Contains(a.body, path) {
		t.Error("bob is listed as suspended")
	}
	for _, act := range []struct{ do, undo, state string }{{"silence", "unsilence", "silenced"}, {"disable", "enable", "disabled"}, {"suspend", "unsuspend", "suspended"}} {
		want(t, b.get(path), http.StatusOK, path+"/"+act.do, "active")
		want(t, b.get(path+"/"+act.undo), http.StatusNotFound)
		want(t, b.get(path+"/"+act.do), http.StatusOK, ">Cancel<", `name="text"`)
		wantTo(t, b.post(path+"/"+act.do, "text", "was "+act.do), path+"?done=saved")
		want(t, b.get(path), http.StatusOK, act.state, path+"/"+act.undo)
		want(t, b.get("/admin/users?state="+map[string]string{"disabled": "disabled"}[act.state]+strings.ReplaceAll(act.state, "disabled", "")), http.StatusOK, path)
		b.get(path + "/" + act.undo)
		wantTo(t, b.post(path+"/"+act.undo, "text", ""), path+"?done=saved")
	}
	b.get(path + "/suspend")
	long := strings.Repeat("x", linnet.MaxReason+1)
	want(t, b.post(path+"/suspend", "text", long), http.StatusUnprocessableEntity, "Reason is too long", long)
	eventually(t, "the acts are logged", func() bool {
		body := b.get("/admin/audit").body
		return strings.Contains(body, "was silence") && strings.Contains(body, "was disable") && strings.Contains(body, "unsuspend")
	})
	b.get(path + "/role")
	want(t, b.post(path+"/role", "role", "king"), http.StatusUnprocessableEntity, "Role doesn't exist")
	wantTo(t, b.post(path+"/role", "role", "moderator"), path+"?done=saved")
	want(t, b.get(path), http.StatusOK, "moderator")
	want(t, b.get("/admin/users?staff=1"), http.StatusOK, path)
	want(t, b.get("/admin/users/ann/suspend"), http.StatusNotFound) // staff cannot act on themselves
	want(t, b.get("/admin/users/nobody"), http.StatusNotFound)
	mod := w.browser().logIn("bob")
	want(t, mod.get("/admin/users/ann/suspend"), http.StatusNotFound) // nor on higher roles
	want(t, b.get("/admin/users?q=bo"), http.StatusOK, path)
	want(t, b.get("/admin/users?max_id=x"), http.StatusUnprocessableEntity)
}

// TestGroupsAreNotPeople checks that groups are counted and listed separately from people.
func TestGroupsAreNotPeople(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.user("birdy")
	w.role("ann", linnet.Admin)
	for login, kind := range map[string]linnet.GroupKind{"birds": linnet.PublicGroup, "birdsong": linnet.Chat} {
		if _, err := w.svc.Groups.CreateGroup(t.Context(), ann.ID, linnet.NewGroup{Login: login, Name: "The " + login, Kind: kind}); err != nil {
			t.Fatal(err)
		}
	}
	b := w.browser().logIn("ann")
	want(t, w.browser().get("/"), http.StatusOK, "2 people, ")
	want(t, b.get("/admin"), http.StatusOK, `<dt>People</dt><dd><bdi>2</bdi>`, `<dt>Groups</dt><dd><bdi>2</bdi>`)
	want(t, b.get("/admin/store"), http.StatusOK, `<dt>People</dt><dd><bdi>2</bdi>`, `<dt>Groups</dt><dd><bdi>2</bdi>`)
	const person, group, chat = `href="/admin/users/birdy"`, `href="/admin/users/birds"`, `href="/admin/users/birdsong"`
	for path, in := range map[string]struct{ shown, missing []string }{
		"/admin/users":          {[]string{">People</h1>", person}, []string{group, chat}},
		"/admin/users?groups=1": {[]string{">Groups</h1>", group, chat, "Members"}, []string{person}},
		"/admin/users?q=bird":   {[]string{person, "<h2>Groups</h2>", group, chat}, nil},
		"/admin/users/birds":    {[]string{"All groups", "<dt>Type</dt>", "<dt>Members</dt>"}, []string{"<dt>Role</dt>", "All people"}},
		"/explore":              {[]string{`href="/@birdy"`}, []string{`href="/@birds"`, `href="/@birdsong"`}},
		"/groups/find":          {[]string{`href="/@birds"`}, []string{`href="/@birdy"`, `href="/@birdsong"`}},
	} {
		a := b.get(path)
		want(t, a, http.StatusOK, in.shown...)
		for _, text := range in.missing {
			if strings.Contains(a.body, text) {
				t.Errorf("%s shows %q", path, text)
			}
		}
	}
	body := b.get("/search?q=bird").body
	people, groups := strings.Index(body, ">People</h2>"), strings.Index(body, ">Groups</h2>")
	if p, g := strings.Index(body, `href="/@birdy"`), strings.Index(body, `href="/@birds"`); people < 0 || p < people || p > groups || g < groups {
		t.Errorf("people at %d (%d), groups at %d (%d)", people, p, groups, g)
	}
}

// TestAdminHelps checks that staff can restore access for a user without password or second factor.
// The audit log names the staff member.
func TestAdminHelps(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("bob")
	w.role("ann", linnet.Admin)
	bob := w.browser().logIn("bob")
	twoFactorOn(t, w, bob)
	b := w.browser().logIn("ann")
	link := func(act string, fields ...string) string {
		t.Helper()
		a := b.post("/admin/users/bob/"+act, fields...)
		want(t, a, http.StatusOK)
		m := regexp.MustCompile(loopbackURL + `(/reset/[\w-]+)`).FindStringSubmatch(a.body)
		if m == nil {
			t.Fatalf("no link:\n%s", a.body)
		}
		return m[1]
	}
	want(t, b.get("/admin/users/bob/two-factor"), http.StatusOK, "Your password")
	want(t, b.post("/admin/users/bob/two-factor", "text", "lost phone"), http.StatusForbidden, "Confirm your own password first")
	b.get("/admin/users/bob/two-factor")
	want(t, b.post("/admin/users/bob/two-factor", "text", "lost phone", "password", "wrong horse"), http.StatusUnprocessableEntity, "wrong", "lost phone")
	second := link("two-factor", "text", "lost phone", "password", password)
	fresh := w.browser()
	want(t, fresh.get(second), http.StatusOK, "Turn off two-factor authentication", "@bob")
	want(t, fresh.post(second, "password", "wrong horse"), http.StatusUnprocessableEntity, "The password is incorrect")
	wantTo(t, fresh.post(second, "password", password), "/login")
	want(t, fresh.get(second), http.StatusGone)

	if a := b.get("/admin/users/bob/password"); strings.Contains(a.body, "Your password") { // the password was just confirmed
		t.Error("the password is asked for again")
	}
	first := link("password", "text", "forgot it")
	want(t, fresh.get(first), http.StatusOK, "Set a new password", "@bob")
	want(t, fresh.post(first, "password", "battery staple", "again", "battery stable"), http.StatusUnprocessableEntity, "The passwords don't match.")
	want(t, fresh.post(first, "password", "12345678", "again", "12345678"), http.StatusUnprocessableEntity, "is too easy to guess. Choose another one, such as four unrelated words")
	wantTo(t, fresh.post(first, "password", "battery staple", "again", "battery staple"), "/login")
	want(t, bob.get("/settings/profile"), http.StatusSeeOther)
	bob.get("/login")
	wantTo(t, bob.post("/login", "login", "bob", "password", "battery staple"), "/")
	want(t, bob.get("/settings/security"), http.StatusOK, "Security log", "Your password was reset with a link, and all sessions were ended.")
	want(t, bob.get("/settings/security/log"), http.StatusOK, "This server's staff created a link to reset your password.</bdi> (by an administrator)")
	want(t, bob.get("/notifications"), http.StatusOK, "This server's staff created a link to reset your password.")
	want(t, b.get("/admin/audit"), http.StatusOK, "lost phone", "forgot it", "create password reset link", "create 2FA reset link")
	if strings.Contains(b.page, first) || strings.Contains(b.page, second) {
		t.Error("the log holds a link")
	}
}

func TestAdminApproves(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Moderator)
	w.register(linnet.RegisterApproval)
	for _, login := range []string{"bob", "eve"} {
		if _, err := w.svc.Identity.Register(t.Context(), linnet.SignUp{Login: login, Password: password, Agreed: true, Reason: "I like birds"}); err != nil {
			t.Fatal(err)
		}
	}
	b := w.browser().logIn("ann")
	want(t, b.get("/admin/users?state=pending"), http.StatusOK, "/admin/users/bob", "/admin/users/eve")
	want(t, b.get("/admin/users/bob"), http.StatusOK, "I like birds", "pending")
	b.get("/admin/users/bob/approve")
	wantTo(t, b.post("/admin/users/bob/approve"), "/admin/users/bob?done=saved")
	b.get("/admin/users/eve/reject")
	wantTo(t, b.post("/admin/users/eve/reject"), "/admin/users?done=saved")
	w.browser().logIn("bob")
	want(t, b.get("/admin/users/eve"), http.StatusNotFound)
}

func TestAdminReports(t *testing.T) {
	w := newWorld(t, loopbackURL)
	bob, eve := w.user("bob"), w.user("eve")
	w.user("ann")
	w.role("ann", linnet.Moderator)
	st := w.post(eve.ID, linnet.Draft{Text: "something <b>rude</b> @bob", Visibility: vis(linnet.Direct)})
	path := w.report(bob.ID, eve.ID, st.ID)
	b := w.browser().logIn("ann")
	want(t, b.get("/admin/reports"), http.StatusOK, path, "@eve", "@bob", "spam")
	a := b.get(path)
	want(t, a, http.StatusOK, "something &lt;b&gt;rude&lt;/b&gt;", "Assign to me", "Resolve", "Moderate @eve", "no one")
	if strings.Contains(a.body, "data-acts") {
		t.Error("the reported post can be answered here")
	}
	steps := []struct{ do, shows string }{{"assign", "Unassign"}, {"unassign", "Assign to me"}, {"resolve", "Reopen"}, {"reopen", "Resolve"}}
	for _, s := range steps {
		wantTo(t, b.post(path, "do", s.do), path+"?done=saved")
		want(t, b.get(path), http.StatusOK, s.shows)
	}
	want(t, b.post(path, "do", "burn"), http.StatusNotFound)
	b.get(path)
	want(t, b.post(path, "do", "act", "act", "unsuspend", "text", "kept"), http.StatusUnprocessableEntity, "is not one of the available options", "kept</textarea>")
	wantTo(t, b.post(path, "do", "act", "act", "suspend", "text", "spam"), path+"?done=saved")
	want(t, b.get("/admin/reports"), http.StatusOK, "No reports.")
	want(t, b.get("/admin/reports?resolved=1"), http.StatusOK, path)
	if v, err := w.svc.Moderation.Account(t.Context(), linnet.Operator(), eve.ID); err != nil || !v.Suspended {
		t.Errorf("eve is %+v, %v", v.User, err)
	}
	eventually(t, "the acts are logged", func() bool { return strings.Contains(b.get("/admin/audit").body, path) })
	want(t, b.get("/admin/reports/1"), http.StatusNotFound)
}

func TestAdminInvites(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Moderator)
	w.register(linnet.RegisterInvite)
	b := w.browser().logIn("ann")
	want(t, b.get("/admin/invites"), http.StatusOK, "No invitations yet.")
	want(t, b.post("/admin/invites", "uses", "many"), http.StatusUnprocessableEntity, "This isn't a number.", `value="many"`)
	want(t, b.post("/admin/invites", "uses", "99999"), http.StatusUnprocessableEntity, `id="f-uses-wrong"`)
	a := b.post("/admin/invites", "uses", "2", "expires", "24")
	want(t, a, http.StatusOK, "Invitation created.", `value="http://127.0.0.1:8420/invite/`, "0 of 2", "@ann")
	code := strings.TrimPrefix(invitation.FindStringSubmatch(a.body)[1], "/invite/")
	want(t, w.browser().get("/invite/"+code), http.StatusOK)
	wantTo(t, b.post("/admin/invites/revoke", "invite", code), "/admin/invites?done=saved")
	want(t, w.browser().get("/invite/"+code), http.StatusGone)
	want(t, b.get("/admin/audit"), http.StatusOK, "revoke invitation", code[:4]+"...")
	if strings.Contains(b.page, code) {
		t.Error("the log holds what lets people in")
	}
}

func TestAdminSettings(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	const path = "/admin/settings"
	want(t, b.get(path+"/signup"), http.StatusOK, `<option value="closed" selected>`)
	want(t, b.get(path+"/nothing"), http.StatusNotFound)
	for _, x := range []struct {
		section string
		typed   []string
	}{
		{"", []string{"title", "Birds", "description", "Look up.", "contact", "a@birds.example", "contact_user", "ann"}},
		{"/rules", []string{"rules", "Be kind.\r\n\r\n Name sources. ", "privacy", "We keep nothing."}},
		{"/signup", []string{"registrations", "approval", "new_days", "7", "invites", "2", "invite_uses", "3", "invite_days", "14", "questions", "Who sings? = birds\r\n\r\n"}},
		{"/posts", []string{"status_chars", "700", "private", "1", "cards", "1", "trends", "1"}},
		{"/look", []string{"accent_light", "#0b5", "style", ""}},
	} {
		want(t, b.get(path+x.section), http.StatusOK, "<h1")
		if x.section == "/look" {
			want(t, b.post(path+x.section, x.typed...), http.StatusUnprocessableEntity, "has a contrast of 2.1 to 1 with the background", "Choose a darker colour, such as #", `value="#0b5"`)
			x.typed[1] = "#006b45"
		}
		wantTo(t, b.post(path+x.section, x.typed...), path+x.section+"?done=saved")
	}
	v, err := w.svc.Settings.Instance(t.Context())
	if err != nil || v.Title != "Birds" || len(v.Rules) != 2 || v.Rules[1] != "Name sources." || v.Registrations != linnet.RegisterApproval || v.NewDays != 7 ||
		v.Invites != 2 || v.InviteUses != 3 || v.InviteDays != 14 || v.StatusChars != 700 || !v.Private || !v.Cards || v.ContactView == nil || v.Accent.Light != "#006b45" || v.Accent.Dark == "" || len(v.Questions) != 1 {
		t.Errorf("saved %+v, %v", v, err)
	}
	want(t, b.get(path+"/rules"), http.StatusOK, "Be kind.\nName sources.</textarea>")
	want(t, b.get(path+"/posts"), http.StatusOK, `name="private" id="f-private" value="1" checked`)
	want(t, b.get("/compose"), http.StatusOK, `data-max="700"`)
	b.get(path)
	want(t, b.post(path, "title", "Birds", "contact", "nowhere", "description", "typed"), http.StatusUnprocessableEntity,
		`id="f-contact-wrong"`, "typed</textarea>", `value="nowhere"`)
	want(t, b.post(path+"/signup", "registrations", "all", "invite_uses", "3", "invite_days", "14"), http.StatusUnprocessableEntity, `id="f-registrations-wrong"`)
	want(t, b.post(path+"/signup", "registrations", "open", "invite_uses", "3", "invite_days", "14", "questions", "Who sings?"), http.StatusUnprocessableEntity, `id="f-questions-wrong"`, "Who sings?</textarea>")
	want(t, b.post(path+"/posts", "status_chars", "99999"), http.StatusUnprocessableEntity, "from 100 to 4000", `value="99999"`)
	want(t, b.get("/admin/audit"), http.StatusOK, "change settings", "Name: none → “Birds”", "Who can sign up: “No one” → “Anyone, after approval by a moderator”", "Maximum characters per post: “500” → “700”")
	old := linnet.Act{ID: w.svc.Store().Staff.NewAct(), Act: core.ActSettings, Detail: "trends: “off” → “on”"}
	if err := w.svc.Store().Staff.LogAct(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	b.header.Set("Accept-Language", "de")
	want(t, b.get("/admin/audit"), http.StatusOK, "Name: leer → „Birds“", "Zeichen, die ein Beitrag haben darf: „500“ → „700“", old.Detail)
}

func TestAdminTasks(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	want(t, b.get("/admin/tasks"), http.StatusOK, "No failed tasks.")
	for _, do := range []string{"drop", "retry"} {
		tk, err := task.New(7, "odd<kind>", map[string]string{"about": "<b>"}, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		ops := append(tk.Ops(), kv.Remove{Key: task.DueKey(7), Member: tk.ID}, kv.Add{Key: task.DeadKey(7), Member: tk.ID, Score: time.Now().UnixMilli()})
		if _, err := w.engine.Txn(t.Context(), nil, ops...); err != nil {
			t.Fatal(err)
		}
		want(t, b.get("/admin/tasks"), http.StatusOK, "odd&lt;kind&gt;", tk.ID)
		want(t, b.post("/admin/tasks", "task", tk.ID, "shard", "8", "do", do), http.StatusNotFound)
		want(t, b.post("/admin/tasks", "task", tk.ID, "shard", "70000", "do", do), http.StatusNotFound)
		b.get("/admin/tasks")
		wantTo(t, b.post("/admin/tasks", "task", tk.ID, "shard", "7", "do", do), "/admin/tasks?done=saved")
		b.get("/admin/tasks")
		want(t, b.post("/admin/tasks", "task", tk.ID, "shard", "7", "do", do), http.StatusNotFound)
		want(t, b.get("/admin/audit"), http.StatusOK, map[string]string{"retry": "retry task", "drop": "discard task"}[do], tk.ID)
	}
	want(t, b.get("/admin/store"), http.StatusOK, "memory", "in memory: all data is lost when the process ends", "none recorded")
}

// shownCharts is the number of charts on the overview if all have data.
const shownCharts = 8

// countTwoDays records statistics of today and yesterday, so that all charts have data.
func (w *world) countTwoDays(by linnet.ID) {
	w.t.Helper()
	for ago := range 2 {
		n := int64(3 - ago)
		day := linnet.Day{Posts: n, Faults: n, Queue: n, Oldest: time.Duration(n) * time.Second, Memory: n << 20}
		day.Delays[ago] = n
		if err := w.svc.Moderation.Statistics.AddDay(w.t.Context(), linnet.Operator(), time.Now().AddDate(0, 0, -ago), day, []linnet.ID{by}); err != nil {
			w.t.Fatal(err)
		}
	}
}

// adminCharts checks that each chart has a name and a table of its numbers. Missing data is shown
// as unknown, not as zero. A new server has only the chart of sign-ups.
func adminCharts(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	a := b.get("/admin")
	want(t, a, http.StatusOK, "Sign-ups per day in the last 14 days: latest 1, highest 1", "More numbers appear here as the server is used.")
	if n := strings.Count(a.body, `<figure class="chart"`); n != 1 {
		t.Errorf("a new server has %d charts", n)
	}
	w.countTwoDays(ann.ID)
	a = b.get("/admin")
	want(t, a, http.StatusOK, "Posts per day in the last 14 days: latest 3, highest 3", "3 posts today", "Yesterday: 2.", "<title>"+time.Now().UTC().AddDate(0, 0, -5).Format("2 January")+": unknown</title>")
	charts := regexp.MustCompile(`(?s)<figure class="chart" id="([^"]+)"><svg role="img" aria-labelledby="([^"]+)".*?</figure>`).FindAllStringSubmatch(a.body, -1)
	if len(charts) != shownCharts {
		t.Fatalf("%d charts", len(charts))
	}
	for _, ch := range charts {
		if ch[2] != ch[1]+"-name" || !strings.Contains(ch[0], `<title id="`+ch[2]+`">`) || strings.Count(ch[0], "<rect") != 14 ||
			strings.Count(ch[0], "<tr ") != 15 || !strings.Contains(ch[0], ">Day</th>") {
			t.Errorf("chart %s:\n%s", ch[1], ch[0])
		}
		svg := ch[0][strings.Index(ch[0], "<svg") : strings.Index(ch[0], "</svg>")+len("</svg>")]
		if err := xml.Unmarshal([]byte(svg), new(struct{})); err != nil {
			t.Errorf("chart %s is not well formed: %v", ch[1], err)
		}
	}
}

// chartsAreAccessible checks that charts are accessible without scripts, as a named image with a
// table.
func chartsAreAccessible(t *testing.T) {
	w := served(t)
	ann := w.user("ann")
	w.role("ann", linnet.Admin)
	w.countTwoDays(ann.ID)
	tb := newTab(t)
	tb.do("Emulation.setScriptExecutionDisabled", map[string]any{"value": true}, nil)
	tb.enters(w, "ann")
	tb.open(w.base + "/admin/overview")
	var tree struct {
		Nodes []struct {
			Role, Name struct{ Value string }
			Ignored    bool
		}
	}
	tb.do("Accessibility.getFullAXTree", nil, &tree)
	charts := map[string]int{}
	for _, n := range tree.Nodes {
		if n.Role.Value == "image" && !n.Ignored && n.Name.Value != "" {
			charts[n.Name.Value]++
		}
	}
	if len(charts) != shownCharts {
		t.Errorf("%d of %d charts are accessible: %v", len(charts), shownCharts, charts)
	}
	tb.eval("document.querySelector('.chart summary').focus()")
	tb.hit("Enter")
	tb.holds("document.querySelector('.chart table').checkVisibility() && document.querySelectorAll('.chart table')[0].rows.length == %d", 15)
	tb.calm()
}

// TestGraveActs checks that only disabling and suspending an account have the button style of
// serious actions.
func TestGraveActs(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.user("eve")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	for act, grave := range map[string]bool{"note": false, "warn": false, "silence": true, "disable": true, "suspend": true, "password": false, "role": false} {
		a := b.get(userPath("eve") + "/" + act)
		want(t, a, http.StatusOK)
		if strings.Contains(a.body, `class="button grave"`) != grave {
			t.Errorf("%s: grave is %v, want %v", act, !grave, grave)
		}
	}
}
