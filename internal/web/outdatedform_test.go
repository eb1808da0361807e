package web_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"linnet/internal/linnet"
)

// filled is a form of a page with a value for every input.
type filled struct {
	page, action string
	sent         url.Values
	seen         url.Values // the visible part of sent
}

// postedForms returns the POST forms of a page, filled in.
func postedForms(t *testing.T, page, body string) []filled {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	var all []filled
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.Data == "form" && attribute(n, "method") == "post" {
			f := filled{page, attribute(n, "action"), url.Values{}, url.Values{}}
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

// fill sets a value for each input of a form. It reports whether a button submits it.
func fill(form *html.Node, f filled) (sends bool) {
	for n := range form.Descendants() {
		name, kind, value := attribute(n, "name"), attribute(n, "type"), attribute(n, "value")
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
					last = attribute(o, "value")
				}
			}
			f.sent.Add(name, last)
			f.seen.Add(name, last)
		case n.Data == "button" && !f.sent.Has(name):
			f.sent.Add(name, value)
		}
	}
	for _, name := range []string{"code", "ticket"} { // other secrets
		f.seen.Del(name)
	}
	return sends
}

// shown returns the values of a form's visible inputs.
func shown(form *html.Node) url.Values {
	v := url.Values{}
	for n := range form.Descendants() {
		name, kind := attribute(n, "name"), attribute(n, "type")
		has := func(name string) bool {
			return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
		}
		switch {
		case n.Type != html.ElementNode || name == "" || kind == "hidden" || kind == "password":
		case (kind == "checkbox" || kind == "radio") && !has("checked"):
		case n.Data == "input":
			v.Add(name, attribute(n, "value"))
		case n.Data == "textarea":
			v.Add(name, strings.TrimPrefix(innerText(n), "\n"))
		case n.Data == "select":
			for o := range n.Descendants() {
				if o.Data == "option" && slices.ContainsFunc(o.Attr, func(a html.Attribute) bool { return a.Key == "selected" }) {
					v.Add(name, attribute(o, "value"))
				}
			}
		}
	}
	return v
}

// formOn looks for forms with the same action and hidden inputs. It returns the one that has the
// most of the submitted inputs, or nil.
func (f filled) formOn(doc *html.Node) (best *html.Node) {
	most := -1
	for n := range doc.Descendants() {
		if action := attribute(n, "action"); n.Data != "form" || action != f.action && (action != "" || f.page != f.action) {
			continue
		}
		has := 0
		for e := range n.Descendants() {
			name := attribute(e, "name")
			if attribute(e, "type") == "hidden" && !slices.Contains([]string{"form_token", "key", "draft"}, name) && !slices.Contains(f.sent[name], attribute(e, "value")) {
				has = -1
				break
			}
			if e.Data != "button" && f.sent.Has(name) {
				has++
			}
		}
		if has > most {
			best, most = n, has
		}
	}
	return best
}

// showsTyped checks that a page shows the form again with the entered values and a valid token.
// Passwords must not be returned.
func (f filled) showsTyped(t *testing.T, what, body, session string) {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(body, "secret of mine") {
		t.Errorf("%s: %s on %s gives a password back", what, f.action, f.page)
	}
	form := f.formOn(doc)
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
		if attribute(n, "name") == "form_token" && session != "" && !strings.HasPrefix(attribute(n, "value"), formMAC(session)+".") {
			t.Errorf("%s: %s on %s: the token is not that of the session", what, f.action, f.page)
		}
	}
}

var keptInput = regexp.MustCompile(`name="kept" value="([^"]*)"`)

var changing = regexp.MustCompile(`[0-9]+|/invite/[a-z2-7]+|/setup/[A-Z2-7-]+`)

// lateForms submits forms after their token or session has expired.
type lateForms struct {
	*world
	t    *testing.T
	seen map[string]bool // each kind of form is tested once
	n    int             // number of member forms
}

// of returns the forms of a page that were not tested yet.
func (l *lateForms) of(b *browser, page string) (fresh []filled) {
	for _, f := range postedForms(l.t, page, b.get(page).body) {
		names := slices.Sorted(maps.Keys(f.sent))
		kind := changing.ReplaceAllString(f.action, "N") + strings.Join(names, " ")
		if !l.seen[kind] && !strings.HasPrefix(f.action, "/login") {
			l.seen[kind] = true
			fresh = append(fresh, f)
		}
	}
	return fresh
}

// send submits a form with an invalid token.
func (l *lateForms) send(b *browser, f filled) answer {
	stale := maps.Clone(f.sent)
	stale.Set("form_token", "AAAA")
	b.header = http.Header{"Referer": {l.base + f.page}, "Origin": {l.base}}
	return b.postRaw(f.action, stale)
}

// outOfDate submits forms with an expired token.
func (l *lateForms) outOfDate(b *browser, forms []filled) {
	for _, f := range forms {
		a := l.send(b, f)
		if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, "Nothing was changed") {
			l.t.Errorf("%s on %s: %d", f.action, f.page, a.StatusCode)
			continue
		}
		f.showsTyped(l.t, "out of date", a.body, b.jar["linnet"])
	}
}

// afterTheEnd submits a form after the session has ended, and logs in again.
func (l *lateForms) afterTheEnd(f filled) {
	l.n++
	b := l.browser()
	b.jar["linnet"] = "ended"
	a := l.send(b, f)
	want(l.t, a, http.StatusForbidden, "You've been logged out, so nothing was changed", `name="kept"`)
	if strings.Contains(a.body, "secret of mine") {
		l.t.Errorf("%s keeps a password", f.action)
	}
	kept := keptInput.FindStringSubmatch(a.body)[1]
	if l.n == 1 { // login attempts are limited
		want(l.t, b.post("/login", "login", "ann", "password", "wrong one", "kept", kept), http.StatusUnprocessableEntity, kept)
	}
	a = b.post("/login", "login", "ann", "password", password, "kept", kept)
	want(l.t, a, http.StatusOK, "You're logged in again")
	f.showsTyped(l.t, "logged in again", a.body, b.jar["linnet"])
}

// everyFormGivesBack checks that every form keeps its values if its token has expired. After the
// end of a session it shows them again once the user has logged in.
func everyFormGivesBack(t *testing.T) {
	w := newWorld(t, loopbackURL)
	setup := "/setup/" + w.setupToken()
	l := &lateForms{world: w, t: t, seen: map[string]bool{}}
	stranger := w.browser()
	l.outOfDate(stranger, l.of(stranger, setup))
	visits := w.visits()
	w.register(linnet.RegisterApproval, "Be kind.")
	ann := w.browser().logIn("ann")
	for _, v := range visits {
		switch {
		case v.code != http.StatusOK:
		case v.who == "":
			l.outOfDate(stranger, l.of(stranger, v.path))
		default:
			forms := l.of(ann, v.path)
			l.outOfDate(ann, forms)
			for _, f := range forms {
				l.afterTheEnd(f)
			}
		}
	}
	t.Logf("%d forms of members", l.n)
	if l.n < 40 {
		t.Errorf("only %d forms of members were tried", l.n)
	}
}

// outdatedPostSurvivesLogOut checks that a post submitted after a log-out is published once, after
// the next login. It covers accounts with a second factor.
func outdatedPostSurvivesLogOut(t *testing.T) {
	for name, second := range map[string]bool{"password": false, "second factor": true} {
		t.Run(name, func(t *testing.T) { postSurvivesLogOut(t, second) })
	}
}

func postSurvivesLogOut(t *testing.T, second bool) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	b := w.browser().logIn("ann")
	var codes []string
	if second {
		_, codes = twoFactorOn(t, w, b)
	}
	b.get("/")
	text := strings.Repeat("A long thought, in ü and 日本語. ", 14)
	fields := []string{"text", text, "warning", "long", "visibility", "private", "language", "de", "key", "one-key", "then", "home"}
	if err := w.svc.Identity.LogOut(t.Context(), b.jar["linnet"]); err != nil {
		t.Fatal(err)
	}
	b.header = http.Header{"Referer": {w.base + "/"}}
	a := b.post("/compose", fields...)
	want(t, a, http.StatusForbidden, "You've been logged out, so nothing was changed")
	n := len(w.postsOf(ann.ID))
	if n != 0 {
		t.Fatalf("%d posts", n)
	}
	kept := keptInput.FindStringSubmatch(a.body)[1]
	a = b.post("/login", "login", "ann", "password", password, "kept", kept)
	if second {
		for _, code := range []string{"000000", codes[0]} { // a wrong code does not discard the post
			ticket := regexp.MustCompile(`name="ticket" value="([^"]+)"`).FindStringSubmatch(a.body)[1]
			a = b.post("/login/code", "ticket", ticket, "code", code, "kept", html.UnescapeString(keptInput.FindStringSubmatch(a.body)[1]))
		}
	}
	want(t, a, http.StatusOK, text, `value="long"`, `value="private" checked`, `value="one-key"`)
	d := w.saved(ann.ID) // stored in case the user leaves the page
	want(t, a, http.StatusOK, `name="draft" value="`+draftName(d))
	fields = append(fields, "draft", draftName(d))
	for page := b.page; n < 2; n++ {
		b.page = page
		wantPosted(t, b.post("/compose", fields...), "/")
	}
	if got := w.postsOf(ann.ID); len(got) != 1 || strings.TrimSpace(got[0]) != strings.TrimSpace(text) || w.drafts(ann.ID) != 0 {
		t.Errorf("posts %q, %d drafts", got, w.drafts(ann.ID))
	}
}

// outdatedPostSurvivesLogOutInBrowser checks that the text also returns if the script has submitted
// it.
func outdatedPostSurvivesLogOutInBrowser(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := newTab(t)
	tb.width(1280)
	session := tb.enters(w, "ann").jar["linnet"]
	tb.open(w.base + "/")
	tb.holds("document.querySelector('.news')?.dataset.open == '1'")
	tb.writes("said too late")
	if err := w.svc.Identity.LogOut(t.Context(), session); err != nil {
		t.Fatal(err)
	}
	tb.expects("status of 403")
	tb.loads(func() { tb.clicks(".send .button") })
	tb.holds("document.title.startsWith('Log in') && !!document.querySelector('input[name=kept]')")
	tb.typeInto("#login", "ann")
	tb.typeInto("#password", password)
	tb.loads(func() { tb.eval("document.querySelector('.card button').click()") })
	tb.holds("document.getElementById('text').value == 'said too late'")
	if d := w.saved(ann.ID); d.Draft.Text != "said too late" {
		t.Errorf("saved: %+v", d.Draft)
	}
	tb.clicks(".send .button")
	eventually(t, "it is posted", func() bool { return slices.Contains(w.postsOf(ann.ID), "said too late") })
	eventually(t, "its draft goes", func() bool { return w.drafts(ann.ID) == 0 })
	tb.open(w.base + "/")
	tb.holds("document.getElementById('text').value == ''")
}

// clip returns at most the first bytes of a page, for messages.
func clip(s string, most int) string { return s[:min(len(s), most)] }

// formMAC returns the form token of a key.
func formMAC(key string) string {
	m := hmac.New(sha256.New, []byte(key))
	m.Write([]byte("linnet form"))
	return base64.RawURLEncoding.EncodeToString(m.Sum(nil))
}
