package web_test

import (
	"net/http"
	"strings"
	"testing"

	"linnet/internal/locale"
	"linnet/internal/web/assets"
)

// TestScriptHasWords checks that pages load the script's translations before the script, except
// English pages. Their content security policy must permit the file.
func TestScriptHasWords(t *testing.T) {
	w := newWorld(t, loopbackURL)
	w.user("ann")
	b := w.browser().logIn("ann")
	english := b.get("/")
	if strings.Contains(english.body, "words-") {
		t.Error("a page in English names a file of words")
	}
	german := assets.Words(locale.Named("de"))
	b.header.Set("Accept-Language", "de-CH,en;q=0.5")
	page := b.get("/")
	words, script := `<script type="module" src="`+german+`"></script>`, `<script type="module" src="`+assets.Path("script.js")+`"></script>`
	if !strings.Contains(page.body, words+script) {
		t.Errorf("a page in German has no words right before its script:\n%s", page.body)
	}
	if policy := page.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "script-src 'self';") || !strings.HasPrefix(german, "/assets/") {
		t.Errorf("the policy %q does not let the page load %s", policy, german)
	}
	file := b.get(german)
	want(t, file, http.StatusOK, "globalThis.words={")
	for name, value := range map[string]string{"Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "public, max-age=31536000, immutable", "X-Content-Type-Options": "nosniff"} {
		if got := file.Header.Get(name); got != value {
			t.Errorf("%s is %q, want %q", name, got, value)
		}
	}
	for _, other := range []string{strings.Replace(german, "/assets/", "/assets/0", 1), "/assets/words-de.js", "/assets/words-en.js", "/assets/words-xx.js", strings.Replace(german, "-de", "-fr", 1)} {
		if b.get(other).StatusCode != http.StatusNotFound {
			t.Errorf("%s is served", other)
		}
	}
}
