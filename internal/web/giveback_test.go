package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
)

// filled is a form of a page with something typed into everything that takes it.
type filled struct {
	page, action string
	sent         url.Values
	seen         url.Values // of it, what its sender sees on the page
}

// postedForms finds the forms of a page that post, and fills them in.
func postedForms(t *testing.T, page, body string) []filled {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var all []filled
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "form" && attr(n, "method") == "post" {
			f := filled{page, attr(n, "action"), url.Values{}, url.Values{}}
			if f.action == "" {
				f.action = page
			}
			if fill(n, f) {
				all = append(all, f)
			}
		}
	}
	return all
}

// fill types into the inputs of a form. It reports whether a button sends it.
func fill(form *html.Node, f filled) (sends bool) {
	for n := range form.Descendants() {
		name, kind, value := attr(n, "name"), attr(n, "type"), attr(n, "value")
		sends = sends || n.Data == "button"
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		mark := fmt.Sprintf("Typed <&\"> %s %d ü", name, len(f.sent[name]))
		switch {
		case n.Data == "input" && kind == "hidden":
			f.sent.Add(name, value)
		case kind == "radio" && f.sent.Has(name):
		case kind == "password":
			f.sent.Set(name, "secret of mine")
		case kind == "checkbox" || kind == "radio":
			f.sent.Add(name, value)
			f.seen.Add(name, value)
		case kind == "number":
			f.sent.Add(name, "3")
			f.seen.Add(name, "3")
		case n.Data == "input" || n.Data == "textarea":
			f.sent.Add(name, mark)
			f.seen.Add(name, mark)
		case n.Data == "select":
			last := ""
			for o := range n.Descendants() {
				if o.Data == "option" {
					last = attr(o, "value")
				}
			}
			f.sent.Add(name, last)
			f.seen.Add(name, last)
		case n.Data == "button" && !f.sent.Has(name):
			f.sent.Add(name, value)
		}
	}
	for _, name := range []string{"code", "ticket"} { // secrets of another sort
		f.seen.Del(name)
	}
	return sends
}

// shown is what the inputs of a form hold, but for hidden ones.
func shown(form *html.Node) url.Values {
	v := url.Values{}
	for n := range form.Descendants() {
		name, kind := attr(n, "name"), attr(n, "type")
		has := func(name string) bool {
			return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
		}
		switch {
		case n.Type != html.ElementNode || name == "" || kind == "hidden" || kind == "password":
		case (kind == "checkbox" || kind == "radio") && !has("checked"):
		case n.Data == "input":
			v.Add(name, attr(n, "value"))
		case n.Data == "textarea":
			v.Add(name, strings.TrimPrefix(innerText(n), "\n"))
		case n.Data == "select":
			for o := range n.Descendants() {
				if o.Data == "option" && slices.ContainsFunc(o.Attr, func(a html.Attribute) bool { return a.Key == "selected" }) {
					v.Add(name, attr(o, "value"))
				}
			}
		}
	}
	return v
}

// holdsTyped fails unless a page shows the form with what was typed and a token
// for the session, and no secret.
func (f filled) holdsTyped(t *testing.T, what, body, session string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(body, "secret of mine") {
		t.Errorf("%s: %s on %s gives a password back", what, f.action, f.page)
	}
	form := formIn(doc, keptForm{Action: f.action, Page: f.page, Fields: f.sent})
	if form == nil {
		t.Errorf("%s: %s on %s: the page does not show the form:\n%s", what, f.action, f.page, clip(body, 3000))
		return
	}
	got := shown(form)
	for name, values := range f.seen {
		if !slices.Equal(slices.Sorted(slices.Values(got[name])), slices.Sorted(slices.Values(values))) {
			t.Errorf("%s: %s on %s gives back %s=%q, typed was %q", what, f.action, f.page, name, got[name], values)
		}
	}
	for n := range form.Descendants() {
		if attr(n, "name") == tokenField && session != "" && attr(n, "value") != formMAC(session) {
			t.Errorf("%s: %s on %s: the token is not that of the session", what, f.action, f.page)
		}
	}
}

var changing = regexp.MustCompile(`[0-9]+|/invite/[a-z2-7]+|/setup/[A-Z2-7-]+`)

// Every form of every page gives back what was typed into it, when its token is out
// of date and when the session has ended: there, after logging in again.
func TestEveryFormGivesBack(t *testing.T) {
	w := newWorld(t, loopbackURL)
	setup := "/setup/" + w.setupToken()
	seen, n := map[string]bool{}, 0
	forms := func(b *browser, page string) []filled {
		a := b.get(page)
		var fresh []filled
		for _, f := range postedForms(t, page, a.body) {
			names := slices.Collect(func(yield func(string) bool) {
				for name := range f.sent {
					if !yield(name) {
						return
					}
				}
			})
			slices.Sort(names)
			kind := changing.ReplaceAllString(f.action, "N") + strings.Join(names, " ")
			if !seen[kind] {
				seen[kind] = true
				fresh = append(fresh, f)
			}
		}
		return fresh
	}
	stranger := w.browser()
	late := func(b *browser, f filled) answer {
		stale := url.Values{}
		for name, values := range f.sent {
			stale[name] = values
		}
		stale.Set(tokenField, "AAAA")
		b.header = http.Header{"Referer": {w.base + f.page}, "Origin": {w.base}}
		return b.postRaw(f.action, stale)
	}
	for _, f := range forms(stranger, setup) {
		a := late(stranger, f)
		want(t, a, http.StatusForbidden, "Nothing was changed")
		f.holdsTyped(t, "a stranger", a.body, "")
	}
	visits := w.visits()
	w.register(linnet.RegisterApproval, "Be kind.")
	ann := w.browser().logIn("ann")
	for _, v := range visits {
		if v.code != http.StatusOK {
			continue
		}
		if v.who == "" {
			for _, f := range forms(stranger, v.path) {
				a := late(stranger, f)
				want(t, a, http.StatusForbidden, "Nothing was changed")
				f.holdsTyped(t, "a stranger", a.body, "")
			}
			continue
		}
		for _, f := range forms(ann, v.path) {
			if strings.HasPrefix(f.action, "/login") {
				continue
			}
			n++
			a := late(ann, f)
			if a.StatusCode != http.StatusForbidden {
				t.Errorf("%s on %s: %d", f.action, f.page, a.StatusCode)
				continue
			}
			want(t, a, http.StatusForbidden, "Nothing was changed")
			f.holdsTyped(t, "out of date", a.body, ann.jar["linnet"])

			out := w.browser()
			out.jar["linnet"] = "ended"
			a = late(out, f)
			want(t, a, http.StatusForbidden, "You are not logged in any more", `name="kept"`)
			if strings.Contains(a.body, "secret of mine") {
				t.Errorf("%s keeps a password", f.action)
			}
			kept := regexp.MustCompile(`name="kept" value="([^"]*)"`).FindStringSubmatch(a.body)[1]
			if n == 1 { // few attempts are free
				want(t, out.post("/login", "login", "ann", "password", "wrong one", keptField, kept), http.StatusUnprocessableEntity, kept)
			}
			a = out.post("/login", "login", "ann", "password", password, keptField, kept)
			want(t, a, http.StatusOK, "You are logged in again")
			f.holdsTyped(t, "logged in again", a.body, out.jar["linnet"])
		}
	}
	t.Logf("%d forms of members", n)
	if n < 40 {
		t.Errorf("only %d forms of members were tried", n)
	}
}

// A post whose writer was logged out meanwhile is sent after logging in again, with
// a second factor too, and once however often it is sent.
func TestPostSurvivesLogOut(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	b.get("/")
	text := strings.Repeat("A long thought, in ü and 日本語. ", 14)
	fields := []string{"text", text, "warning", "long", "visibility", "private", "language", "de", "key", "one-key", "then", "home"}
	if err := w.svc.LogOut(t.Context(), b.jar["linnet"]); err != nil {
		t.Fatal(err)
	}
	b.header = http.Header{"Referer": {w.base + "/"}}
	a := b.post("/compose", fields...)
	want(t, a, http.StatusForbidden, "You are not logged in any more")
	n := len(w.postsOf(ann.ID))
	if n != 0 {
		t.Fatalf("%d posts", n)
	}
	kept := regexp.MustCompile(`name="kept" value="([^"]*)"`).FindStringSubmatch(a.body)[1]
	a = b.post("/login", "login", "ann", "password", password, keptField, kept)
	want(t, a, http.StatusOK, text, `value="long"`, `<option value="private" selected`, `value="one-key"`)
	for page := b.page; n < 2; n++ {
		b.page = page
		wantTo(t, b.post("/compose", fields...), "/")
	}
	if got := w.postsOf(ann.ID); len(got) != 1 || strings.TrimSpace(got[0]) != strings.TrimSpace(text) {
		t.Errorf("posts %q", got)
	}
}

// With the script the text comes back too.
func TestPostSurvivesLogOutInBrowser(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := newTab(t)
	tb.width(1280)
	session := tb.enters(w, "ann").jar["linnet"]
	tb.open(w.base + "/")
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	tb.writes("said too late")
	if err := w.svc.LogOut(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	tb.loads(func() { tb.clicks(".send .button") })
	tb.holds("document.title.startsWith('Log in') && !!document.querySelector('input[name=kept]')")
	tb.eval("document.getElementById('login').value = 'ann', document.getElementById('password').value = %q", password)
	tb.loads(func() { tb.eval("document.querySelector('.card button').click()") })
	tb.holds("document.getElementById('text').value == 'said too late'")
	tb.clicks(".send .button")
	eventually(t, "it is posted", func() bool { return slices.Contains(w.postsOf(ann.ID), "said too late") })
}
