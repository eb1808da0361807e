package rules

import (
	"cmp"
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
	sources := map[string]string{} // by the directory below internal
	source := func(dir string) string {
		if _, read := sources[dir]; !read {
			files, _ := filepath.Glob("../" + dir + "/*_test.go")
			below, _ := filepath.Glob("../" + dir + "/*/*_test.go")
			for _, f := range append(files, below...) {
				b, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				sources[dir] += string(b)
			}
		}
		return sources[dir]
	}
	in := regexp.MustCompile("` in `internal/([a-z/]+)`")
	named := regexp.MustCompile("`(?:([a-z]+):)?((?:Test|Fuzz)[A-Za-z]+)[`/]")
	found := 0
	for line := range strings.SplitSeq(string(doc), "\n") {
		for _, m := range named.FindAllStringSubmatch(line, -1) {
			where := cmp.Or(m[1], "mastodon")
			if place := in.FindStringSubmatch(line); place != nil && m[1] == "" {
				where = place[1]
			}
			if found++; !strings.Contains(source(where), "\nfunc "+m[2]+"(") {
				t.Errorf("there is no %s in internal/%s", m[2], where)
			}
		}
	}
	if found < 60 {
		t.Errorf("only %d tests are named", found)
	}
}
