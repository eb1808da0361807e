package web_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"linnet/internal/linnet"
)

// shareTarget checks that the installed app receives texts and links of other apps. They fill in
// the composer, after a login if necessary, and post nothing.
func shareTarget(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	var m struct {
		Share struct {
			Action, Method string
			Params         map[string]string
		} `json:"share_target"`
	}
	b := w.browser()
	if err := json.Unmarshal([]byte(b.get("/manifest.webmanifest").body), &m); err != nil || m.Share.Action != "/share" || m.Share.Method != "GET" || m.Share.Params["url"] != "url" {
		t.Fatalf("share target %+v: %v", m.Share, err)
	}
	text := "Finches & \"linnets\" <in> ü"
	path := m.Share.Action + "?" + url.Values{"title": {"A list"}, "text": {text}, "url": {"https://a.test/?b=c&d"}}.Encode()
	compose := "/compose?" + url.Values{"text": {"A list " + text + " https://a.test/?b=c&d"}}.Encode()
	wantTo(t, b.get(path), compose)
	login := "/login?next=" + url.QueryEscape(compose)
	wantTo(t, b.get(compose), login)
	b.get(login)
	wantTo(t, b.post(formAction(t, b.page), "login", "ann", "password", password), compose)
	want(t, b.get(compose), http.StatusOK, "A list "+text+" https://a.test/?b=c&d</textarea>")
	want(t, b.postRaw(path, url.Values{"text": {text}}), http.StatusNotFound) // it takes no forms
	if n := len(w.postsOf(ann.ID)) + w.drafts(ann.ID); n != 0 {
		t.Errorf("%d posts and drafts", n)
	}
}

// shareInBrowser checks that a shared text is shown although the composer has an unsent one, which
// stays. The member posts it with one key.
func shareInBrowser(t *testing.T) {
	w, ann, _ := flock(t, 0)
	tb := newTab(t)
	tb.width(390)
	tb.enters(w, "ann")
	tb.open(w.base + "/compose")
	tb.writes("unsent thought")
	tb.open(w.base + "/share?text=shared+words&url=https%3A%2F%2Fa.test%2F")
	tb.holds("document.getElementById('text').value === 'shared words https://a.test/' && document.activeElement.id === 'text'")
	tb.pictured("shared")
	tb.loads(func() { tb.hit("Ctrl+Enter") })
	eventually(t, "it is posted", func() bool { return len(w.postsOf(ann.ID)) == 1 })
	tb.open(w.base + "/compose")
	tb.holds("document.getElementById('text').value === 'unsent thought'")
	tb.calm()
}

// takes copies the cookies of a browser to the tab, as if another tab had received them.
func (tb *tab) takes(b *browser) {
	tb.t.Helper()
	for name, value := range b.jar {
		tb.do("Network.setCookie", map[string]any{"name": name, "value": value, "url": b.base, "httpOnly": true}, nil)
	}
}

// accountsInBrowser adds an account and switches in the browser. A tab of another account than the
// active one posts nothing, gets back its text, and doesn't mix pages of both accounts.
func accountsInBrowser(t *testing.T) {
	w, ann, bob := flock(t, 0)
	tb := newTab(t)
	tb.width(1280)
	tb.enters(w, "ann")
	tb.open(w.base + "/")
	tb.clicks(".drop > summary")
	tb.loads(func() { tb.clicks(".menu a[href='/login']") })
	tb.typeInto("#login", "bob")
	tb.typeInto("#password", password)
	tb.loads(func() { tb.hit("Enter") })
	tb.shows("Logged in as @bob")
	tb.clicks(".drop > summary")
	tb.pictured("accounts-menu")
	tb.loads(func() { tb.clicks(".menu button[value=ann]") })
	tb.shows("You're now using @ann.", "Logged in as @ann")
	tb.holds("location.search === ''")
	tb.calm()

	b := w.browser().logIn("bob").logIn("ann")
	tb.takes(b)
	tb.open(w.base + "/")
	b.switches("bob") // in another tab
	tb.takes(b)
	tb.writes("said by ann")
	tb.expects("status of 403", "status of 409") // of the post, and of live updates
	tb.loads(func() { tb.hit("Ctrl+Enter") })
	tb.shows("Continue as @ann?", "you're now using @bob. Nothing was changed.")
	tb.holds("[...document.querySelectorAll('main textarea')].map((e) => e.value).join() === 'said by ann'")
	tb.pictured("accounts-other")
	if n := len(w.postsOf(ann.ID)) + len(w.postsOf(bob.ID)); n != 0 {
		t.Fatalf("%d posts", n)
	}
	tb.eval("document.querySelector('main button[name=account]').focus()")
	tb.loads(func() { tb.hit("Enter") })
	tb.shows("You've switched to @ann.")
	tb.holds("document.getElementById('text').value === 'said by ann'")
	tb.eval("document.getElementById('text').focus()")
	tb.loads(func() { tb.hit("Ctrl+Enter") })
	if got := w.postsOf(ann.ID); len(got) != 1 || len(w.postsOf(bob.ID)) != 0 {
		t.Errorf("posts %q", got)
	}
}

// TestHeldPostBeforeSwitch checks that a post that waits for Undo is sent before its author
// switches accounts or logs out, because it needs the session.
func TestHeldPostBeforeSwitch(t *testing.T) {
	w, ann, bob := flock(t, 0)
	yes := true
	for _, id := range []linnet.ID{ann.ID, bob.ID} {
		if _, err := w.svc.Social.Profiles.Update(t.Context(), id, linnet.ProfileChange{UndoSend: &yes}); err != nil {
			t.Fatal(err)
		}
	}
	tb := newTab(t)
	tb.width(1280)
	tb.takes(w.browser().logIn("bob").logIn("ann"))
	tb.open(w.base + "/")
	for _, step := range []struct {
		by            linnet.ID
		button, shows string
	}{{ann.ID, ".menu button[value=bob]", "You're now using @bob."}, {bob.ID, ".menu form[action='/logout'] button:not([name])", "You've logged out. You're now using @ann."}} {
		tb.writes("a thought")
		tb.hit("Ctrl+Enter")
		tb.holds("!!document.querySelector('.flash button')")
		tb.clicks(".drop > summary")
		tb.loads(func() { tb.clicks(step.button) })
		tb.shows(step.shows)
		if got := w.postsOf(step.by); len(got) != 1 || w.drafts(step.by) != 0 {
			t.Errorf("posts %q, %d drafts", got, w.drafts(step.by))
		}
	}
	tb.calm()
}
