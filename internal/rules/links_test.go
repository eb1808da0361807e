package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLinks checks the links of all Markdown pages in the tree.
func TestLinks(t *testing.T) {
	root := "../.."
	pages := map[string]string{}
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(file, ".md") {
			return nil
		}
		data, err := os.ReadFile(file)
		name, _ := filepath.Rel(root, file)
		pages[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(pages) < 30 {
		t.Errorf("only %d pages were found", len(pages))
	}
	exists := func(path string) bool {
		_, err := os.Stat(filepath.Join(root, filepath.FromSlash(path)))
		return err == nil
	}
	for _, b := range Links(pages, exists) {
		t.Error(b)
	}
}

func TestBrokenLinksAreFound(t *testing.T) {
	const page = "# One `two`: three\n\n## Redis settings\n\n```\n## no heading\n[code](none.md)\n```\n\n"
	exists := func(path string) bool { return path == "docs" || path == "LICENSE" }
	for link, want := range map[string]string{
		"b.md":                   "",
		"#redis-settings":        "",
		"b.md#one-two-three":     "",
		"../LICENSE":             "",
		"https://example.com/#x": "",
		"c.md":                   "docs/a.md:10: c.md does not exist",
		"#no-heading":            "docs/a.md:10: #no-heading: there is no such heading",
		"b.md#four":              "docs/a.md:10: b.md#four: there is no such heading",
	} {
		got := Links(map[string]string{"docs/a.md": page + "[text](" + link + ")\n", "docs/b.md": page}, exists)
		switch {
		case want == "" && len(got) > 0:
			t.Errorf("%s: %v", link, got)
		case want != "" && (len(got) != 1 || got[0].String() != want):
			t.Errorf("%s: %v, want %s", link, got, want)
		}
	}
}
