package mastodon

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestOwnMethodsAreDocumented: docs/own-api.md names every method that Mastodon does not have.
func TestOwnMethodsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/own-api.md")
	if err != nil {
		t.Fatal(err)
	}
	a, _, _ := newAPI(t)
	parameter, found := regexp.MustCompile(`\{([a-z]+)\}`), 0
	for _, rt := range a.routes {
		if !strings.Contains(rt.Pattern, "/linnet/") && !strings.Contains(rt.Pattern, "/groups") && !strings.Contains(rt.Pattern, "/group/") {
			continue
		}
		found++
		if name := parameter.ReplaceAllString(rt.Pattern, ":$1"); !strings.Contains(string(page), "`"+name+"`") {
			t.Errorf("docs/own-api.md does not name %s", name)
		}
	}
	if found < 30 {
		t.Errorf("only %d methods were found", found)
	}
}
