package web_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// servedThrough starts a world and wraps its handler for browsers. Requests of the test's own
// client bypass the wrapper.
func servedThrough(t *testing.T, around func(http.Handler) http.Handler) *world {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, "http://"+l.Addr().String())
	inner := w.handler
	w.handler = around(inner)
	w.serve(l)
	w.handler = inner
	t.Cleanup(func() { w.gate.srv.Close() })
	return w
}

// textOutlivesFailures checks that a failed post keeps its text after any kind of failure and after
// a reload. It is published exactly once after recovery.
func textOutlivesFailures(t *testing.T) {
	var code atomic.Int64
	w := servedThrough(t, func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if n := code.Load(); n != 0 && r.Method == http.MethodPost {
				http.Error(rw, "Something broke.", int(n))
				return
			}
			inner.ServeHTTP(rw, r)
		})
	})
	ann := w.user("ann")
	tb := homeOf(t, w)
	tb.writes("stubborn words")
	fails := func(what string, why ...string) {
		t.Helper()
		tb.eval("document.querySelectorAll('.flash').forEach(e => e.textContent = '')")
		tb.clicks(".send .button")
		tb.holds("%s.some(s => document.querySelector('.flash[role=alert]').textContent.includes(s)) && !document.querySelector('.send .button').disabled", strings.ReplaceAll(fmt.Sprintf("%q", why), "\" \"", "\", \""))
		tb.holds("document.getElementById('text').value == 'stubborn words'")
		tb.pictured("after-" + what)
	}
	for _, n := range []int{http.StatusInternalServerError, http.StatusRequestEntityTooLarge, http.StatusServiceUnavailable} {
		code.Store(int64(n))
		fails(fmt.Sprint(n), fmt.Sprint(n), "broke")
	}
	offline := func(yes bool) {
		tb.do("Network.emulateNetworkConditions", map[string]any{"offline": yes, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}, nil)
	}
	offline(true)
	fails("offline", "Connection failed")
	offline(false)
	code.Store(0)
	tb.open(w.base + "/")
	tb.holds("document.getElementById('text').value == 'stubborn words'")
	tb.eval("document.querySelector('.composer [name=form_token]').value = 'AAAA'")
	tb.loads(func() { tb.clicks(".send .button") })
	tb.shows("out of date")
	tb.holds("[...document.querySelectorAll('textarea')].some(e => e.value == 'stubborn words')")
	tb.pictured("out-of-date")
	if n := len(w.postsOf(ann.ID)); n != 0 {
		t.Errorf("%d posts", n)
	}
	tb.clicks(".send .button")
	eventually(t, "it is posted", func() bool { return len(w.postsOf(ann.ID)) == 1 })
	tb.open(w.base + "/")
	tb.holds("document.querySelector('.post .text')?.textContent.trim() == 'stubborn words' && document.getElementById('text').value == ''")
	if got := w.postsOf(ann.ID); len(got) != 1 {
		t.Errorf("posts %q", got)
	}
	tb.expects("status of ", "net::ERR_")
}

// zoneOfTheBrowser checks that scripts show times in the browser's zone from the first page after
// login. The account's setting takes precedence and needs no script.
func zoneOfTheBrowser(t *testing.T) {
	w, ann, bob := flock(t, 0)
	path := postPath(w.post(bob.ID, linnet.Draft{Text: "late"}))
	tb := newTab(t)
	tb.do("Emulation.setTimezoneOverride", map[string]any{"timezoneId": "Asia/Tokyo"}, nil)
	tb.logIn(w, "ann")
	says := func(zone string) {
		t.Helper()
		tb.open(w.base + path)
		if got := tb.eval("document.querySelector('.opened .facts time').innerText + '|' + document.querySelector('.opened .facts time').title"); strings.Count(got, zone) != 2 {
			t.Errorf("times are %s, want %s", got, zone)
		}
	}
	says("JST")
	b := w.browser().logIn("ann")
	b.get("/settings/appearance")
	want(t, b.post("/settings/appearance", "theme", "", "zone", "Pacific/Auckland"), http.StatusSeeOther)
	says("NZ")
	tb.pictured("auckland")
	still := w.withoutScripts("ann")
	still.open(w.base + path)
	still.holds("document.querySelector('.opened .facts time').innerText.includes('NZ')")
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Appearance: &linnet.Appearance{}}); err != nil {
		t.Fatal(err)
	}
	still.open(w.base + path)
	still.holds("document.querySelector('.opened .facts time').innerText.includes('UTC')")
}

// asks sets the Accept-Language header of the tab.
func (tb *tab) asks(language string) {
	tb.t.Helper()
	tb.do("Network.setExtraHTTPHeaders", map[string]any{"headers": map[string]any{"Accept-Language": language}}, nil)
}

// languageIsChosen checks that pages follow the language and direction that the browser requests,
// also without an account. The account's setting takes precedence.
func languageIsChosen(t *testing.T) {
	w, _, _ := flock(t, 1)
	stranger, member := newTab(t), newTab(t)
	member.enters(w, "ann")
	home := map[string]bool{}
	const spoken = "[document.documentElement.lang, getComputedStyle(document.documentElement).direction].join()"
	for _, l := range locale.Languages() {
		want := l.Code + ",ltr"
		if l.RTL {
			want = l.Code + ",rtl"
		}
		for _, tb := range []*tab{stranger, member} {
			tb.asks(l.Code + ";q=0.9, tlh")
			tb.open(w.base + "/")
			if got := tb.eval(spoken); got != want {
				t.Errorf("asked for %s it speaks %s", l.Code, got)
			}
		}
		home[member.eval("document.querySelector('.nav .go .label').innerText")] = true
		member.pictured(l.Code)
	}
	if len(home) != len(locale.Languages()) {
		t.Errorf("%d languages say %v", len(locale.Languages()), home)
	}
	b := w.browser().logIn("ann")
	b.get("/settings/appearance")
	want(t, b.post("/settings/appearance", "theme", "", "zone", "", "language", "ar"), http.StatusSeeOther)
	member.asks("de")
	member.open(w.base + "/")
	if got := member.eval(spoken); got != "ar,rtl" {
		t.Errorf("after a choice of Arabic it speaks %s", got)
	}
}

// arabicIsMirrored checks that Arabic pages are laid out from right to left. Arrows are mirrored,
// and each post keeps the direction of its language.
func arabicIsMirrored(t *testing.T) {
	w, ann, bob := flock(t, 22)
	st := w.post(bob.ID, linnet.Draft{Text: "words in English"})
	w.post(ann.ID, linnet.Draft{Text: "@bob an answer", InReplyTo: st.ID})
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.asks("ar")
	tb.width(1280)
	const order = `(x => x.every((e, i) => i == 0 || e <= x[i - 1] + 1))(['.nav', '.app > main', '.side'].map(s => document.querySelector(s).getBoundingClientRect()).flatMap(b => [b.right, b.left]))`
	for _, path := range []string{"/", postPath(st), "/@bob", "/notifications"} {
		tb.open(w.base + path)
		for what, holds := range map[string]string{"the order of columns": order,
			"arrows":        "[...document.querySelectorAll('.flip')].filter(e => e.checkVisibility()).every(e => getComputedStyle(e).transform.startsWith('matrix(-1'))",
			"faces":         "[...document.querySelectorAll('.post')].every(e => e.querySelector('.face').getBoundingClientRect().left > e.querySelector('h3 bdi').getBoundingClientRect().right - 1)",
			"what is said":  "[...document.querySelectorAll('.post .text')].every(e => getComputedStyle(e).direction == 'ltr')",
			"handles":       "[...document.querySelectorAll('.handle')].every(e => e.matches('bdi') || e.closest('.profile'))",
			"the beginning": "document.documentElement.scrollLeft == 0 && document.documentElement.scrollWidth <= innerWidth",
		} {
			if tb.eval("%s", holds) != "true" {
				t.Errorf("%s: not as from right to left: %s", path, what)
			}
		}
		tb.pictured(strings.ReplaceAll("arabic"+path, "/", "-"))
	}
	tb.calm()
}

// framable removes the headers that forbid framing.
type framable struct {
	http.ResponseWriter
	begun bool
}

func (f *framable) WriteHeader(code int) {
	if f.begun {
		return
	}
	f.begun = true
	f.Header().Del("Content-Security-Policy")
	f.Header().Del("X-Frame-Options")
	f.ResponseWriter.WriteHeader(code)
}

func (f *framable) Write(b []byte) (int, error) {
	f.WriteHeader(http.StatusOK)
	return f.ResponseWriter.Write(b)
}

func (f *framable) Unwrap() http.ResponseWriter { return f.ResponseWriter }

// walked opens each path in a frame at several widths. It returns the pages that overflow the frame
// or have the wrong text direction.
const walked = `(async (paths, widths, dir) => {
	const frame = document.createElement('iframe');
	frame.style.cssText = 'border: 0; height: 800px; width: 360px';
	document.body.replaceChildren(frame);
	const faults = [];
	for (const path of paths) {
		await new Promise(done => { frame.onload = done; frame.src = path; });
		const page = frame.contentDocument.documentElement;
		if (!path.endsWith('/embed') && (page.dir || 'ltr') != dir) faults.push(path + ' goes ' + page.dir);
		for (const px of widths) {
			frame.style.width = px + 'px';
			if (page.scrollWidth <= px) continue;
			const out = [...page.querySelectorAll('body *')].filter(e => { const b = e.getBoundingClientRect(); return b.width > 1 && (b.right > px + 1 || b.left < -1) && !e.closest('.unseen, .skip') });
			faults.push(path + ' at ' + px + ' px is ' + page.scrollWidth + ' px wide: ' + out.slice(0, 1).concat(out.slice(-1)).map(e => e.outerHTML.slice(0, 80)).join(' … '));
		}
	}
	return faults.join('\n');
})(%s, [360, 768, 1280, 1920], %q)`

// pagesFitInTheirLanguages checks that no page is wider than the window in German, which has long
// words, and in Arabic. Every second page is enough, as each kind has several.
func pagesFitInTheirLanguages(t *testing.T) {
	w := servedThrough(t, func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) { inner.ServeHTTP(&framable{ResponseWriter: rw}, r) })
	})
	paths := map[string][]string{}
	for i, v := range w.visits() {
		if v.code < http.StatusBadRequest && !strings.HasPrefix(v.path, "/logout") && i%2 == 0 {
			paths[v.who] = append(paths[v.who], v.path)
		}
	}
	for who, all := range paths {
		tb := newTab(t)
		if who != "" {
			tb.enters(w, who)
		}
		tb.width(1920)
		for _, name := range []string{"de", "ar"} {
			tb.asks(name)
			tb.open(w.base + "/about")
			dir := map[bool]string{true: "rtl", false: "ltr"}[locale.Named(name).RTL]
			for some := range slices.Chunk(all, 20) { // small enough for the time limit of one call
				list, _ := json.Marshal(some)
				if got := tb.eval(walked, list, dir); got != "" {
					t.Errorf("in %s, as %q:\n%s", name, who, got)
				}
			}
		}
	}
}

// arabicIsAccessible checks that axe finds no faults on Arabic pages.
func arabicIsAccessible(t *testing.T) {
	script := axe(t)
	w, ann, bob := flock(t, 2)
	st := w.post(ann.ID, linnet.Draft{Text: "An answer to @bob with #birds and https://example.com/", Warning: "Birds"})
	w.post(bob.ID, linnet.Draft{Text: "@ann yes", InReplyTo: st.ID})
	talk := w.conversationOf(ann.ID, bob.ID)
	w.role("ann", linnet.Admin)
	eventually(t, "tasks end", w.svc.Idle)
	stranger, member := newTab(t), newTab(t)
	member.enters(w, "ann")
	for _, p := range []struct {
		tb   *tab
		path string
	}{
		{stranger, "/"}, {stranger, "/login"}, {member, "/"}, {member, postPath(st)}, {member, "/@bob"}, {member, "/notifications"}, {member, talk}, {member, "/settings/profile"}, {member, "/admin/users"},
	} {
		p.tb.asks("ar")
		p.tb.open(w.base + p.path)
		for px, scheme := range map[int]string{375: darkSystem, 1280: lightSystem} {
			p.tb.width(px)
			p.tb.media("", scheme, noMotion)
			p.tb.axe(script, fmt.Sprintf("%s in Arabic at %d px, %s", p.path, px, scheme), "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
		}
	}
}

// axNode is a node of the accessibility tree.
type axNode struct {
	Ignored    bool
	Role, Name struct{ Value any }
}

// accessibleNodes returns the nodes of the accessibility tree that screen readers announce.
func (tb *tab) accessibleNodes() []axNode {
	tb.t.Helper()
	var tree struct{ Nodes []axNode }
	tb.do("Accessibility.getFullAXTree", nil, &tree)
	return slices.DeleteFunc(tree.Nodes, func(n axNode) bool { return n.Ignored })
}

// controlsHaveNames checks that every control and picture of the main pages has a name. Landmarks
// of the same kind have different names.
func controlsHaveNames(t *testing.T) {
	w := served(t)
	f := w.furnishAll()
	tb, stranger := newTab(t), newTab(t)
	tb.enters(w, "ann")
	named := strings.Fields("button link textbox searchbox combobox checkbox radio radiogroup slider spinbutton menuitem image img region complementary dialog log DisclosureTriangle")
	for _, v := range []struct {
		tb   *tab
		path string
	}{{stranger, "/"}, {stranger, "/login"}, {stranger, f.post}, {tb, "/"}, {tb, f.post}, {tb, "/@bob"}, {tb, "/compose"}, {tb, "/notifications"}, {tb, "/messages"}, {tb, "/messages/new"}, {tb, "/explore"}, {tb, "/lists"},
		{tb, "/groups"}, {tb, "/settings/profile"}, {tb, "/settings/security"}, {tb, "/admin/users"}, {tb, "/admin/overview"}, {tb, f.report}} {
		v.tb.open(w.base + v.path)
		v.tb.eval("document.querySelectorAll('details').forEach(e => e.open = true)")
		marks := map[string]int{}
		for _, n := range v.tb.accessibleNodes() {
			role, name := fmt.Sprint(n.Role.Value), strings.TrimSpace(fmt.Sprint(n.Name.Value))
			if slices.Contains(named, role) && (name == "" || name == "<nil>") {
				t.Errorf("%s: a %s has no name", v.path, role)
			}
			if role == "navigation" || role == "complementary" {
				marks[role+" "+name]++
			}
			marks[role]++
		}
		if marks["main"] != 1 || marks["navigation"] == 0 || marks["contentinfo"] > 1 || marks["contentinfo"] == 0 && !strings.HasPrefix(v.path, "/messages/") || marks["banner"] > 1 {
			t.Errorf("%s has these landmarks: %v", v.path, marks)
		}
		for mark, n := range marks {
			if strings.Contains(mark, " ") && n > 1 {
				t.Errorf("%s: %d landmarks are called %q", v.path, n, mark)
			}
		}
	}
}

// keysReachControls checks that the tab key reaches every control and leaves the page again. Each
// focused control is in view and visibly focused.
func keysReachControls(t *testing.T) {
	w, _, bob := flock(t, 3)
	w.post(bob.ID, linnet.Draft{Text: "behind", Warning: "Birds"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := newTab(t)
	tb.enters(w, "ann")
	const stop = `(e => e == document.body ? '' : (b => [b.bottom > 0 && b.top < innerHeight && b.right > 0 && b.left < innerWidth, getComputedStyle(e).outlineStyle != 'none' || e.matches('main'), e.outerHTML.slice(0, 60)].join())(e.getBoundingClientRect()))(document.activeElement)`
	for _, v := range []struct {
		path string
		px   int
	}{{"/", 1280}, {"/@bob", 375}, {"/settings/appearance", 1280}} {
		tb.width(v.px)
		tb.open(w.base + v.path)
		all := tb.eval("[...document.querySelectorAll('a[href], button, summary, textarea, select, input:not([type=hidden])')].filter(e => e.checkVisibility() && e.tabIndex >= 0 && !e.disabled && e.type != 'radio').length")
		stops := 0
		for range 150 {
			tb.hit("Tab")
			at := tb.eval(stop)
			if at == "" {
				break
			}
			if stops++; !strings.HasPrefix(at, "true,true,") {
				t.Errorf("%s: in the window and seen to have the focus: %s", v.path, at)
			}
		}
		if n := 0; stops < 15 || stops == 150 {
			t.Errorf("%s: %d stops", v.path, stops)
		} else if _, err := fmt.Sscan(all, &n); err != nil || stops < n {
			t.Errorf("%s: %d stops at %d controls", v.path, stops, n)
		}
	}
}

// changesAreReadOut checks that screen readers announce changes within a page. These are new posts,
// results, errors, search matches, saved drafts and incoming messages.
func changesAreReadOut(t *testing.T) {
	w, ann, bob := flock(t, 1)
	talk := w.conversationOf(ann.ID, bob.ID)
	tb := homeOf(t, w)
	w.post(bob.ID, linnet.Draft{Text: "new"})
	tb.holds("document.querySelector('.news[role=status]').textContent == '1 new post'")
	tb.pictured("new-post")
	if tb.eval("document.querySelector('.saved[role=status]') != null") != "true" {
		t.Error("nobody hears whether a draft is saved")
	}
	tb.writes("said")
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.flash[role=status]').textContent == 'Posted. View'")
	tb.writes(strings.Repeat("x", 501))
	tb.eval("(b => (b.disabled = false, b.click()))(document.querySelector('.send .button'))")
	tb.holds("document.querySelector('.flash[role=alert]').textContent.includes('maximum is 500')")
	tb.expects("status of 422")
	tb.open(w.base + "/settings/profile")
	tb.eval("document.querySelector('#find-place').focus()")
	tb.do("Input.insertText", map[string]any{"text": "xyzzy"}, nil)
	tb.holds("document.querySelector('.places .found[role=status]').textContent.includes('xyzzy')")
	tb.open(w.base + talk)
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	w.post(bob.ID, linnet.Draft{Text: "@ann comes in", Visibility: vis(linnet.Direct)})
	tb.holds("document.querySelector('[role=log]').textContent.includes('comes in')")
	tb.calm()
}
