package rules

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestBook checks the table of docs/book.md against the tree.
func TestBook(t *testing.T) {
	page, err := os.ReadFile("../../docs/book.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Load(os.DirFS("../.."))
	if err != nil {
		t.Fatal(err)
	}
	report(t, ".", Book(string(page), files))
}

// TestBookRefuses shows tables that the rule refuses.
func TestBookRefuses(t *testing.T) {
	const good = "[`x.T.F`](../x/x.go) | [`x.TestF`](../x/x_test.go)"
	page := func(label, cells string) string {
		var b strings.Builder
		b.WriteString("| listing | in the book | function | test | difference |\n|---|---|---|---|---|\n")
		row := func(l, book string) {
			c := good
			if l == label || book == label {
				c = cells
			}
			if c != "" {
				fmt.Fprintf(&b, "| %s | %s | %s | |\n", l, book, c)
			}
		}
		for n := 1; n <= bookListings; n++ {
			row(fmt.Sprint("8.", n), "`f`")
		}
		for _, e := range bookExercises() {
			row("exercise", e)
		}
		return b.String()
	}
	tree := map[string]string{
		"x/x.go":      "package x\ntype T struct{}\nfunc (*T) F() {}\nfunc G() {}\n",
		"x/x_test.go": "package x_test\nfunc TestF() {}\n",
	}
	for name, c := range map[string]struct {
		page string
		want []string
	}{
		"complete":           {page("", ""), nil},
		"declined":           {page("8.20", "none | none"), nil},
		"no row":             {page("8.3", ""), []string{"docs/book.md: 8.3 has no row"}},
		"no exercise":        {page("updating lists", ""), []string{"docs/book.md: updating lists has no row"}},
		"two rows":           {page("", "") + "| 8.6 | `f` | " + good + " | |\n", []string{`docs/book.md:27: "8.6" is no listing`}},
		"unknown function":   {page("8.7", "[`x.T.Gone`](../x/x.go) | [`x.TestF`](../x/x_test.go)"), []string{"docs/book.md:9: 8.7: x.T.Gone is not declared"}},
		"without receiver":   {page("8.7", "[`x.F`](../x/x.go) | [`x.TestF`](../x/x_test.go)"), []string{"docs/book.md:9: 8.7: x.F is not declared"}},
		"unknown file":       {page("8.1", "[`x.G`](../x/y.go) | [`x.TestF`](../x/x_test.go)"), []string{"docs/book.md:3: 8.1: x.G is not declared"}},
		"unknown test":       {page("8.8", "[`x.G`](../x/x.go) | [`x.TestG`](../x/x_test.go)"), []string{"docs/book.md:10: 8.8: x.TestG is not declared"}},
		"no test":            {page("8.2", "[`x.G`](../x/x.go) | "), []string{"docs/book.md:4: 8.2: it has no test"}},
		"function as a test": {page("8.2", "[`x.G`](../x/x.go) | [`x.G`](../x/x.go)"), []string{"docs/book.md:4: 8.2: x.G is not a test"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := breaches(t, tree, func(files []File) []Breach { return Book(c.page, files) })
			want(t, got, c.want...)
		})
	}
}
