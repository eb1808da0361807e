package web_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
	"linnet/internal/web/form"
)

// visit is a page with its expected status. The viewer is the administrator "ann" or, with "", a
// visitor.
type visit struct {
	who, path string
	code      int
}

// furniture has the paths of objects that pages are opened with.
type furniture struct{ post, list, collection, filter, report, invite, consent, strike, appealed, moderated string }

// furnishAll fills a world with all kinds of objects, using long words.
func (w *world) furnishAll() furniture {
	w.t.Helper()
	st := furnish(w)
	ann, ctx := st.Author, w.t.Context()
	w.role("ann", linnet.Admin)
	eve := w.user("eve")
	long := strings.Repeat("Rindfleischetikettierung", 15)
	title, locked, places := long[:200], true, linnet.FilterHome
	must := func(err error) {
		w.t.Helper()
		if err != nil {
			w.t.Fatal(err)
		}
	}
	w.post(ann, linnet.Draft{Text: long[:300] + " #birds https://example.com/" + strings.Repeat("a", 150), Warning: "W" + long[:100]})
	w.post(eve.ID, linnet.Draft{Text: "@ann @bob " + long, InReplyTo: st.ID})
	bob, err := w.svc.View.UserByLogin(ctx, ann, "bob")
	must(err)
	w.post(bob.ID, linnet.Draft{Text: "@ann " + long[:100], Visibility: vis(linnet.Direct)})
	_, err = w.svc.Social.Profiles.Update(ctx, ann, linnet.ProfileChange{Locked: &locked})
	must(err)
	_, err = w.svc.Social.Follow(ctx, eve.ID, ann, linnet.FollowOptions{})
	must(err)
	_, err = w.svc.Social.Mute(ctx, ann, eve.ID, linnet.MuteOptions{})
	must(err)
	l, err := w.svc.Lists.CreateList(ctx, ann, linnet.ListChange{Title: &title})
	must(err)
	name := long[:linnet.MaxCollectionName]
	col, err := w.svc.Social.Collections.Create(ctx, ann, linnet.CollectionChange{Name: &name, Description: &name}, []linnet.ID{bob.ID})
	must(err)
	f, err := w.svc.Reading.CreateFilter(ctx, ann, linnet.FilterChange{Title: &title, Context: &places})
	must(err)
	inv, err := w.svc.Invites.Create(ctx, linnet.Operator(), linnet.InviteDraft{By: "ann"})
	must(err)
	text, now := "#birds https://example.com/"+long, time.Now()
	told, err := w.svc.Announcing.Write(ctx, linnet.Operator(), 0, linnet.AnnouncementChange{Text: &text, Published: &now})
	must(err)
	must(w.svc.Announcing.React(ctx, ann, told.ID, "👍"))
	bad := w.post(eve.ID, linnet.Draft{Text: long[:200]}).ID
	report := w.report(ann, eve.ID, bad)
	w.planned(ann, long[:300], time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
	mine, theirs := w.strike(ann), w.strike(eve.ID)
	_, err = w.svc.Moderation.Strikes.Appeal(ctx, eve.ID, theirs.ID, long[:300])
	must(err)
	eventually(w.t, "tasks end", w.svc.Idle)
	return furniture{moderated: "/admin/reports/posts/" + bad.String(), strike: mine.ID.String(), appealed: theirs.ID.String(), post: postPath(st), list: "/lists/" + l.ID.String(), collection: "/collections/" + col.ID.String(), filter: "/settings/filters/" + f.ID.String(), report: report, invite: "/invite/" + inv.Code, consent: ask(w.app("read write", webApp), webApp)}
}

// visits returns all pages of a furnished world, including some errors.
func (w *world) visits() []visit {
	w.t.Helper()
	f := w.furnishAll()
	var all []visit
	add := func(who string, code int, paths ...string) {
		for _, path := range paths {
			all = append(all, visit{who, path, code})
		}
	}
	post, answered := f.post, f.post[strings.LastIndex(f.post, "/")+1:]
	for _, who := range []string{"", "ann"} {
		add(who, 200, "/", "/about", "/local", "/tags/birds", "/@ann", "/@bob", "/@ann/replies", "/@ann/media", "/@ann/featured", "/@ann/followers", "/@ann/following", "/@ann/tagged/birds",
			post, post+"/quotes", post+"/boosts", post+"/favourites", post+"/history", post+"/embed", "/login", "/emoji")
		add(who, 404, "/nowhere", "/@nobody", "/@ann/1")
		add(who, 405, "/logout")
		add(who, 422, "/@ann?max_id=x")
	}
	add("", 200, "/signup", f.invite, "/forgot")
	add("", 410, "/confirm/x", "/unsubscribe/x")
	add("", 404, "/setup/AAAA-BBBB")
	add("", 400, "/oauth/authorize")
	add("ann", 200, "/bookmarks", "/favourites", "/compose", "/compose?in_reply_to="+answered, "/compose?redraft="+answered, "/compose?to=bob",
		post+"/delete", "/notifications", "/notifications/clear", "/notifications/requests", "/messages", "/messages/new", "/messages/new?to=bob", "/messages/new?to=bob&to=eve&write=1", "/requests", "/search", "/search?q=bob", "/search?q=bob&type=groups", "/explore", "/explore/posts",
		"/scheduled", "/drafts", "/lists", f.list, f.list+"/edit", f.list+"/delete", "/collections", f.collection, f.collection+"/edit?q=b", f.collection+"/delete", "/@bob/known", "/@bob/both", "/mentions", "/@bob/mute", "/@bob/block", "/@bob/report", "/@bob/lists", "/settings/security", "/settings/security/log", "/settings/two-factor",
		"/settings/delete", f.filter, "/announcements", "/settings/filters/new", f.consent, "/@bob/reported")
	for _, n := range allItems(form.SettingsItems()) {
		if n.Path != "/settings/invites" { // it redirects staff to the administration
			add("ann", 200, n.Path)
		}
	}
	add("ann", 200, "/settings", "/settings?q=theme", "/settings?q=xyzzy", "/admin/overview", "/admin?q=backup")
	for _, n := range allItems(form.AdminItems()) {
		add("ann", 200, n.Path)
	}
	add("ann", 200, adminPages(f.report)...)
	add("ann", 200, "/settings/strikes/"+f.strike, "/admin/strikes/"+f.appealed, f.moderated, "/admin/users/eve")
	add("", 404, "/strike/x")
	groups := w.furnishGroups()
	add("", 200, groups[:3]...)
	add("ann", 200, groups...)
	return all
}

// everyPageIsADocument checks the status, language, title, heading and skip link of all pages.
func everyPageIsADocument(t *testing.T) {
	w := newWorld(t, loopbackURL)
	visits := w.visits()
	who := map[string]*browser{"": w.browser(), "ann": w.browser().logIn("ann")}
	seen := map[string]bool{}
	for _, v := range visits {
		a := who[v.who].get(v.path)
		if a.StatusCode != v.code {
			t.Errorf("%s as %q: %d, want %d", v.path, v.who, a.StatusCode, v.code)
			continue
		}
		checkHead(t, v.path, a, v.code != http.StatusOK)
		seen[strings.SplitN(v.path, "?", 2)[0]] = true
	}
	for _, pattern := range patterns() { // pages not listed yet
		path := strings.NewReplacer("{$}", "", "{login}", "bob", "{id}", "1", "{tag}", "birds", "{token}", "x", "{code}", "x", "{act}", "x").Replace(pattern)
		for name, b := range who {
			if path == "/live" || path == "/@bob/card" {
				continue // a stream, which does not end, and a part of a page
			}
			if a := b.get(path); !seen[path] && strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") {
				checkHead(t, path+" as "+name, a, a.StatusCode != http.StatusOK)
			}
		}
	}
}

// checkHead checks the head and headings of a page.
func checkHead(t *testing.T, path string, a answer, mistake bool) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(a.body))
	if err != nil {
		t.Fatal(err)
	}
	lang, title, first, h1 := "", "", "", []string{}
	level := 0 // of the previous heading
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && len(n.Data) == 2 && n.Data[0] == 'h' && n.Data[1] >= '1' && n.Data[1] <= '6' {
			now := int(n.Data[1] - '0')
			if level > 0 && now > level+1 {
				t.Errorf("%s: the heading %q of level %d follows one of level %d", path, strings.TrimSpace(innerText(n)), now, level)
			}
			level = now
		}
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "html":
			lang = attribute(n, "lang")
		case n.Data == "title" && n.Parent.Data == "head":
			title = innerText(n)
		case n.Data == "h1":
			h1 = append(h1, strings.TrimSpace(innerText(n)))
		case first == "" && slices.Contains([]string{"a", "button", "input", "select", "textarea", "summary"}, n.Data) && attribute(n, "type") != "hidden":
			first = attribute(n, "class") + " " + attribute(n, "href")
		}
	}
	if framed := strings.HasSuffix(path, "/embed"); !framed && first != "skip #main" || !framed && !strings.Contains(a.body, `id="main"`) {
		t.Errorf("%s: the first stop is %q", path, first)
	}
	if lang != "en" || strings.TrimSpace(title) == "" || len(h1) != 1 || h1[0] == "" {
		t.Errorf("%s: language %q, title %q, h1 %q", path, lang, title, h1)
	}
	if mistake && !strings.Contains(a.body, "request <code>") {
		t.Errorf("%s: the mistake has no number", path)
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func innerText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// timesAreExact checks every time element of every page. Its datetime for programs and its title
// for users must agree.
func timesAreExact(t *testing.T) {
	w := newWorld(t, loopbackURL)
	visits := w.visits()
	who := map[string]*browser{"": w.browser(), "ann": w.browser().logIn("ann")}
	pages := map[string]int{}
	for _, v := range visits {
		doc, err := html.Parse(strings.NewReader(who[v.who].get(v.path).body))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode || n.Data != "time" {
				continue
			}
			pages[strings.SplitN(v.path, "?", 2)[0]]++
			at, err := time.Parse(time.RFC3339, attribute(n, "datetime"))
			said, wrong := time.Parse("2 January 2006, 15:04 UTC", attribute(n, "title"))
			if err != nil || wrong != nil || !said.Equal(at.Truncate(time.Minute)) || innerText(n) == "" {
				t.Errorf("%s: %q with title %q says %q", v.path, attribute(n, "datetime"), attribute(n, "title"), innerText(n))
			}
		}
	}
	for _, path := range []string{"/", "/@ann", "/local", "/tags/birds", "/notifications", "/messages", "/settings/security", "/admin/users", "/admin/reports", "/admin/audit"} {
		if pages[path] == 0 {
			t.Errorf("%s shows no time", path)
		}
	}
}
