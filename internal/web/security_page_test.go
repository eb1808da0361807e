package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
	"linnet/internal/web"
	"linnet/internal/web/assets"
)

// patterns returns the patterns of all routes.
func patterns() []string {
	var all []string
	for _, rt := range web.AllRoutes() {
		all = append(all, rt.Pattern)
	}
	return all
}

// sees reports per page whether a viewer finds a post of a visibility there, provided that they can
// see it. Pages with nil show no posts.
var sees = map[string]func(viewer, vis string) bool{
	"/@{login}/tagged/{tag}": exceptDirect,
	"/@{login}":              exceptDirect,
	"/@{login}/{id}":         func(string, string) bool { return true },
	"/tags/{tag}":            func(_, vis string) bool { return vis == "public" },
	"/@{login}.rss":          onlyPublic, "/@{login}.atom": onlyPublic, "/@{login}.json": onlyPublic,
	"/@{login}/{id}/media/{n}":   nil, // see picture_test.go
	"/@{login}/{id}/embed":       func(_, vis string) bool { return vis == "public" || vis == "unlisted" },
	"/@{login}/with_replies.rss": onlyPublic, "/@{login}/with_replies.atom": onlyPublic, "/@{login}/with_replies.json": onlyPublic,
	"/@{login}/media.rss": onlyPublic, "/@{login}/media.atom": onlyPublic, "/@{login}/media.json": onlyPublic,
	"/@{login}/tagged/{tag}.rss": onlyPublic, "/@{login}/tagged/{tag}.atom": onlyPublic, "/@{login}/tagged/{tag}.json": onlyPublic,
	"/tags/{tag}.rss": onlyPublic, "/tags/{tag}.atom": onlyPublic, "/tags/{tag}.json": onlyPublic,
	"/settings/{$}": nil, "/settings": nil, "/admin/overview": nil, "/settings/profile": nil, "/settings/tags": nil, "/settings/followed-tags": nil, "/tags/{tag}/follow": nil, "/settings/appearance": nil, "/settings/notifications": nil, "/settings/filters": nil,
	"/settings/filters/new": nil, "/settings/filters/{id}": nil, "/settings/filters/{id}/delete": nil, "/settings/mutes": nil, "/settings/blocks": nil, "/settings/apps": nil,
	"/admin": nil, "/admin/users": nil, "/admin/users/{login}": nil, "/admin/users/{login}/{act}": nil, "/admin/reports": nil, "/admin/reports/{id}": nil, "/admin/strikes": nil, "/admin/feeds": nil, "/admin/feeds/{id}": nil, "/admin/strikes/{id}": nil, "/admin/reports/posts/{id}": nil, // see strike_test.go
	"/settings/strikes": nil, "/settings/strikes/{id}": nil, "/strike/{token}": nil,
	"/admin/invites": nil, "/admin/invites/revoke": nil, "/admin/start": nil, "/settings/invites": nil, "/settings/invites/revoke": nil, "/admin/audit": nil, "/admin/tasks": nil, "/admin/store": nil, "/admin/health": nil, "/admin/settings": nil, "/admin/settings/pictures": nil, "/admin/settings/{section}": nil, "/admin/roles": nil, "/admin/roles/{id}": nil, "/admin/settings/signup/blocks": nil, "/admin/settings/signup/blocks/remove": nil, "/accent.css": nil, "/custom.css": nil, "/admin/emoji": nil, "/admin/emoji/{code}": nil, "/emoji": nil, "/announcements": nil, "/announcements/{id}": nil, "/admin/announcements": nil, "/admin/announcements/{id}": nil,
	"/settings/old-posts": nil,                                                                  // no posts
	"/settings/export":    nil, "/settings/export/archive": nil, "/settings/export/{file}": nil, // only the viewer's data, see export_test.go
	"/settings/imports": nil, "/settings/imports/posts": nil, "/settings/imports/{id}": nil, "/settings/imports/{id}/failures.csv": nil, // only the viewer's data, see import_test.go
	"/settings/push": nil, "/settings/push/end": nil, "/manifest.webmanifest": nil, "/sw.js": nil, "/offline": nil, "/apple-touch-icon.png": nil,
	"/robots.txt": nil, "/favicon.ico": nil, "/.well-known/host-meta": nil, "/.well-known/change-password": nil, "/.well-known/security.txt": nil,
	// Members see posts by followed accounts, and visitors see public posts.
	"/{$}": func(viewer, vis string) bool {
		return vis == "public" && viewer == "nobody" || vis != "direct" && (viewer == "follower" || viewer == "ann")
	},
	"/feeds": nil, "/feeds/new": nil, "/feeds/{id}": nil, "/feeds/{id}/edit": nil, "/feeds/{id}/delete": nil, // only the viewer's objects
	"/catchup":            func(viewer, vis string) bool { return viewer == "follower" && vis != "direct" },
	"/settings/lists":     nil,
	"/local":              func(_, vis string) bool { return vis == "public" },
	"/about":              func(_, vis string) bool { return vis == "public" },
	"/@{login}/replies":   exceptDirect,
	"/@{login}/media":     nil, // see profile_test.go
	"/@{login}/featured":  nil, // see verified_test.go
	"/@{login}/card":      nil, // see hovercard_test.go
	"/@{login}/known":     nil,
	"/@{login}/both":      nil,
	"/mentions":           func(viewer, vis string) bool { return viewer == "mentioned" && vis != "direct" },
	"/@{login}/followers": nil, "/@{login}/following": nil, "/@{login}/mute": nil, "/@{login}/block": nil, "/@{login}/lists": nil,
	"/@{login}/{id}/history": func(string, string) bool { return true },
	"/@{login}/{id}/quotes":  nil, "/@{login}/{id}/unquote": nil, // quotes, see quote_test.go
	"/@{login}/{id}/boosts": nil, "/@{login}/{id}/favourites": nil, "/@{login}/reported": nil,
	"/@{login}/report": func(viewer, _ string) bool { return viewer != "nobody" && viewer != "ann" },
	"/notifications":   func(viewer, _ string) bool { return viewer == "mentioned" },
	"/messages":        func(_, vis string) bool { return vis == "direct" },
	"/messages/new":    func(_, vis string) bool { return vis == "direct" }, // next to the conversation list
	"/messages/{id}":   nil,                                                 // each participant has a different conversation id
	"/lists":           nil, "/lists/{id}": nil, "/lists/{id}/edit": nil, "/lists/{id}/members": nil, "/lists/{id}/delete": nil,
	"/collections": nil, "/collections/{id}": nil, "/collections/{id}/edit": nil, "/collections/{id}/items": nil, "/collections/{id}/delete": nil, // no posts, see collection_test.go
	// Group posts are tested in group_test.go.
	"/groups": nil, "/groups/find": nil, "/groups/new": nil, "/groups/{login}/membership": nil, "/groups/{login}/leave": nil, "/groups/{login}/members": nil,
	"/groups/{login}/requests": nil, "/groups/{login}/invite": nil, "/groups/{login}/bans": nil, "/groups/{login}/edit": nil, "/groups/{login}/delete": nil,
	"/groups/{login}/owner": nil, "/groups/{login}/posts/{id}/remove": nil,
	"/notifications/clear": nil, "/notifications/requests": nil, "/requests": nil, "/search": nil,
	"/live": nil, "/counts": nil, "/complete": nil, "/compose/preview": nil, "/read": nil, "/welcome": nil, // tested in live_test.go
	"/scheduled": nil, "/scheduled/{id}": nil, "/drafts": nil, "/drafts/{id}": nil, // only the viewer's objects
	"/links":          nil, // see TestLinkTimeline of internal/app
	"/privacy-policy": nil, "/terms": nil, "/terms/{day}": nil, "/admin/terms": nil, "/admin/terms/{day}": nil,
	"/explore": nil, "/explore/posts": nil, "/theme": nil, "/bookmarks": nil, "/favourites": nil, "/compose": nil,
	"/@{login}/{id}/delete": func(viewer, _ string) bool { return viewer == "ann" },
	"/@{login}/{id}/vote":   nil,
	"/login":                nil, "/logout": nil, "/signup": nil, "/setup/{token}": nil, "/oauth/authorize": nil, "/oauth/authorize/{$}": nil,
	"/login/code": nil, "/login/switch": nil, "/login/passkey": nil, "/login/passkey/begin": nil, "/settings/passkeys": nil, "/admin/login": nil, "/settings/passkeys/begin": nil, "/settings/passkeys/rename": nil, "/settings/passkeys/remove": nil, "/invite/{code}": nil, "/settings/security": nil, "/settings/password": nil, "/settings/sessions": nil, "/settings/sessions/others": nil, "/settings/security/log": nil, "/settings/delete": nil,
	"/settings/email": nil, "/settings/email/resend": nil, "/settings/email/mails": nil, "/unsubscribe/{token}": nil, "/forgot": nil, "/confirm/{token}": nil, "/confirm": nil, "/settings/two-factor": nil, "/settings/two-factor/qr.png": nil, "/settings/two-factor/end": nil, "/settings/two-factor/codes": nil, "/reset/{token}": nil,
	"/users/{login}": nil, "/users/{login}/statuses/{id}": nil, "/": nil,
}

func exceptDirect(_, vis string) bool { return vis != "direct" }

func onlyPublic(_, vis string) bool { return vis == "public" }

// TestPagesShowToWhomTheyMay opens every page as every viewer, with posts of every visibility. A
// page without a row in sees fails.
func TestPagesShowToWhomTheyMay(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	bob := w.user("follower")
	w.user("mentioned")
	w.user("other")
	if _, err := w.svc.Social.Follow(t.Context(), bob.ID, ann.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	may := map[string]string{"public": "nobody other follower mentioned ann", "unlisted": "nobody other follower mentioned ann",
		"private": "follower mentioned ann", "direct": "mentioned ann", "deleted": ""}
	ids := map[string]linnet.ID{}
	for name, v := range map[string]linnet.Visibility{"public": linnet.Public, "unlisted": linnet.Unlisted, "private": linnet.Private, "direct": linnet.Direct, "deleted": linnet.Public} {
		ids[name] = w.post(ann.ID, linnet.Draft{Text: "marker-" + name + " @mentioned #matrix", Visibility: vis(v)}).ID
	}
	if _, err := w.svc.Posting.Delete(t.Context(), ann.ID, ids["deleted"]); err != nil {
		t.Fatal(err)
	}
	eventually(t, "tasks end", w.svc.Idle)
	readers := map[string]*browser{"nobody": w.browser()}
	for _, name := range []string{"other", "follower", "mentioned", "ann"} {
		readers[name] = w.browser().logIn(name)
	}
	for _, pattern := range patterns() {
		rule, known := sees[pattern]
		if !known {
			t.Errorf("%s: nobody has said who may see what there", pattern)
		}
		for name, b := range readers {
			for what, id := range ids {
				path := strings.NewReplacer("{$}", "", "{login}", "ann", "{id}", id.String(), "{tag}", "matrix", "{token}", "x").Replace(pattern)
				if pattern == "/" {
					path = "/nowhere"
				}
				a := b.get(path)
				sees := strings.Contains(may[what], name)
				if there := strings.Contains(a.body, "marker-"+what); there != (rule != nil && sees && rule(name, what)) {
					t.Errorf("%s as %s: %d, the %s status is there: %v", path, name, a.StatusCode, what, there)
				}
				if strings.HasSuffix(pattern, "/{id}") && strings.HasPrefix(pattern, "/@") && (a.StatusCode == http.StatusOK) != sees {
					t.Errorf("%s (%s) as %s: %d", path, what, name, a.StatusCode)
				}
			}
		}
	}
}

// TestPagesByGetChangeNothing checks that GET requests change nothing. It also checks that every
// response has a content security policy.
func TestPagesByGetChangeNothing(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	w.open()
	b := w.browser().logIn("ann")
	app := w.app("read write", webApp)
	before, err := w.svc.Settings.Instance(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	session := b.jar["__Host-linnet"]
	for _, pattern := range patterns() {
		path := strings.NewReplacer("{$}", "", "{login}", "ann", "{id}", "1", "{tag}", "x", "{token}", "x").Replace(pattern)
		query := "?login=ann&password=" + url.QueryEscape(password) + "&decision=approve&again=x&agreed=1&_method=POST"
		if strings.HasPrefix(path, "/oauth/") {
			query += "&" + strings.TrimPrefix(ask(app, webApp), "/oauth/authorize?")
		}
		for _, method := range []string{"GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE"} {
			a := b.do(method, path+query, "", nil)
			if strings.Contains(a.Header.Get("Location"), "code=") {
				t.Errorf("%s %s lets an app in: %s", method, path, a.Header.Get("Location"))
			}
			if csp := a.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") || !strings.Contains(csp, "frame-ancestors 'none'") || strings.Contains(csp, "unsafe") {
				t.Errorf("%s %s: policy %q", method, path, csp)
			}
		}
	}
	after, err := w.svc.Settings.Instance(t.Context())
	if err != nil || after.People != before.People || after.Statuses != before.Statuses {
		t.Errorf("before %+v, after %+v, %v", before, after, err)
	}
	if b.jar["__Host-linnet"] != session || !strings.Contains(b.get("/").body, "Log out") {
		t.Error("a GET has ended the session or begun another")
	}
}

// hostile returns texts that become markup or scripts if not escaped.
func hostile(t *testing.T) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/hostile.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	if err := json.Unmarshal(b, &all); err != nil || len(all) < 50 {
		t.Fatalf("%d texts, %v", len(all), err)
	}
	return all
}

// hostileTextOnPages checks that hostile texts in any input are shown as typed and nothing else.
func hostileTextOnPages(t *testing.T) {
	w := newWorld(t, publicURL)
	ann, bob := w.user("ann"), w.user("bob")
	for i, evil := range hostile(t) {
		w.deface(ann.ID, evil)
		app, _, err := w.svc.Apps.Register(t.Context(), linnet.AppRequest{Name: mark("app", evil), Website: "https://a.example/" + url.PathEscape(evil), RedirectURIs: []string{webApp}, Scopes: []string{"read"}})
		if err != nil {
			t.Fatal(err)
		}
		st := w.post(ann.ID, linnet.Draft{Text: mark("text", evil), Warning: mark("warn", evil)})
		w.post(ann.ID, linnet.Draft{Text: mark("bare", evil)})
		b := w.browser()
		if i == 0 {
			b = b.logIn("ann")
		}
		for _, page := range []struct {
			path  string
			marks string
		}{
			{"/", ""}, {"/about", "bare title about rule"}, {"/@ann", "bare note field value"}, {postPath(st), "text warn"}, {"/tags/" + url.PathEscape(evil), ""},
			{"/login?next=" + url.QueryEscape("/"+evil), ""}, {"/nowhere/" + url.PathEscape(evil), ""}, {"/@" + url.PathEscape(evil), ""},
			{"/users/" + url.PathEscape(evil), ""}, {"/setup/" + url.PathEscape(evil), ""},
			{ask(app, webApp, "scope", "read", "state", evil, "lang", evil), ""}, {ask(app, webApp, "client_id", evil), ""}, {ask(app, evil), ""},
		} {
			a := b.get(page.path)
			if a.StatusCode >= 500 {
				t.Errorf("%s: %d", page.path, a.StatusCode)
			}
			checkDocument(t, page.path, a.body, evil, strings.Fields(page.marks))
			if loc := a.Header.Get("Location"); loc != "" && !strings.HasPrefix(loc, "/") && !strings.HasPrefix(loc, webApp) {
				t.Errorf("%s leads to %q", page.path, loc)
			}
		}
	}
	in := w.browser().logIn("ann") // the consent page needs a session
	hostileGroups(t, w, in, ann.ID, bob.ID)
	for _, evil := range hostile(t) {
		app, _, err := w.svc.Apps.Register(t.Context(), linnet.AppRequest{Name: mark("app", evil), RedirectURIs: []string{webApp}, Scopes: []string{"read"}})
		if err != nil {
			t.Fatal(err)
		}
		title := mark("list", evil)
		l, err := w.svc.Lists.CreateList(t.Context(), ann.ID, linnet.ListChange{Title: &title})
		if err != nil {
			t.Fatal(err)
		}
		direct := w.post(bob.ID, linnet.Draft{Text: "@ann " + mark("text", evil), Warning: mark("warn", evil), Visibility: vis(linnet.Direct)})
		q := url.QueryEscape(evil)
		for path, marks := range map[string]string{"/lists": "list", "/lists/" + l.ID.String(): "list", "/lists/" + l.ID.String() + "/edit?q=" + q: "list",
			"/lists/" + l.ID.String() + "/delete": "list", "/@bob/lists": "list", "/search?q=" + q: "", "/compose?to=" + q: "",
			"/compose?text=" + url.QueryEscape(mark("draft", evil)): "draft", "/compose?in_reply_to=" + direct.ID.String(): "text warn",
			"/@bob/report?post=" + direct.ID.String(): "warn", "/notifications?kind=" + q: "", "/?lang=" + q: "", "/local?max_id=" + q: ""} {
			checkDocument(t, path, in.get(path).body, evil, strings.Fields(marks))
		}
		eventually(t, "the message arrives", func() bool { return strings.Contains(in.get("/messages").body, "fromwarn") })
		checkDocument(t, "/messages", in.page, evil, []string{"warn"})
		if err := w.svc.Lists.DeleteList(t.Context(), ann.ID, l.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := w.svc.Posting.Delete(t.Context(), bob.ID, direct.ID); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the message goes", func() bool { return !strings.Contains(in.get("/messages").body, "fromwarn") })
		checkDocument(t, "consent", in.get(ask(app, webApp, "scope", "read", "state", evil)).body, evil, []string{"app"})
	}
}

// deface puts a text into a profile and the instance settings.
func (w *world) deface(ann linnet.ID, evil string) {
	w.t.Helper()
	note := mark("note", evil)
	name := string([]rune(evil)[:min(20, len([]rune(evil)))])
	if _, err := w.svc.Social.Profiles.Update(w.t.Context(), ann, linnet.ProfileChange{Name: &name, Note: &note,
		Fields: &[]linnet.ProfileField{{Name: mark("field", evil), Value: mark("value", evil)}}}); err != nil {
		w.t.Fatalf("%q: %v", evil, err)
	}
	title, about := mark("title", evil), mark("about", evil)
	if _, err := w.svc.Settings.ChangeInstance(w.t.Context(), linnet.Operator(), linnet.InstanceChange{Title: &title, Description: &about, Rules: &[]string{mark("rule", evil)}}); err != nil {
		w.t.Fatalf("%q: %v", evil, err)
	}
}

// mark surrounds a text with markers for checkMarks.
func mark(name, s string) string { return "from" + name + " " + s + " to" + name }

// checkDocument checks that a page contains only elements, attributes and addresses of our
// templates, and the marked texts as typed.
func checkDocument(t *testing.T, path, page, evil string, marks []string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for n := range doc.Descendants() {
		switch n.Type {
		case html.TextNode:
			text.WriteString(n.Data)
		case html.ElementNode:
			if n.Data == "br" {
				text.WriteString("\n")
			}
			if fault := unexpected(n, publicURL); fault != "" {
				t.Errorf("%q on %.80s makes %s", evil, path, fault)
			}
		case html.CommentNode:
			t.Errorf("%q on %.80s makes a comment", evil, path)
		}
	}
	checkMarks(t, path, text.String(), evil, marks)
}

// checkMarks checks the text between its markers.
func checkMarks(t testing.TB, path, page, evil string, marks []string) {
	t.Helper()
	for _, m := range marks {
		_, rest, _ := strings.Cut(page, "from"+m)
		got, _, found := strings.Cut(rest, "to"+m)
		if want := asShown(typedIn(m, evil)); !found || asShown(got) != want {
			t.Errorf("%s on %.80s: typed %q, shown %q (there: %v)", m, path, want, asShown(got), found)
		}
	}
}

// typedIn returns a typed text as stored. Names, titles and labels lose bidirectional control
// characters, because these affect surrounding text.
func typedIn(field, typed string) string {
	switch strings.TrimRight(field, "0123456789x") {
	case "text", "bare", "warn", "note", "word", "comment", "about", "groupnote", "draft":
		return typed
	}
	return strings.Map(func(r rune) rune {
		if 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069 {
			return -1
		}
		return r
	}, typed)
}

// asShown returns a text as browsers show it, without control characters and with collapsed
// whitespace.
func asShown(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Cc, r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

var ourElements = strings.Fields("html head meta title link body a header img span form input button nav main footer div section h1 h2 h3 p ul li ol dl dt dd bdi " +
	"article aside details summary time data code br strong label small em abbr noscript svg use select option textarea fieldset legend")

// ourScript reports whether an element is our only script, which is a file and not inline.
func ourScript(n *html.Node) bool {
	return n.Data == "script" && n.FirstChild == nil && len(n.Attr) == 2 && n.Attr[0].Key == "type" && n.Attr[1].Key == "src" &&
		n.Attr[1].Val == assets.Path("script.js") && n.Parent.Data == "head"
}

// unexpected describes an unexpected element or attribute, or returns "".
func unexpected(n *html.Node, base string) string {
	if ourScript(n) {
		return ""
	}
	if !slices.Contains(ourElements, n.Data) {
		return "the element " + n.Data
	}
	for _, a := range n.Attr {
		key, value := strings.ToLower(a.Key), strings.TrimSpace(strings.ToLower(a.Val))
		switch {
		case strings.HasPrefix(key, "on"), key == "style", key == "srcdoc", key == "http-equiv", key == "formaction":
			return fmt.Sprintf("the attribute %s of %s", key, n.Data)
		case key == "src" || key == "action" || n.Data == "link" && key == "href":
			if !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, base+"/") || strings.HasPrefix(value, "//") {
				return fmt.Sprintf("%s=%q of %s", key, value, n.Data)
			}
		case key == "href":
			u, err := url.Parse(value)
			if err != nil || !slices.Contains([]string{"", "http", "https", "mailto"}, u.Scheme) || u.Scheme == "" && !strings.HasPrefix(value, "/") && !strings.HasPrefix(value, "#") || strings.HasPrefix(value, "//") {
				return "a link to " + value
			}
		}
	}
	return ""
}
