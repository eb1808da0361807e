package rules

import (
	"io/fs"
	"os"
	"strings"
	"testing"
)

// TestTree applies every rule to the project.
func TestTree(t *testing.T) {
	tree := os.DirFS("../..")
	if _, err := fs.Stat(tree, "go.mod"); err != nil {
		t.Fatalf("the root of the module is not where it was: %v", err)
	}
	files, err := Load(tree)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) < 50 {
		t.Fatalf("only %d files found: the rules would hold for nothing", len(files))
	}
	for _, r := range []struct {
		name  string
		apply func([]File) []Breach
	}{
		{"imports", Imports}, {"names", Names}, {"docs", Docs}, {"sizes", Sizes}, {"state", State}, {"reach", Reach},
	} {
		t.Run(r.name, func(t *testing.T) { report(t, r.apply(files)) })
	}
	t.Run("words", func(t *testing.T) {
		bs, err := Words(tree)
		if err != nil {
			t.Fatal(err)
		}
		report(t, bs)
	})
}

func report(t *testing.T, bs []Breach) {
	t.Helper()
	for _, b := range bs {
		t.Error(b)
	}
}

// TestDependencies: each module that go.mod names directly is explained.
func TestDependencies(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	note, err := os.ReadFile("../../docs/decisions/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mod)) {
		f := strings.Fields(line)
		if len(f) != 2 || !strings.HasPrefix(f[1], "v") {
			continue // indirect, or no module
		}
		if name := strings.TrimPrefix(f[0], "github.com/"); !strings.Contains(string(note), name) {
			t.Errorf("docs/decisions/dependencies.md does not say why there is %s", f[0])
		}
	}
}
