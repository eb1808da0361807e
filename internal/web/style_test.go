package web_test

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/linnet"
	"linnet/internal/web/assets"
)

// TestGroundsAreThoseOfPages checks that the background colours for contrast checks of accents are
// those in the style sheet.
func TestGroundsAreThoseOfPages(t *testing.T) {
	css := string(assets.Read("css/1-base.css"))
	for i, name := range []string{"paper", "sheet", "well"} {
		line := "--" + name + ": var(--L, " + linnet.LightGrounds()[i] + ") var(--D, " + linnet.DarkGrounds()[i] + ");"
		if !strings.Contains(css, line) {
			t.Errorf("the style sheet does not say %s", line)
		}
	}
}

var (
	contents = regexp.MustCompile(`[{; ]content:[^;}]*`)
	ofPages  = regexp.MustCompile(`attr\([^)]*\)`)
	saying   = regexp.MustCompile(`"[^"]*\p{L}[^"]*"`)
)

// TestStyleSheetsSayNothing checks that style sheets contain no text, because it could not be
// translated.
func TestStyleSheetsSayNothing(t *testing.T) {
	files, err := filepath.Glob("assets/css/*.css")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		for _, c := range contents.FindAllString(string(assets.Read(strings.TrimPrefix(f, "assets/"))), -1) {
			if saying.MatchString(ofPages.ReplaceAllString(c, `""`)) {
				t.Errorf("%s has words of its own: %s", f, c)
			}
		}
	}
}

// TestOwnStyle checks that the custom style sheet is a versioned file that pages link to. Log-in
// and admin pages omit it, because it could make them unusable.
func TestOwnStyle(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	w.role("ann", linnet.Admin)
	b := w.browser().logIn("ann")
	const path = "/admin/settings/look"
	want(t, b.get(path), http.StatusOK, "Custom CSS")
	for typed, says := range map[string]string{"@IMPORT 'x.css';": "contains an @import rule", "a { background: url( \"https://elsewhere.example/x.png\") }": "url(https://elsewhere.example/x.png), which",
		"a { background: url(//elsewhere.example) }": "not allowed", strings.Repeat("x", linnet.MaxStyle+1): "maximum is 20000"} {
		want(t, b.post(path, "style", typed), http.StatusUnprocessableEntity, says)
	}
	const css = "main { display: none }\nbody { background: url(/media/x.png) }"
	wantTo(t, b.post(path, "style", strings.ReplaceAll(css, "\n", "\r\n"), "accent_light", "#006b45"), path+"?done=saved")
	guest := w.browser()
	links := regexp.MustCompile(`<link rel="stylesheet" href="(/(?:accent|custom)[^"]+)"`).FindAllStringSubmatch(guest.get("/about").body, -1)
	if len(links) != 2 {
		t.Fatalf("the page names %v", links)
	}
	for _, link := range links {
		a := guest.get(link[1])
		if a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != "text/css; charset=utf-8" || !strings.Contains(a.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %d %v", link[1], a.StatusCode, a.Header)
		}
		r := guest.get(strings.SplitN(link[1], "?", 2)[0])
		if strings.Contains(r.Header.Get("Cache-Control"), "immutable") || r.Header.Get("ETag") != a.Header.Get("ETag") {
			t.Errorf("%s without a version: %v", link[1], r.Header)
		}
	}
	if got := guest.get("/custom.css").body; got != css {
		t.Errorf("the file is %q", got)
	}
	for _, page := range []string{path, "/admin"} {
		if body := b.get(page).body; strings.Contains(body, "/custom.css") || !strings.Contains(body, "/accent.css") {
			t.Errorf("%s: has the style sheet, or not the colours", page)
		}
	}
	if strings.Contains(guest.get("/login").body, "/custom.css") {
		t.Error("the login has the style sheet")
	}
	want(t, b.get(path), http.StatusOK, "main { display: none }\nbody")
	wantTo(t, b.post(path, "style", ""), path+"?done=saved")
	if body := guest.get("/about").body; strings.Contains(body, "/custom.css") || strings.Contains(body, "/accent.css") {
		t.Error("the style sheets are still named")
	}
}
