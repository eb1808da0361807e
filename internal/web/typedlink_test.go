package web_test

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"linnet/internal/linnet"
)

// knows stores the card of a link, as if it had been fetched.
func (w *world) knows(link, title string) {
	w.t.Helper()
	now := w.svc.Store().Now().Truncate(time.Millisecond)
	f := linnet.Fetched{Card: &linnet.Card{Link: link, Title: title, Description: "About " + title, Fetched: now}, Until: now.Add(linnet.CardLife), Final: true}
	if made, err := w.svc.Store().Statuses.Cards.SetCard(w.t.Context(), link, &f, nil); err != nil || !made {
		w.t.Fatal(made, err)
	}
}

// TestTypedLinks checks the response with the card of a link for the script. It needs a login, and
// link previews that are on.
func TestTypedLinks(t *testing.T) {
	w := newWorld(t, publicURL)
	w.user("ann")
	w.knows("https://wrens.example/song", "<b>Wrens")
	b := w.browser().logIn("ann")
	of := func(link string) string { return "/compose/preview?link=" + url.QueryEscape(link) }
	want(t, b.get(of("https://wrens.example/song")), http.StatusNoContent)
	on := true
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Cards: &on}); err != nil {
		t.Fatal(err)
	}
	want(t, w.browser().get(of("https://wrens.example/song")), http.StatusSeeOther)
	eventually(t, "previews are on", func() bool { return b.get(of("https://wrens.example/song")).StatusCode == http.StatusOK })
	want(t, b.get(of("https://wrens.example/song#song")), http.StatusOK, `<strong dir="auto">&lt;b&gt;Wrens</strong>`, `href="https://wrens.example/song"`)
	for _, link := range []string{"", "wrens", publicURL + "/@ann", "file:///etc/passwd"} {
		want(t, b.get(of(link)), http.StatusNoContent)
	}
	want(t, b.get(of("http://127.0.0.1:1/")), http.StatusAccepted)
	eventually(t, "the network of the server isn't reached", func() bool { return b.get(of("http://127.0.0.1:1/")).StatusCode == http.StatusNoContent })
}

// typedLinksAreShown checks that the composer shows the card of the link that is being typed, and
// that the cross hides it.
func typedLinksAreShown(t *testing.T) {
	w, ann, _ := flock(t, 0)
	on := true
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Cards: &on}); err != nil {
		t.Fatal(err)
	}
	w.knows("https://wrens.example/song", "Wrens")
	w.knows("https://robins.example/song", "Robins")
	tb := homeOf(t, w)
	tb.writes("see " + w.base + "/@ann and https://wrens.example/song and more")
	tb.holds("document.querySelector('.composer .previewed strong')?.textContent == 'Wrens'")
	tb.axe(axe(t), "a preview", "wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice")
	tb.pictured("preview")
	tb.clicks(".previewed > button")
	tb.holds("!document.querySelector('.previewed') && document.activeElement.id == 'text'")
	tb.writes("see https://wrens.example/song!")
	tb.writes("see https://robins.example/song.")
	tb.holds("document.querySelector('.previewed strong')?.textContent == 'Robins'")
	tb.hit("Ctrl+Enter")
	tb.holds("document.getElementById('text').value == '' && !document.querySelector('.previewed')")
	if got := w.postsOf(ann.ID); len(got) != 1 {
		t.Errorf("posts %q", got)
	}
	tb.calm()
}
