package rules

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityNamesRealTests checks that all tests named in docs/security.md exist.
func TestSecurityNamesRealTests(t *testing.T) {
	doc, err := os.ReadFile("../../docs/security.md")
	if err != nil {
		t.Fatal(err)
	}
	dirs := map[string]string{"": "mastodon", "web:": "web", "app:": "app", "store:": "store", "record:": "record", "audit:": "audit", "rules:": "rules", "server:": "server", "config:": "config", "kv:": "kv"}
	for _, pkg := range []string{"text", "webpush", "kv/diskkv", "kv/rediskv"} {
		dirs["internal/"+pkg] = pkg
	}
	sources := map[string]string{}
	for prefix, dir := range dirs {
		files, _ := filepath.Glob("../" + dir + "/*_test.go")
		below, _ := filepath.Glob("../" + dir + "/*/*_test.go")
		for _, f := range append(files, below...) {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			sources[prefix] += string(b)
		}
	}
	in := regexp.MustCompile("` in `(internal/[a-z/]+)`")
	named := regexp.MustCompile("`((?:web|app|store|record|audit|rules|server|config|kv):)?((?:Test|Fuzz)[A-Za-z]+)[`/]")
	found := 0
	for line := range strings.SplitSeq(string(doc), "\n") {
		for _, m := range named.FindAllStringSubmatch(line, -1) {
			where := m[1]
			if place := in.FindStringSubmatch(line); place != nil && where == "" {
				where = place[1]
			}
			if found++; !strings.Contains(sources[where], "\nfunc "+m[2]+"(") {
				t.Errorf("there is no %s%s", where, m[2])
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d tests are named", found)
	}
}
