package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/linnet"
)

func vis(v linnet.Visibility) *linnet.Visibility { return &v }

// statusIsForItsReaders checks that a post that the viewer cannot see and a missing post have
// identical error pages.
func statusIsForItsReaders(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("ann"), w.user("bob")
	w.user("eve")
	if _, err := w.svc.Social.Follow(t.Context(), bob.ID, ann.ID, linnet.FollowOptions{}); err != nil {
		t.Fatal(err)
	}
	readers := map[string]*browser{"nobody": w.browser(), "ann": w.browser().logIn("ann"),
		"bob": w.browser().logIn("bob"), "eve": w.browser().logIn("eve")}
	nowhere := func(b *browser) string { return ids(b.get("/@ann/1").body) }
	for _, tc := range []struct {
		draft linnet.Draft
		seen  string
	}{
		{linnet.Draft{Text: "sing to all"}, "nobody ann bob eve"},
		{linnet.Draft{Text: "sing aside", Visibility: vis(linnet.Unlisted)}, "nobody ann bob eve"},
		{linnet.Draft{Text: "sing to friends", Visibility: vis(linnet.Private)}, "ann bob"},
		{linnet.Draft{Text: "sing to @eve", Visibility: vis(linnet.Direct)}, "ann eve"},
	} {
		st := w.post(ann.ID, tc.draft)
		for name, b := range readers {
			a := b.get(postPath(st))
			if strings.Contains(tc.seen, name) {
				want(t, a, http.StatusOK, "sing", `<time datetime="`)
				if og := strings.Contains(a.body, "og:"); og != (st.Visibility.Open()) {
					t.Errorf("%v status has a card: %v", st.Visibility, og)
				}
				continue
			}
			want(t, a, http.StatusNotFound)
			if got := ids(a.body); got != nowhere(b) {
				t.Errorf("%s sees that the %v status exists:\n%s", name, st.Visibility, got)
			}
			if profile := b.get("/@ann"); strings.Contains(profile.body, postPath(st)) {
				t.Errorf("%s sees the %v status on the profile", name, st.Visibility)
			}
		}
	}
	gone := w.post(ann.ID, linnet.Draft{Text: "a slip"})
	if _, err := w.svc.Posting.Delete(t.Context(), ann.ID, gone.ID); err != nil {
		t.Fatal(err)
	}
	for _, b := range readers {
		want(t, b.get(postPath(gone)), http.StatusGone)
	}
}

// ids removes the form token and request id from a page.
func ids(page string) string {
	page = tokenInput.ReplaceAllString(page, "")
	before, rest, _ := strings.Cut(page, "request <code>")
	_, after, _ := strings.Cut(rest, "</code>")
	return before + after
}

func TestAddressesOfPeople(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann, bob := w.user("Ann"), w.user("bob")
	st := w.post(ann.ID, linnet.Draft{Text: "tweet #Birds"})
	b := w.browser()
	path := "/@Ann/" + st.ID.String()
	for from, to := range map[string]string{
		"/@ann":                                 "/@Ann",
		"/@Ann/":                                "/@Ann",
		"/@Ann@127.0.0.1:8420":                  "/@Ann",
		"/@ann/" + st.ID.String():               path,
		"/users/Ann":                            "/@Ann",
		"/users/Ann/statuses/" + st.ID.String(): path,
	} {
		wantTo(t, b.get(from), to)
	}
	want(t, b.get("/@bob/"+st.ID.String()), http.StatusNotFound)
	want(t, b.get("/@Ann/0"+st.ID.String()), http.StatusNotFound)
	want(t, b.get(strings.TrimPrefix(st.URL, w.base)), http.StatusOK, "tweet")
	want(t, b.get(strings.TrimPrefix(st.By.URL, w.base)), http.StatusOK, "tweet")

	again, err := w.svc.Posting.Repost(t.Context(), bob.ID, st.ID, nil)
	if err != nil {
		t.Fatal(err)
	}
	wantTo(t, b.get("/@bob/"+again.ID.String()), path)
	want(t, b.get("/@bob"), http.StatusOK, "boosted", "tweet", path)
	eventually(t, "the tag page shows the status", func() bool { return strings.Contains(b.get("/tags/birds").body, "tweet") })
}

func TestProfilePages(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	const n = 45
	for range n {
		w.post(ann.ID, linnet.Draft{Text: "peep"})
	}
	b := w.browser()
	path, pages, seen := "/@ann", 0, map[string]bool{}
	for path != "" {
		a := b.get(path)
		want(t, a, http.StatusOK)
		for _, part := range strings.Split(a.body, `class="when u-url" href="`)[1:] {
			link, _, _ := strings.Cut(part, `"`)
			if seen[link] {
				t.Errorf("%s stands on two pages", link)
			}
			seen[link] = true
		}
		_, rest, _ := strings.Cut(a.body, `rel="next" href="`)
		path, _, _ = strings.Cut(rest, `"`)
		if pages++; pages > n {
			t.Fatal("no last page")
		}
	}
	if len(seen) != n || pages < 3 {
		t.Errorf("%d statuses on %d pages, want %d", len(seen), pages, n)
	}
	want(t, b.get("/@ann?max_id=x"), http.StatusUnprocessableEntity)
}

// typedTextStaysText checks that user input is always escaped.
func typedTextStaysText(t *testing.T) {
	w := newWorld(t, loopbackURL)
	ann := w.user("ann")
	for _, evil := range []string{
		`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</title><script>`, `javascript:alert(1)`,
		`<a href="javascript:alert(1)">x</a>`, `{{.Site}}`, "' onmouseover='x", `<svg/onload=alert(1)>`,
	} {
		short := evil[:min(len(evil), linnet.MaxDisplayName)]
		if _, err := w.svc.Social.Profiles.Update(t.Context(), ann.ID, linnet.ProfileChange{Name: &short, Note: &evil,
			Fields: &[]linnet.ProfileField{{Name: evil, Value: evil}}}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.svc.Settings.ChangeInstance(t.Context(), linnet.Operator(), linnet.InstanceChange{Title: &short, Description: &evil, Rules: &[]string{evil}}); err != nil {
			t.Fatal(err)
		}
		st := w.post(ann.ID, linnet.Draft{Text: evil, Warning: evil})
		w.post(ann.ID, linnet.Draft{Text: evil})
		for _, path := range []string{"/", "/@ann", postPath(st), "/tags/x", "/login"} {
			body := strings.ReplaceAll(w.browser().get(path).body, `<script type="module" src="/assets/`, "")
			for _, bad := range []string{"<script", "<img src=x", "<svg/", "<svg onload", `href="javascript`, "onmouseover='x'", " onerror=alert(1)>"} {
				if strings.Contains(body, bad) {
					t.Errorf("%q on %s becomes %q", evil, path, bad)
				}
			}
			if n := strings.Count(body, "<h1"); n != 1 {
				t.Errorf("%s has %d h1", path, n)
			}
		}
	}
}
