package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func pointsOfWriting() []point {
	return []point{
		{74, "an emoji picker offers Unicode and custom emoji with search and recent ones; completion shows faces", []proof{
			{"picker", emojiArePicked}, {"completion", completionShowsFaces}, {"links", typedLinksAreShown}}},
		{76, "after posting, a notice leads to the post, and lets authors with this setting undo it for ten seconds", []proof{
			{"forms", noticeWithoutScripts}, {"notice", noticeLeadsToThePost}, {"undo", sendingCanBeUndone}, {"sent once", heldPostIsSentOnce}}},
		{77, "search suggests people, tags and recent searches, and the recipients of a message", []proof{
			{"search", searchSuggests}, {"recipients", recipientsAreSuggested}}},
	}
}

// wantPosted checks the redirect after a post was sent from a page: back to it, with a notice.
func wantPosted(t *testing.T, a answer, path string) {
	t.Helper()
	want(t, a, http.StatusSeeOther)
	if got := a.Header.Get("Location"); !strings.HasPrefix(got, path+"?posted=") {
		t.Fatalf("leads to %q, want %q with a notice", got, path)
	}
}

// noticeWithoutScripts checks the notice on the page to which the form redirects.
func noticeWithoutScripts(t *testing.T) {
	w, ann, _ := flock(t, 0)
	b := w.browser().logIn("ann")
	b.get("/")
	in := b.inputs(t, composerMark)
	in.Set("text", "a wren")
	a := b.postRaw("/compose", in)
	wantPosted(t, a, "/")
	post, err := w.svc.Reading.Profile(t.Context(), ann.ID, ann.ID, linnet.ProfileFilter{}, linnet.Page{Limit: 1})
	if err != nil || len(post.Items) != 1 {
		t.Fatal(post, err)
	}
	want(t, b.get(a.Header.Get("Location")), http.StatusOK, `role="status">Posted. <a href="`+postPath(post.Items[0])+`">View</a>`)
	for _, path := range []string{"/", "/?posted=", "/?posted=0", "/?posted=wren"} {
		if a := b.get(path); strings.Contains(a.body, "Posted.") {
			t.Errorf("%s shows a notice without a post", path)
		}
	}
}

// noticeLeadsToThePost checks that posting keeps the page, renews the composer and shows a notice
// with a link to the post.
func noticeLeadsToThePost(t *testing.T) {
	w, ann, _ := flock(t, 3)
	tb := homeOf(t, w)
	tb.eval("window.stays = 1")
	tb.writes("a wren sings")
	tb.eval("document.querySelector('[name=warning]').value = 'loud'")
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.flash[role=status]').textContent == 'Posted. View'")
	tb.holds("document.querySelector('.post .text')?.textContent.includes('a wren sings')")
	if got := tb.eval("[window.stays, document.getElementById('text').value, document.querySelector('[name=warning]').value, document.querySelectorAll('.post').length, location.href, document.activeElement.id].join()"); got != "1,,,4,"+w.base+"/,text" {
		t.Errorf("after posting: %s", got)
	}
	tb.pictured("notice")
	tb.loads(func() { tb.clicks(".flash a") })
	if got := w.postsOf(ann.ID); len(got) != 1 || tb.eval("document.querySelector('.opened .text').textContent.includes('a wren sings')") != "true" {
		t.Errorf("posts %q; the link leads to %s", got, tb.eval("location.href"))
	}
	tb.open(w.base + "/?posted=1")
	tb.holds("location.href == '%s/' && document.querySelector('main .posted').textContent == 'Posted. View'", w.base)
	tb.calm()
}

// emoji adds a custom emoji and returns the name of its picture.
func (w *world) emoji(code, category string) string {
	w.t.Helper()
	f, err := w.svc.Uploads.Receive(strings.NewReader(string(aPicture(40, 40))))
	if err != nil {
		w.t.Fatal(err)
	}
	defer f.Close()
	e, err := w.svc.Emojis.Add(w.t.Context(), linnet.Operator(), linnet.NewEmoji{Shortcode: code, Category: category}, f)
	if err != nil {
		w.t.Fatal(err)
	}
	return e.Name
}

// emojiArePicked picks emoji with the keyboard and with clicks. Recent ones are offered first.
func emojiArePicked(t *testing.T) {
	w, _, _ := flock(t, 0)
	blob := w.emoji("blobwren", "Birds")
	tb := homeOf(t, w)
	tb.writes("so")
	tb.eval("(e => (e.focus(), e.click(), e.click(), 1))(document.querySelector('.composer a[href=\"/emoji\"]'))") // opens one picker
	tb.holds("document.querySelector('.emoji-picker')?.open && document.activeElement.matches('.emoji-picker input')")
	if n := tb.eval("document.querySelectorAll('.emoji-picker section .cells button').length > 1800 && document.querySelectorAll('.emoji-picker .kinds button').length"); n != "10" {
		t.Errorf("%s categories", n)
	}
	tb.pictured("emoji")
	tb.do("Input.insertText", map[string]any{"text": "wren"}, nil)
	tb.holds("document.querySelector('.emoji-picker section:not([hidden]) button')?.dataset.emoji == ':blobwren:'")
	tb.hit("Enter")
	tb.holds("document.getElementById('text').value == 'so :blobwren: ' && document.activeElement.id == 'text'")
	tb.clicks(".composer a[href='/emoji']")
	tb.holds("document.querySelector('.emoji-picker').open && document.querySelector('.emoji-picker [tabindex=\"0\"]')?.dataset.emoji == ':blobwren:'")
	tb.do("Input.insertText", map[string]any{"text": "grin"}, nil)
	tb.holds("document.querySelector('.emoji-picker section:not([hidden]) button')?.dataset.emoji == '😀'")
	tb.hit("ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft", "Enter")
	tb.holds("!document.querySelector('.emoji-picker').open && document.getElementById('text').value.endsWith('😃')")
	tb.clicks(".composer a[href='/emoji']")
	tb.holds("document.querySelector('.emoji-picker').open && document.activeElement.matches('.emoji-picker input')")
	if got := tb.eval("[...document.querySelectorAll('.emoji-picker section:not([hidden]) .cells')][0].children.length"); got != "2" {
		t.Errorf("%s recent emoji", got)
	}
	tb.hit("Escape")
	tb.holds("!document.querySelector('.emoji-picker').open && document.activeElement.id == 'text'")
	tb.hit("Ctrl+Enter")
	tb.holds("!!document.querySelector('.post .text img[src$=\"%s\"]')", blob)
	tb.clicks(".composer a[href='/emoji']")
	tb.holds("document.querySelector('.emoji-picker').open && document.activeElement.matches('.emoji-picker input')")
	tb.do("Input.insertText", map[string]any{"text": "grin"}, nil)
	tb.holds("document.querySelector('.emoji-picker section:not([hidden]) button')?.dataset.emoji == '😀'")
	tb.axe(axe(t), "the picker", "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
	tb.hit("Ctrl+Enter")
	tb.holds("!!document.querySelector('.post .text img[src$=\"%s\"]')", blob)
	tb.calm()
}

// completionShowsFaces checks the pictures of completions, and that a Unicode emoji completes.
func completionShowsFaces(t *testing.T) {
	w, _, _ := flock(t, 0)
	w.emoji("smirk", "")
	tb := homeOf(t, w)
	tb.writes("@bo")
	tb.holds("document.querySelector('.suggestions [aria-selected=true] img.avatar')?.naturalWidth > 0")
	tb.pictured("faces")
	tb.hit("Enter")
	tb.holds("document.getElementById('text').value == '@bob '")
	tb.writes("oh :smi")
	tb.holds("document.querySelectorAll('.suggestions [role=option]').length == 6")
	if got := tb.eval("[...document.querySelectorAll('.suggestions [role=option]')].slice(0, 2).map(e => e.textContent + !!e.querySelector('img.emoji')).join('|')"); got != ":smirk:true|😃 grinning face with big eyesfalse" && !strings.HasPrefix(got, ":smirk:true|") {
		t.Errorf("offered: %s", got)
	}
	tb.hit("ArrowDown", "Enter")
	tb.holds("/^oh \\p{Extended_Pictographic}.? $/u.test(document.getElementById('text').value)")
	tb.calm()
}

// searchSuggests checks the suggestions of the search, and that recent searches come back.
func searchSuggests(t *testing.T) {
	w, _, bob := flock(t, 0)
	w.post(bob.ID, linnet.Draft{Text: "One of the #bobolinks"})
	eventually(t, "tasks end", w.svc.Idle)
	tb := homeOf(t, w)
	tb.typeInto("#find", "bob")
	tb.holds("document.querySelectorAll('#find-found [role=option]').length == 2 && document.querySelector('#find').getAttribute('aria-expanded') == 'true'")
	if got := tb.eval("[...document.querySelectorAll('#find-found [role=option]')].map(e => e.textContent + !!e.querySelector('img.avatar')).join('|')"); got != "@bob bobtrue|#bobolinksfalse" {
		t.Errorf("suggested: %s", got)
	}
	tb.axe(axe(t), "suggestions of a search", "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
	tb.pictured("search")
	tb.hit("ArrowDown")
	if got := tb.eval("document.getElementById(document.querySelector('#find').getAttribute('aria-activedescendant'))?.textContent"); got != "@bob bob" {
		t.Errorf("marked: %s", got)
	}
	tb.hit("Escape")
	tb.holds("document.getElementById('find-found').hidden && document.activeElement.id == 'find'")
	tb.loads(func() { tb.hit("Enter") })
	tb.holds("location.search == '?q=bob'")
	tb.open(w.base + "/search")
	tb.holds("document.querySelector('#q-found [role=option]')?.textContent == 'bob Recent search'")
	tb.typeInto("#q", "bobo")
	tb.holds("document.querySelectorAll('#q-found [role=option]').length == 1")
	tb.loads(func() { tb.hit("ArrowDown", "Enter") })
	tb.holds("location.pathname == '/tags/bobolinks'")
	tb.open(w.base + "/search")
	tb.holds("document.querySelectorAll('#q-found [role=option]').length == 2")
	tb.hit("ArrowUp", "Enter")
	tb.open(w.base + "/search")
	tb.holds("document.querySelector('#q-found')?.hidden && document.activeElement.id == 'q'")
	tb.calm()
}

// recipientsAreSuggested adds a suggested recipient to a new message.
func recipientsAreSuggested(t *testing.T) {
	w, _, _ := flock(t, 0)
	tb := newTab(t)
	tb.enters(w, "ann")
	tb.open(w.base + "/messages/new")
	tb.typeInto("#whom", "bo")
	tb.holds("document.querySelectorAll('#whom-found [role=option] img.avatar').length == 1")
	tb.pictured("recipients")
	tb.loads(func() { tb.hit("ArrowDown", "Enter") })
	tb.holds("document.querySelector('.chosen .chip')?.textContent.includes('bob')")
	tb.calm()
}

// sendingCanBeUndone checks that a post waits if its author has set that, that Undo returns to the
// text, and that leaving the page sends the post.
func sendingCanBeUndone(t *testing.T) {
	w, ann, _ := flock(t, 1)
	yes := true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{UndoSend: &yes}); err != nil {
		t.Fatal(err)
	}
	tb := homeOf(t, w)
	tb.writes("a wrn")
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.flash[role=status] button')?.textContent == 'Undo' && document.querySelector('.composer').inert")
	if got := w.postsOf(ann.ID); len(got) != 0 || w.drafts(ann.ID) != 1 {
		t.Errorf("while it waits: posts %q, %d drafts", got, w.drafts(ann.ID))
	}
	tb.pictured("undo")
	tb.clicks(".flash button")
	tb.holds("!document.querySelector('.composer').inert && document.activeElement.id == 'text' && document.getElementById('text').value == 'a wrn' && !document.querySelector('.flash button')")
	tb.writes("a wren")
	tb.eval("document.querySelector('.composer').dataset.hold = 1")
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.flash[role=status]').textContent == 'Posted. View' && document.getElementById('text').value == ''")
	tb.writes("a second wren")
	tb.hit("Ctrl+Enter")
	tb.holds("!!document.querySelector('.flash button')")
	tb.open(w.base + "/explore") // leaving the page sends the post
	eventually(t, "it is sent", func() bool { return len(w.postsOf(ann.ID)) == 2 && w.drafts(ann.ID) == 0 })
	tb.open(w.base + "/")
	if got := w.postsOf(ann.ID); got[0] != "a second wren" || got[1] != "a wren" || tb.eval("document.getElementById('text').value") != "" {
		t.Errorf("posts %q; the composer has %q", got, tb.eval("document.getElementById('text').value"))
	}
	tb.calm()
}

// heldPostIsSentOnce checks that a post isn't sent without the script that holds it, and that it
// waits although its draft can't be saved. It is sent when its author leaves the page, and only
// once although the browser shows the same page again.
func heldPostIsSentOnce(t *testing.T) {
	w, ann, _ := flock(t, 0)
	yes := true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{UndoSend: &yes}); err != nil {
		t.Fatal(err)
	}
	tb := homeOf(t, w)
	tb.writes("a wren")
	tb.expects("ERR_BLOCKED_BY_CLIENT")
	tb.do("Network.setBlockedURLs", map[string]any{"urls": []string{"*/drafts", "*/hold.js"}}, nil)
	tb.hit("Ctrl+Enter")
	tb.holds("document.querySelector('.flash[role=alert]').textContent == 'Connection failed. Try again.' && !document.querySelector('.send .button').disabled")
	tb.do("Network.setBlockedURLs", map[string]any{"urls": []string{"*/drafts"}}, nil)
	tb.hit("Ctrl+Enter")
	tb.holds("!!document.querySelector('.flash button') && document.querySelector('.composer').inert")
	if n := w.drafts(ann.ID); n != 0 {
		t.Errorf("%d drafts were saved", n)
	}
	tb.eval("dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))")
	eventually(t, "it is sent", func() bool { return len(w.postsOf(ann.ID)) == 1 })
	tb.holds("!!document.querySelector('.flash button')")
	tb.eval("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
	tb.holds("document.querySelector('.flash[role=status]').textContent == 'Posted. View' && document.getElementById('text').value == '' && !document.querySelector('.composer').inert")
	if got := w.postsOf(ann.ID); len(got) != 1 {
		t.Errorf("posts %q", got)
	}
	tb.calm()
}
