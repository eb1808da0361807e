package rules

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

// TestTree applies each rule to the project: all of them to the program, and the ones that do not
// concern its packages to the other modules.
func TestTree(t *testing.T) {
	all := map[string]func([]File) []Breach{"imports": Imports, "names": Names, "docs": Docs, "sizes": Sizes, "long": LongFuncs, "density": FuncDensity, "rooms": Rooms, "methods": Methods, "state": State, "reach": Reach, "actors": Actors, "chain": Chain, "knots": Knots}
	beside := map[string]func([]File) []Breach{"outside": Outside, "names": Names, "docs": Docs, "sizes": Sizes, "long": LongFuncs, "state": State}
	for _, m := range []struct {
		dir   string
		least int // minimum of files, below which the rules would check nothing
		rules map[string]func([]File) []Breach
	}{{".", 50, all}, {"tools", 20, beside}, {"test", 15, beside}, {"packaging", 6, beside}} {
		tree := os.DirFS(path.Join("../..", m.dir))
		if _, err := fs.Stat(tree, "go.mod"); err != nil {
			t.Fatalf("the root of the module is not where it was: %v", err)
		}
		files, err := Load(tree)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) < m.least {
			t.Fatalf("only %d files found in %s", len(files), m.dir)
		}
		for name, rule := range m.rules {
			t.Run(path.Join(m.dir, name), func(t *testing.T) { report(t, m.dir, rule(files)) })
		}
		t.Run(path.Join(m.dir, "words"), func(t *testing.T) {
			bs, err := Words(tree)
			if err != nil {
				t.Fatal(err)
			}
			report(t, m.dir, bs)
		})
	}
}

func report(t *testing.T, dir string, bs []Breach) {
	t.Helper()
	for _, b := range bs {
		b.Path = path.Join(dir, b.Path)
		t.Error(b)
	}
}

// TestDependencies checks that each direct dependency is documented.
func TestDependencies(t *testing.T) {
	note, err := os.ReadFile("../../docs/decisions/0002-dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"go.mod", "tools/go.mod", "test/go.mod"} {
		mod, err := os.ReadFile("../../" + file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(mod)) {
			f := strings.Fields(strings.TrimPrefix(line, "require "))
			if len(f) != 2 || !strings.HasPrefix(f[1], "v") || strings.HasPrefix(f[0], "linnet") {
				continue // indirect, one of the project's, or not a module
			}
			if name := strings.TrimPrefix(f[0], "github.com/"); !strings.Contains(string(note), name) {
				t.Errorf("docs/decisions/0002-dependencies.md does not say why there is %s, which %s names", f[0], file)
			}
		}
	}
}
