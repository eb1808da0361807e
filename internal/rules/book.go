package rules

import (
	"fmt"
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// bookPath is the page that maps the listings of the book to functions and tests.
const bookPath = "docs/book.md"

// bookListings is the number of the chapter's last listing, 8.20.
const bookListings = 20

// bookExercises returns the exercises of the chapter, in its order.
func bookExercises() []string {
	return []string{"refilling timelines", "lists of users", "updating lists", "cleaning out deleted ids"}
}

// bookLink matches a link to a declaration, such as [`timeline.Service.Push`](../internal/timeline/overtaken.go).
var bookLink = regexp.MustCompile("\\[`([^`]+)`\\]\\(\\.\\./([^)]+)\\)")

// Book checks the table of docs/book.md, given as page. Each listing and exercise has one row. Each
// row links to functions and tests that are declared in the linked files.
func Book(page string, files []File) []Breach {
	declared := map[string]bool{}
	for _, f := range files {
		for _, d := range f.AST.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok {
				declared[f.Path+" "+bookName(f, fn)] = true
			}
		}
	}
	missing := bookExercises()
	for n := 1; n <= bookListings; n++ {
		missing = append(missing, fmt.Sprint("8.", n))
	}
	var out []Breach
	line := 0
	for row := range strings.Lines(page) {
		line++
		add := func(format string, args ...any) {
			out = append(out, Breach{bookPath, line, fmt.Sprintf(format, args...)})
		}
		cells := strings.Split(strings.TrimSpace(row), "|")
		if len(cells) != 7 || strings.HasPrefix(cells[1], "-") || strings.TrimSpace(cells[2]) == "in the book" {
			continue
		}
		label := strings.TrimSpace(cells[1])
		if label == "exercise" {
			label = strings.TrimSpace(cells[2])
		}
		at := slices.Index(missing, label)
		if at < 0 {
			add("%q is no listing or exercise of the chapter, or has two rows", label)
			continue
		}
		missing = slices.Delete(missing, at, at+1)
		for i, column := range []string{"function", "test"} {
			for _, problem := range bookCell(cells[3+i], column, declared) {
				add("%s: %s", label, problem)
			}
		}
	}
	for _, label := range missing {
		out = append(out, Breach{Path: bookPath, Text: label + " has no row"})
	}
	return out
}

// bookCell returns the problems of a cell with links to functions or tests.
func bookCell(cell, column string, declared map[string]bool) (problems []string) {
	links := bookLink.FindAllStringSubmatch(cell, -1)
	if len(links) == 0 && strings.TrimSpace(cell) != "none" {
		return []string{"it has no " + column}
	}
	for _, l := range links {
		name, file := l[1], l[2]
		if !declared[file+" "+name] {
			problems = append(problems, fmt.Sprintf("%s is not declared in %s", name, file))
		}
		if isTest := strings.HasSuffix(file, "_test.go"); isTest != (column == "test") {
			problems = append(problems, fmt.Sprintf("%s is not a %s", name, column))
		}
	}
	return problems
}

// bookName returns the name of a function in links: package, receiver and name. The package of an
// external test is the one that it tests.
func bookName(f File, fn *ast.FuncDecl) string {
	name := fn.Name.Name
	if fn.Recv != nil && len(fn.Recv.List) == 1 {
		recv := fn.Recv.List[0].Type
		if p, ok := recv.(*ast.StarExpr); ok {
			recv = p.X
		}
		if id, ok := recv.(*ast.Ident); ok {
			name = id.Name + "." + name
		}
	}
	return strings.TrimSuffix(f.AST.Name.Name, "_test") + "." + name
}
