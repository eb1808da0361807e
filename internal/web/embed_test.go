package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

// onlyEmbedIsFramed checks that only the embed page can be framed. It ignores the session and
// contains no form.
func onlyEmbedIsFramed(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("Ann")
	st := w.post(ann.ID, linnet.Draft{Text: "the fox did it", Warning: "dead chicken"})
	b := w.browser().logIn("Ann")
	a := b.get(postPath(st) + "/embed")
	want(t, a, http.StatusOK, "<summary class=\"p-summary\" dir=\"auto\">dead chicken</summary>", "h-entry", `<base target="_blank">`, st.URL)
	if csp := a.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "frame-ancestors *;") || a.Header.Get("X-Frame-Options") != "" ||
		!strings.Contains(csp, "default-src 'none'") {
		t.Errorf("headers %v", a.Header)
	}
	if strings.Contains(a.body, "<form") || strings.Contains(a.body, "form_token") || strings.Contains(a.body, "Log out") {
		t.Errorf("the frame knows who looks at it:\n%s", a.body)
	}
	wantTo(t, b.get("/@ann/"+st.ID.String()+"/embed"), postPath(st)+"/embed")
	for _, path := range []string{"/", "/@Ann", postPath(st), "/login", "/@Ann/1/embed", postPath(st) + "/embed/", "/@Ann/embed"} {
		if a := b.get(path); !strings.Contains(a.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") || a.Header.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s may be framed: %d", path, a.StatusCode)
		}
	}
	bob := w.user("bob")
	again, err := w.svc.Posting.Repost(t.Context(), bob.ID, st.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	want(t, b.get("/@bob/"+again.ID.String()+"/embed"), http.StatusNotFound)
}

// headsTell checks that the metadata in a page's head uses absolute addresses. It contains no text
// behind a warning and no private posts.
func headsTell(t *testing.T) {
	w := newWorld(t, publicURL)
	ann := w.user("ann")
	behind := w.post(ann.ID, linnet.Draft{Text: "the fox did it", Warning: "dead chicken"})
	hidden := w.post(ann.ID, linnet.Draft{Text: "the cat did it", Visibility: vis(linnet.Private)})
	b := w.browser()
	head := func(b *browser, path string) string {
		before, _, _ := strings.Cut(b.get(path).body, "</head>")
		return unescape(before)
	}
	got := head(b, postPath(behind))
	for _, text := range []string{`<meta property="og:url" content="` + behind.URL + `">`, `<meta property="og:description" content="dead chicken">`,
		`type="application/json+oembed" title="Embed" href="https://birds.example/api/oembed?url=https%3A%2F%2Fbirds.example%2F%40ann%2F` + behind.ID.String() + `"`,
		`type="application/json" title="JSON" href="https://birds.example/api/v1/statuses/` + behind.ID.String() + `"`} {
		if !strings.Contains(got, text) {
			t.Errorf("the head lacks %s:\n%s", text, got)
		}
	}
	if strings.Contains(got, "fox") {
		t.Errorf("the head tells what lies behind the warning:\n%s", got)
	}
	if got := head(w.browser().logIn("ann"), postPath(hidden)); strings.Contains(got, "cat") || strings.Contains(got, "og:") || strings.Contains(got, "alternate") {
		t.Errorf("the head tells of a private status:\n%s", got)
	}
	for _, f := range formatsOfFeeds {
		if got := head(b, "/@ann"); !strings.Contains(got, `type="`+f.kind+`"`) || !strings.Contains(got, `href="https://birds.example/@ann`+f.ext+`"`) {
			t.Errorf("the profile does not name its feed %s:\n%s", f.ext, got)
		}
	}
	off := true
	if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{NoFeeds: &off}); err != nil {
		t.Fatal(err)
	}
	if got := head(b, "/@ann"); strings.Contains(got, "alternate") {
		t.Errorf("the profile names feeds that are off:\n%s", got)
	}
}
