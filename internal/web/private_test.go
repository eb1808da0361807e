package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
)

// privatePagesLeadToLogIn checks that a private instance redirects visitors to the login, for
// existing and missing objects. Only a few listed pages stay public. Members see all pages as
// usual.
func privatePagesLeadToLogIn(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	st := w.post(ann.ID, linnet.Draft{Text: "sing #Birds"})
	reader := w.browser().logIn("ann")
	private := true
	if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Private: &private}); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range patterns() {
		if page.OpenInPrivate(pattern) != "" || pattern == "/" {
			continue
		}
		for _, login := range []string{"ann", "nobody"} {
			address := strings.NewReplacer("{login}", login, "{id}", st.ID.String(), "{tag}", "birds", "{$}", "").Replace(pattern)
			a := w.browser().get(address)
			if a.StatusCode == http.StatusMethodNotAllowed {
				continue
			}
			if paths.FeedExt(pattern) != "" {
				if a.StatusCode != http.StatusUnauthorized || a.Header.Get("WWW-Authenticate") == "" || strings.Contains(a.body, login) {
					t.Errorf("%s: %d %s", address, a.StatusCode, a.body)
				}
				continue
			}
			if a.StatusCode != http.StatusSeeOther || !strings.HasPrefix(a.Header.Get("Location"), "/login") || a.body != "" {
				t.Errorf("%s: %d to %q %s", address, a.StatusCode, a.Header.Get("Location"), a.body)
			}
		}
	}
	wantTo(t, w.browser().get("/"), "/login")
	wantTo(t, w.browser().get(postPath(st)), "/login?next=%2F%40ann%2F"+st.ID.String())
	wantTo(t, w.browser().get("/no/such/page"), "/login?next=%2Fno%2Fsuch%2Fpage")
	if a := w.browser().get("/login"); strings.Contains(a.body, "ann") || a.StatusCode == http.StatusSeeOther {
		t.Errorf("the login page: %d, or names a user", a.StatusCode)
	}
	want(t, reader.get(postPath(st)), http.StatusOK, "sing")
	want(t, reader.get("/"), http.StatusOK)
}

// TestPathsForTheLog checks that secrets in paths are never logged. It covers every pattern that
// ends in a secret.
func TestPathsForTheLog(t *testing.T) {
	for _, pattern := range patterns() {
		begin, secret, _ := strings.Cut(pattern, "{")
		if secret != "token}" && secret != "code}" || begin == "/admin/emoji/" {
			continue
		}
		r := &http.Request{URL: &url.URL{Path: begin + "4711-geheim"}}
		if got := paths.ForLog(r); got != begin+"..." {
			t.Errorf("%s is logged as %s", pattern, got)
		}
	}
	if got := paths.ForLog(&http.Request{URL: &url.URL{Path: "/@ann/1"}}); got != "/@ann/1" {
		t.Errorf("a page is logged as %s", got)
	}
}
