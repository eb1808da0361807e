package web_test

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	demo "linnet/internal/admin"
	"linnet/internal/linnet"
)

// shownView is a view in docs/views.md, which shows both colour schemes.
type shownView struct {
	name, path string

	stranger bool   // not as the demo's member
	phone    bool   // with a phone-sized window
	code     int    // 0: 200
	reads    string // Accept-Language; "": English
	then     string // script to run before the screenshot
}

const (
	viewsPage = "../../docs/views.md"
	viewsDir  = "../../docs/pictures/views"

	viewMost     = 40 << 10 // bytes per picture
	viewsMost    = 2 << 20  // bytes of all pictures
	viewsQuality = 72
)

// sameHost replaces the test server's address in a page, because its port varies.
const sameHost = `() => {
	const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
	while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replaceAll(location.host, 'reading.example')
}`

// shownViews returns the views in the order of docs/views.md. They need the objects of
// furnishViews.
func (w *world) shownViews(t *testing.T, b *browser) []shownView {
	t.Helper()
	talk := w.conversationWith(t, "holmes")
	feed := linkOn(t, b, "/feeds", `href="(/feeds/[0-9]+)"`)
	list := linkOn(t, b, "/lists", `href="(/lists/[0-9]+)"`)
	return []shownView{
		{name: "home", path: "/"},
		{name: "thread", path: w.opened(t)},
		{name: "notifications", path: "/notifications"},
		{name: "explore", path: "/explore"},
		{name: "search", path: "/search?q=whale"},
		{name: "catchup", path: "/catchup"},
		{name: "lists", path: "/lists"},
		{name: "list", path: list},
		{name: "feeds", path: "/feeds"},
		{name: "feed-edit", path: feed + "/edit"},
		{name: "profile", path: "/@ishmael"},
		{name: "media", path: "/@walt/media"},
		{name: "groups", path: "/groups"},
		{name: "group", path: "/@reading_room"},
		{name: "composer", path: "/", then: "document.getElementById('text').value = 'Who has the key to the map room?'; for (const s of ['.audience', '.tool:has(#warning)']) document.querySelector('.composer ' + s).open = true"},
		{name: "drafts", path: "/drafts"},
		{name: "empty", path: "/scheduled"},
		{name: "conversation", path: talk},
		{name: "chat", path: "/@atlas_case"},
		{name: "new-message", path: "/messages/new?to=ada"},
		{name: "settings", path: "/settings"},
		{name: "settings-page", path: "/settings/appearance"},
		{name: "admin", path: "/admin/overview"},
		{name: "admin-table", path: "/admin/users"},
		{name: "front", path: "/", stranger: true},
		{name: "login", path: "/login", stranger: true},
		{name: "signup", path: "/signup", stranger: true},
		{name: "error", path: "/nowhere", code: http.StatusNotFound},
		{name: "phone-home", path: "/", phone: true},
		{name: "phone-thread", path: w.opened(t), phone: true},
		{name: "phone-conversation", path: talk, phone: true},
		{name: "phone-composer", path: "/compose", phone: true},
		{name: "german", path: "/", reads: "de"},
		{name: "arabic", path: "/", reads: "ar"},
	}
}

// conversationWith returns the path of the demo member's conversation with an account.
func (w *world) conversationWith(t *testing.T, login string) string {
	t.Helper()
	all, err := w.svc.Posting.Conversations.List(t.Context(), w.named(demo.DemoAdmin), linnet.Page{Limit: 40})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range all.Items {
		if len(v.People) == 1 && v.People[0].Login == login {
			return "/messages/" + v.ID.String()
		}
	}
	t.Fatalf("nobody talks with %s", login)
	return ""
}

// linkOn returns the first match of a pattern on a page.
func linkOn(t *testing.T, b *browser, path, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(b.get(path).body)
	if m == nil {
		t.Fatalf("%s has no %s", path, pattern)
	}
	return m[1]
}

// furnishViews logs in as the demo member and returns the browser. It creates a feed and two
// drafts, and opens sign-up.
func (w *world) furnishViews(t *testing.T) *browser {
	t.Helper()
	w.register(linnet.RegisterOpen, "Be kind; you may be quoted.", "Warn before you tell how a book ends.")
	b := w.browser()
	b.get("/login")
	want(t, b.post("/login", "login", demo.DemoAdmin, "password", demo.DemoPassword), http.StatusSeeOther)
	want(t, b.get("/catchup"), http.StatusOK) // creates the snapshot before home is read
	b.get("/feeds/new")
	want(t, b.postRaw("/feeds/new", feedForm(b, "title", "Slow evenings", "favourites", "1", "reblogs", "2", "replies", "1.5", "half_life", "86400",
		"window", "259200", "source", "home", "amount", "3", "source", "tag:books", "amount", "4", "do", "save")), http.StatusSeeOther)
	for i, text := range []string{"Opening hours over the holidays: ", "Three things that I learned about binding from a book that had lost its own."} {
		b.get("/compose")
		want(t, b.post("/compose", "do", "draft", "draft", "", "key", fmt.Sprint("draft", i), "text", text, "visibility", "public"), http.StatusSeeOther)
	}
	eventually(t, "tasks end", w.svc.Idle)
	eventually(t, "tags trend", func() bool { return strings.Contains(b.get("/").body, "Trending") })
	return b
}

// viewsAreShown checks that each view of docs/views.md opens and has pictures in both colour
// schemes. With -update it takes all pictures.
func viewsAreShown(t *testing.T) {
	w := demonstration(t)
	b := w.furnishViews(t)
	views := w.shownViews(t, b)
	if *update {
		w.takeViews(t, b, views)
	}
	var taken []string
	total := int64(0)
	for _, v := range views {
		who := b
		if v.stranger {
			who = w.browser()
		}
		if a := who.get(v.path); a.StatusCode != cmp.Or(v.code, http.StatusOK) {
			t.Errorf("%s: %s answers %d", v.name, v.path, a.StatusCode)
		}
		for _, scheme := range []string{"light", "dark"} {
			name := v.name + "-" + scheme + ".webp"
			taken = append(taken, name)
			info, err := os.Stat(filepath.Join(viewsDir, name))
			if err != nil {
				t.Error(err)
				continue
			}
			if total += info.Size(); info.Size() > viewMost {
				t.Errorf("%s has %d bytes, the most is %d", name, info.Size(), viewMost)
			}
		}
	}
	if total > viewsMost {
		t.Errorf("all pictures have %d bytes, the most is %d", total, viewsMost)
	}
	text, err := os.ReadFile(viewsPage)
	if err != nil {
		t.Fatal(err)
	}
	var named []string
	for _, m := range regexp.MustCompile(`pictures/views/([^"]*)"`).FindAllSubmatch(text, -1) {
		named = append(named, string(m[1]))
	}
	if !slices.Equal(named, taken) {
		t.Errorf("docs/views.md names\n%s\nand there are\n%s", strings.Join(named, "\n"), strings.Join(taken, "\n"))
	}
	files, err := os.ReadDir(viewsDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !slices.Contains(taken, f.Name()) {
			t.Errorf("%s is not taken", f.Name())
		}
	}
}

// takeViews takes all pictures. They show a scaled-down window of 1280 px or a phone-sized one.
func (w *world) takeViews(t *testing.T, b *browser, views []shownView) {
	t.Helper()
	keeper, stranger := newTab(t), newTab(t)
	for name, value := range b.jar {
		keeper.do("Network.setCookie", map[string]any{"name": name, "value": value, "url": w.base, "httpOnly": true}, nil)
	}
	for _, v := range views {
		tb, width, height, scale := keeper, 1280, 860, 900./1280
		if v.stranger {
			tb = stranger
		}
		if v.phone {
			width, height, scale = 390, 780, 1
		}
		tb.do("Network.setExtraHTTPHeaders", map[string]any{"headers": map[string]string{"Accept-Language": cmp.Or(v.reads, "en")}}, nil)
		tb.size(width, height)
		for _, scheme := range []string{"light", "dark"} {
			tb.scheme(scheme)
			tb.open(w.base + v.path)
			if v.then != "" {
				tb.eval("{%s}", v.then)
			}
			tb.eval("(%s)()", sameHost)
			var shot struct{ Data string }
			tb.do("Page.captureScreenshot", map[string]any{"format": "webp", "quality": viewsQuality,
				"clip": map[string]any{"x": 0, "y": 0, "width": width, "height": height, "scale": scale}}, &shot)
			picture, err := base64.StdEncoding.DecodeString(shot.Data)
			if err == nil {
				err = os.WriteFile(filepath.Join(viewsDir, v.name+"-"+scheme+".webp"), picture, 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
			tb.eval("document.querySelector('.composer')?.reset()") // otherwise it is saved as a draft
		}
		for _, fault := range tb.complaints() {
			if v.code == 0 {
				t.Errorf("%s: the browser complains: %s", v.name, fault)
			}
		}
	}
}
