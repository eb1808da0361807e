package rules

import (
	"io/fs"
	"os"
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
