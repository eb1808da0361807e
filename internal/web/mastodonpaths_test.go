package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web"
)

// TestMastodonPathsLeadSomewhere checks that every path of Mastodon's web pages redirects to an
// existing page.
func TestMastodonPathsLeadSomewhere(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.role("ann", linnet.Admin)
	w.open()
	st := w.post(ann.ID, linnet.Draft{Text: "sing #Birds"})
	list, err := w.svc.Lists.CreateList(t.Context(), ann.ID, linnet.ListChange{Title: new("x")})
	if err != nil {
		t.Fatal(err)
	}
	reader, stranger := w.browser().logIn("ann"), w.browser()
	missing := map[string]bool{"/filters/{id}/edit": true, "/filters/{id}/statuses": true, "/admin/roles/{id}/edit": true, "/admin/announcements/{id}/edit": true, "/terms-of-service/{day}": true, "/terms-of-service": true}
	for _, pattern := range patterns() {
		if web.IsMastodonPath(pattern) {
			t.Errorf("%s is a page of ours", pattern)
		}
	}
	for _, from := range web.MastodonPaths() {
		id := st.ID.String()
		switch {
		case strings.Contains(from, "accounts/"):
			id = ann.ID.String()
		case strings.Contains(from, "list"):
			id = list.ID.String()
		}
		path := strings.NewReplacer("{@login}", "@ann", "{login}", "ann", "{id}", id, "{tag}", "birds", "{day}", "2026-01-01", "{rest...}", "search").Replace(from)
		switch from {
		case "/authorize_interaction", "/authorize_follow":
			path += "?uri=acct:ann"
		case "/intent":
			path += "?uri=web%2Bmastodon%3A%2F%2Fshare%3Ftext%3Dhello"
		}
		if a := stranger.get(path); a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/") || strings.HasPrefix(a.Header.Get("Location"), "//") {
			t.Errorf("%s as a stranger: %d %s", path, a.StatusCode, a.Header.Get("Location"))
		}
		a := reader.get(path)
		for range 3 {
			if a.StatusCode == http.StatusSeeOther {
				a = reader.get(a.Header.Get("Location"))
			}
		}
		if a.StatusCode != http.StatusOK && !missing[from] {
			t.Errorf("%s leads to %d", path, a.StatusCode)
		}
	}
}

func TestMastodonPaths(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "sing"})
	secret := w.post(ann.ID, linnet.Draft{Text: "psst", Visibility: new(linnet.Direct)})
	b := w.browser()
	status := "/@ann/" + st.ID.String()
	for path, want := range map[string]string{
		"/share?text=Hello+you&url=https%3A%2F%2Fexample.org&title=T": "/compose?text=T+Hello+you+https%3A%2F%2Fexample.org", "/share": "/compose", "/share?title=Birds&text=Birds:+a+list+https://a.test/b&url=https://a.test/b": "/compose?text=Birds%3A+a+list+https%3A%2F%2Fa.test%2Fb",
		"/authorize_interaction?uri=acct:ann": "/@ann", "/authorize_interaction?uri=acct%3Aann%40127.0.0.1%3A8420": "/@ann", "/authorize_interaction?uri=" + loopbackURL + status: status, "/authorize_interaction?acct=bob%40other.test": "/search?q=bob%40other.test",
		"/intent?uri=web%2Bmastodon%3A%2F%2Ffollow%3Furi%3Dacct%3Aann": "/@ann", "/intent?uri=https://a.test/": "", "/intent": "", "/authorize_interaction": "",
		"/web/statuses/" + st.ID.String(): "/statuses/" + st.ID.String(), "/statuses/" + st.ID.String(): status, "/statuses/" + secret.ID.String(): "", "/statuses/5": "", "/accounts/" + ann.ID.String(): "/@ann",
		"/auth/sign_in": "/login", "/auth/sign_in/": "/login", "/web/%2F%2Fother.test": "/other.test", "/deck/@ann": "/@ann", "/web/tags/birds": "/tags/birds", "/web/tags/%C3%A9": "/tags/%C3%A9",
		"/@ann/with_replies": "/@ann/replies", status + "/reblogs": status + "/boosts", "/users/ann/followers": "/@ann/followers", "/auth/nothing": "", "/nothing": "", "/auth/sign_in/more": "", "/invites": "/settings/invites",
	} {
		a := b.get(path)
		if want == "" && a.StatusCode != http.StatusNotFound || want != "" && (a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != want) {
			t.Errorf("%s: %d %q, want %q", path, a.StatusCode, a.Header.Get("Location"), want)
		}
	}
	if a := b.post("/nothing"); a.StatusCode != http.StatusNotFound {
		t.Errorf("a form sent to an unknown path: %d", a.StatusCode)
	}
}

func TestFeedsAndProfilesAllowAnyOrigin(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	w.post(ann.ID, linnet.Draft{Text: "sing #birds"})
	for path, want := range map[string]string{"/@ann": "*", "/@ann/replies": "*", "/@ann.rss": "*", "/@ann.atom": "*", "/@ann.json": "*", "/tags/birds.rss": "*", "/login": "", "/local": ""} {
		if a := w.browser().get(path); a.Header.Get("Access-Control-Allow-Origin") != want || a.Header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s allows %q", path, a.Header.Get("Access-Control-Allow-Origin"))
		}
	}
}
