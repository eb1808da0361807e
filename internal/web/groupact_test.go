package web_test

import (
	"crypto/rand"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/posting"
)

var keyInput = regexp.MustCompile(`name="key" value="[^"]+"`)

// groupAct is a form of a group's pages, with the relations that can submit it.
type groupAct struct {
	path   string
	fields []string
	may    string // relations, separated by spaces
}

// acts returns all management forms of a group. An owner can submit each of them once, in this
// order.
func (c *circle) acts(name string) []groupAct {
	base, id := "/groups/"+name, func(who string) string { return c.ids[who].String() }
	person := func(act, who string) []string { return []string{"act", act, "person", id(who)} }
	const staff, owner = "steward owner", "owner"
	return []groupAct{
		{base + "/invite", []string{"names", "outsider"}, staff},
		{base + "/members", person("takeback", "outsider"), staff},
		{base + "/bans", []string{"names", "outsider"}, staff},
		{base + "/members", person("unban", "outsider"), staff},
		{base + "/members", person("promote", "member"), owner},
		{base + "/members", person("demote", "member"), owner},
		{base + "/posts/" + c.posts[name].ID.String() + "/remove", nil, staff},
		{base + "/edit", []string{"name", "New title", "note", "New note", "kind", strings.TrimPrefix(name, "the")}, owner},
		{base + "/members", person("remove", "member"), staff},
		{base + "/members", person("ban", "invited"), staff},
		{base + "/owner", []string{"person", id("steward")}, owner},
		{base + "/delete", nil, owner},
	}
}

// state returns the content of the group's pages as the owner sees them, to detect changes.
func (c *circle) state(name string) string {
	c.t.Helper()
	eventually(c.t, "tasks end", c.svc.Idle)
	b, out := c.readBy["owner"], ""
	for _, path := range []string{"/@" + name, "/groups/" + name + "/members", "/groups/" + name + "/requests", "/groups/" + name + "/invite", "/groups/" + name + "/bans"} {
		_, main, _ := strings.Cut(b.get(path).body, "<main")
		out += tokenInput.ReplaceAllString(keyInput.ReplaceAllString(main, ""), "")
	}
	return out
}

// TestGroupActsWithoutRight checks that no viewer can submit a group form without permission or
// form token. The response is 403 or 404, and the group is unchanged.
func TestGroupActsWithoutRight(t *testing.T) {
	c := newCircle(t)
	for k := linnet.PublicGroup; k <= linnet.Chat; k++ {
		name := "the" + k.String()
		before := c.state(name)
		for _, act := range c.acts(name) {
			for _, who := range places {
				b := c.readBy[who]
				form := url.Values{}
				for i := 0; i+1 < len(act.fields); i += 2 {
					form.Set(act.fields[i], act.fields[i+1])
				}
				b.get("/login")
				want(t, b.postRaw(act.path, form), http.StatusForbidden, "othing was changed")
				if who != "" && strings.Contains(act.may, who) {
					continue
				}
				code := http.StatusForbidden
				if k == linnet.Chat && !strings.Contains("invited member steward", who) {
					code = http.StatusNotFound
				}
				if who == "" {
					code = http.StatusSeeOther
					b.get("/login")
				} else {
					b.get("/compose")
				}
				a := b.post(act.path, act.fields...)
				if to := a.Header.Get("Location"); a.StatusCode != code || who == "" && !strings.HasPrefix(to, "/login") {
					t.Errorf("%s %q as %q: %d to %q, want %d", act.path, act.fields, who, a.StatusCode, to, code)
				}
			}
		}
		if after := c.state(name); after != before {
			t.Errorf("%s has changed from\n%s\nto\n%s", name, before, after)
		}
	}
}

// TestGroupActs checks that owners can submit all forms of their groups.
func TestGroupActs(t *testing.T) {
	c := newCircle(t)
	b := c.readBy["owner"]
	for _, name := range []string{"thepublic", "theprivate", "thechat"} {
		for _, act := range c.acts(name) {
			if !strings.HasSuffix(act.path, "/delete") {
				want(t, b.press(act.path, act.fields...), http.StatusSeeOther)
				eventually(t, "tasks end", c.svc.Idle)
			}
		}
		page := b.get("/@" + name)
		want(t, page, http.StatusOK, "<bdi>New title</bdi>", "New note")
		others := c.readBy["steward"].get("/@" + name)
		want(t, others, http.StatusOK, either(name == "thechat", "New note", "No posts yet"))
		if strings.Contains(others.body, "marker-") {
			t.Errorf("what was taken out of %s is there for others", name)
		}
		if name == "thechat" { // its author still sees it, without the action to remove it
			want(t, page, http.StatusOK, "marker-", "Removed from the group")
		}
		if strings.Contains(page.body, "Remove from group") {
			t.Error("what was taken out can be taken out again")
		}
		want(t, b.get("/groups/"+name+"/members?role=owner"), http.StatusOK, "@owner", "@steward", "Step down")
		if strings.Contains(b.get("/groups/"+name+"/members").body, "@member<") {
			t.Error("who was removed is a member")
		}
		want(t, b.get("/groups/"+name+"/bans"), http.StatusOK, "@invited<", "@banned<")
		want(t, b.press("/groups/"+name+"/members", "act", "demote", "person", c.ids["owner"].String()), http.StatusSeeOther)
		want(t, b.get("/groups/"+name+"/edit"), http.StatusForbidden, "Only owners")
		heir := c.readBy["steward"]
		want(t, heir.press("/groups/"+name+"/membership", "act", "leave"), http.StatusUnprocessableEntity, "only owner")
		want(t, heir.get("/groups/"+name+"/leave"), http.StatusOK, "only owner", "Go to the members")
		want(t, heir.get("/groups/"+name+"/delete"), http.StatusOK, "Delete this group?")
		wantTo(t, heir.press("/groups/"+name+"/delete"), "/groups")
		gone := http.StatusGone
		if name == "thechat" { // non-members never knew that it existed
			gone = http.StatusNotFound
		}
		want(t, heir.get("/@"+name), gone)
		want(t, c.readBy[""].get("/groups/"+name+"/members"), http.StatusNotFound)
	}
}

// groupRequestsOnPages checks that a request to join a private group can be sent, withdrawn,
// rejected and accepted. Only accepted members see group posts.
func groupRequestsOnPages(t *testing.T) {
	c := newCircle(t)
	in, staff := c.readBy["requester"], c.readBy["steward"]
	want(t, in.get("/groups"), http.StatusOK, "Requested to join", "@theprivate")
	want(t, staff.get("/@theprivate"), http.StatusOK, "Requests (1)", "join request")
	wantTo(t, in.press("/groups/theprivate/membership", "act", "leave"), "/@theprivate")
	eventually(t, "the request goes", func() bool { return !strings.Contains(staff.get("/groups/theprivate/requests").body, "@requester") })
	wantTo(t, in.press("/groups/theprivate/membership", "act", "join"), "/@theprivate")
	eventually(t, "the request comes", func() bool { return strings.Contains(staff.get("/groups/theprivate/requests").body, "@requester") })
	person := c.ids["requester"].String()
	staff.header.Set("Referer", publicURL+"/groups/theprivate/requests")
	wantTo(t, staff.post("/groups/theprivate/members", "act", "reject", "person", person), "/groups/theprivate/requests")
	want(t, staff.press("/groups/theprivate/members", "act", "accept", "person", person), http.StatusNotFound)
	in.press("/groups/theprivate/membership", "act", "join")
	want(t, staff.press("/groups/theprivate/members", "act", "accept", "person", person), http.StatusSeeOther)
	want(t, in.get("/@theprivate"), http.StatusOK, "marker-theprivate", composerMark)
	want(t, in.get("/groups"), http.StatusOK, "You're a member", "@theprivate")

	guest := c.readBy["invited"]
	want(t, guest.get("/groups"), http.StatusOK, "Invitations", "@thechat", "@thepublic")
	want(t, guest.get("/notifications"), http.StatusOK, `action="/groups/thechat/membership"`, "invited you to join")
	wantTo(t, guest.press("/groups/thechat/membership", "act", "leave"), "/groups")
	want(t, guest.get("/@thechat"), http.StatusNotFound)
	wantTo(t, guest.press("/groups/theprivate/membership", "act", "join"), "/@theprivate")
	want(t, guest.get("/@theprivate"), http.StatusOK, "marker-theprivate")
	want(t, guest.get("/groups/theprivate/leave"), http.StatusOK, "request to join again")
	wantTo(t, guest.press("/groups/theprivate/membership", "act", "leave"), "/@theprivate")
	if strings.Contains(guest.get("/@theprivate").body, "marker-theprivate") {
		t.Error("who has left reads on")
	}
	want(t, guest.press("/groups/theprivate/membership", "act", "x"), http.StatusBadRequest)
	want(t, staff.press("/groups/theprivate/members", "act", "x"), http.StatusBadRequest)
	want(t, staff.press("/groups/theprivate/members", "act", "ban", "person", "x"), http.StatusNotFound)
	want(t, c.readBy["banned"].press("/groups/thepublic/membership", "act", "join"), http.StatusForbidden)
}

// TestPostInGroup checks that a post written on a group's page belongs to the group and has its
// visibility.
func TestPostInGroup(t *testing.T) {
	c := newCircle(t)
	b := c.readBy["member"]
	for name, seen := range map[string]linnet.Visibility{"thepublic": linnet.Public, "theprivate": linnet.Private, "thechat": linnet.Direct} {
		want(t, b.get("/@"+name), http.StatusOK, composerMark)
		in := b.inputs(t, composerMark)
		chat, names := name == "thechat", "@"+name+" "
		if chat { // the page already shows the recipients
			names = ""
		}
		if in.Get("text") != names || in.Get("visibility") != seen.String() {
			t.Errorf("the composer of %s holds %q", name, in)
		}
		want(t, b.postRaw("/compose", in), http.StatusUnprocessableEntity, either(chat, "Your text", "Write something first."), `name="group" value="`+name+`"`)
		in.Set("text", "a wren in "+name) // removing the mention does not remove the post from the group
		if a := b.postRaw("/compose", in); chat {
			wantTo(t, a, "/@"+name)
		} else {
			wantPosted(t, a, "/@"+name)
		}
		eventually(t, "it is in the group", func() bool { return strings.Contains(c.readBy["owner"].get("/@"+name).body, "a wren in "+name) })
		st, err := c.svc.Reading.Profile(t.Context(), c.ids["member"], c.ids["member"], linnet.ProfileFilter{}, linnet.Page{Limit: 1})
		if seen != linnet.Direct && (err != nil || len(st.Items) != 1 || st.Items[0].Group != c.ids[name] || st.Items[0].Visibility != seen) {
			t.Errorf("in %s was posted %+v, %v", name, st.Items, err)
		}
	}
	want(t, b.get("/"), http.StatusOK, `in <a href="/@thepublic">`)
	eventually(t, "home of another has it", func() bool {
		return strings.Contains(c.readBy["owner"].get("/").body, `in <a href="/@theprivate"><bdi>Title of theprivate`)
	})
	b.get("/@theprivate")
	in := b.inputs(t, composerMark)
	in.Set("text", "too late")
	b.press("/groups/theprivate/membership", "act", "leave")
	b.get("/compose")
	in.Set("form_token", unescape(tokenInput.FindStringSubmatch(b.page)[1]))
	want(t, b.postRaw("/compose", in), http.StatusUnprocessableEntity, "too late", "You're no longer in the group.")

	// The list of a group links to the group.
	list := "/lists/" + linnet.ListOfGroup(c.ids["thepublic"]).String()
	want(t, c.readBy["owner"].get(list), http.StatusOK, `href="/@thepublic">Go to the group`)
	wantTo(t, c.readBy["owner"].get("/@thepublic/followers"), "/groups/thepublic/members")
	wantTo(t, c.readBy["owner"].get("/@thepublic/following"), "/@thepublic")
	wantTo(t, c.readBy["owner"].get("/@thepublic/replies"), "/@thepublic")
	want(t, c.readBy["outsider"].get("/search?q=the"), http.StatusOK, "Request to join @theprivate", "Join @thepublic")
}

// TestFoundGroupOnPages checks that the forms that create and edit groups keep the entered values
// and show errors.
func TestFoundGroupOnPages(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	bob := w.user("bob")
	b := w.browser().logIn("ann")
	want(t, b.get("/groups"), http.StatusOK, "You haven't joined any groups yet", "/groups/new")
	want(t, b.get("/groups/find"), http.StatusOK, "No groups yet")
	want(t, b.get("/groups/new"), http.StatusOK, `value="public" required checked`)
	for _, tc := range []struct{ login, name, note, kind, invite, wrong string }{
		{"", "T", "n", "public", "", "The name can&#39;t be blank."},
		{"x y", "T", "n", "public", "", "must contain only letters"},
		{"support", "T", "n", "private", "", "The name is reserved."},
		{"BOB", "T", "n", "private", "", "is taken"},
		{"birds", strings.Repeat("x", 99), "n", "chat", "", "The title is too long"},
		{"birds", "T", strings.Repeat("y", 501), "chat", "", "The description is too long"},
		{"birds", "T", "n", "secret", "", "Choose a group type."},
		{"birds", "T", "n", "chat", "bob, nobody", "There's no account named nobody."},
		{"birds", "T", "n", "chat", strings.Repeat("bob ", 101), "at most 100"},
	} {
		a := b.post("/groups/new", "login", tc.login, "name", tc.name, "note", tc.note, "kind", tc.kind, "invite", tc.invite)
		want(t, a, http.StatusUnprocessableEntity, tc.wrong, `value="`+tc.login+`"`, tc.name, tc.note, `name="invite" value="`+strings.TrimSpace(tc.invite)+`"`)
	}
	wantTo(t, b.post("/groups/new", "login", "birds", "name", "Birds & more", "note", "all kinds", "kind", "chat", "invite", "@bob"), "/@birds")
	want(t, b.get("/@birds"), http.StatusOK, "Birds &amp; more", "all kinds", ">chat<", "you're an owner", "No messages yet")
	want(t, b.get("/groups/birds/invite"), http.StatusOK, "@bob")
	want(t, b.post("/groups/birds/invite", "names", "nobody"), http.StatusUnprocessableEntity, "There's no account named nobody.", `value="nobody"`)
	want(t, b.post("/groups/birds/invite", "names", "birds"), http.StatusUnprocessableEntity, "can't be invited")
	want(t, b.post("/groups/birds/invite", "names", " "), http.StatusUnprocessableEntity, "Enter at least one username.")
	want(t, b.post("/groups/birds/bans", "names", "bob ann"), http.StatusUnprocessableEntity, "Enter one username.")
	want(t, b.get("/groups/birds/edit"), http.StatusOK, `name="kind" value="chat"`, `value="Birds &amp; more"`)
	want(t, b.post("/groups/birds/edit", "name", "B", "note", "n", "kind", "public"), http.StatusUnprocessableEntity, "can't be changed to public")
	wantTo(t, b.post("/groups/birds/edit", "name", "B", "note", "n", "kind", "chat"), "/@birds")
	want(t, w.browser().get("/@birds"), http.StatusNotFound)
	_, err := w.svc.Social.Follow(t.Context(), bob.ID, w.named("birds"), linnet.FollowOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/groups/birds/owner?person=bob"), http.StatusOK, "Make @bob an owner?")
	wantTo(t, b.post("/groups/birds/owner", "person", bob.ID.String(), "also", "1"), "/groups/birds/members")
	want(t, b.get("/groups/birds/members"), http.StatusOK, `<span class="badge">owner</span> <span class="handle">@bob`)
	if strings.Contains(b.page, `name="act"`) {
		t.Error("a member is offered acts")
	}
	want(t, b.get("/groups/birds/owner?person=bob"), http.StatusForbidden)
}

// named returns the id of an account.
func (w *world) named(login string) linnet.ID {
	w.t.Helper()
	u, err := w.svc.Moderation.AccountNamed(w.t.Context(), linnet.Operator(), login)
	if err != nil {
		w.t.Fatal(err)
	}
	return u.ID
}

// TestGroupsInPages checks that long lists of groups and members are paginated without duplicates.
func TestGroupsInPages(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	for _, login := range strings.Fields("b c d e") {
		u := w.user("founder_" + login)
		for range 13 {
			g, err := w.svc.Groups.CreateGroup(t.Context(), u.ID, linnet.NewGroup{Login: "g" + strings.ToLower(rand.Text()[:9]), Kind: linnet.PublicGroup})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.svc.Social.Follow(t.Context(), ann.ID, g.ID, linnet.FollowOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	for range 10 {
		if _, err := w.svc.Groups.CreateGroup(t.Context(), ann.ID, linnet.NewGroup{Login: "h" + strings.ToLower(rand.Text()[:9]), Kind: linnet.PrivateGroup}); err != nil {
			t.Fatal(err)
		}
	}
	eventually(t, "tasks end", w.svc.Idle)
	b := w.browser().logIn("ann")
	for path, all := range map[string]int{"/groups": 62, "/groups/find": 52} {
		seen := map[string]bool{}
		for next := path; next != ""; {
			page := b.get(next).body
			for _, row := range strings.Split(page, `<article class="person">`)[1:] {
				_, rest, _ := strings.Cut(row, `href="`)
				href, _, _ := strings.Cut(rest, `"`)
				if seen[href] {
					t.Errorf("%s is there twice", href)
				}
				seen[href] = true
			}
			_, rest, more := strings.Cut(page, `rel="next" href="`)
			next = ""
			if more {
				next, _, _ = strings.Cut(unescape(rest), `"`)
			}
		}
		if len(seen) != all {
			t.Errorf("%s: %d groups, want %d", path, len(seen), all)
		}
	}
}

// hostileGroups puts hostile texts into the titles, descriptions and forms of groups.
func hostileGroups(t *testing.T, w *world, in *browser, ann, bob linnet.ID) {
	t.Helper()
	g, err := w.svc.Groups.CreateGroup(t.Context(), ann, linnet.NewGroup{Login: "birds", Kind: linnet.PublicGroup})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.svc.Social.Follow(t.Context(), bob, g.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	guest := w.browser()
	for _, evil := range hostile(t) {
		title, note := "t "+string([]rune(evil)[:min(20, len([]rune(evil)))]), mark("note", evil)
		if _, err := w.svc.Groups.UpdateGroup(t.Context(), ann, g.ID, linnet.GroupChange{Name: &title, Note: &note}); err != nil {
			t.Fatalf("%q: %v", evil, err)
		}
		st := w.post(bob, linnet.Draft{Text: "@birds " + mark("text", evil), Warning: mark("warn", evil)})
		q := url.QueryEscape(evil)
		eventually(t, "it is in the group", func() bool { return strings.Contains(in.get("/@birds").body, "fromtext") })
		for path, marks := range map[string]string{"/@birds": "note text warn", "/groups": "note", "/groups/find": "note", "/groups/find?q=" + q: "", "/groups/birds/members": "",
			"/groups/birds/members?role=" + q: "", "/groups/birds/invite?person=" + q: "", "/groups/birds/bans?person=" + q: "", "/groups/birds/edit": "", "/groups/birds/delete": "",
			"/groups/birds/owner?person=bob": "", "/groups/birds/posts/" + st.ID.String() + "/remove": "text warn", "/groups/" + url.PathEscape(evil) + "/members": ""} {
			checkDocument(t, path, in.get(path).body, evil, strings.Fields(marks))
		}
		checkDocument(t, "/@birds", guest.get("/@birds").body, evil, []string{"note", "text"})
		in.get("/compose")
		checkDocument(t, "/groups/new", in.post("/groups/new", "login", evil, "name", evil, "note", mark("note", evil), "kind", evil, "invite", evil).body, evil, []string{"note"})
		checkDocument(t, "invite", in.post("/groups/birds/invite", "names", evil).body, evil, nil)
		if _, err := w.svc.Posting.Delete(t.Context(), bob, st.ID); err != nil {
			t.Fatal(err)
		}
		eventually(t, "it goes", func() bool { return !strings.Contains(in.get("/@birds").body, "fromtext") })
	}
	if err := w.svc.Groups.DeleteGroup(t.Context(), ann, g.ID); err != nil {
		t.Fatal(err)
	}
}

// TestRequestsWithoutCommands checks that pages never show the commands with which apps answer join
// requests.
func TestRequestsWithoutCommands(t *testing.T) {
	c := newCircle(t)
	staff := c.readBy["steward"]
	all, err := c.svc.Posting.Conversations.List(t.Context(), c.ids["steward"], linnet.Page{Limit: 40})
	if err != nil {
		t.Fatal(err)
	}
	pages := []string{"/", "/messages", "/notifications"}
	for _, v := range all.Items {
		if q, ok := posting.Question(v.Status); ok && !q.Invites {
			pages = append(pages, "/messages/"+v.ID.String(), postPath(*v.Status))
		}
	}
	if len(pages) != 5 {
		t.Fatalf("the pages are %q, want those of one request", pages)
	}
	for _, path := range pages {
		a := staff.get(path)
		want(t, a, http.StatusOK)
		if strings.Contains(a.body, "/accept @") || strings.Contains(a.body, "/reject @") {
			t.Errorf("%s shows commands", path)
		}
	}
	want(t, staff.get(pages[4]), http.StatusOK, `<a href="/groups/theprivate/requests">@requester requested to join Title of theprivate</a>`)
}

// either returns one of two texts.
func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}
