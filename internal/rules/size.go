package rules

import (
	"bytes"
	"fmt"
	"go/ast"
)

const (
	// MaxFile is the greatest number of lines of a file.
	MaxFile = 500
	// MaxFunc is the greatest number of lines of a function, signature and
	// closing brace included.
	MaxFunc = 60
)

// Sizes reports files and functions that are too long. Generated files do not
// count; in tests, tables (composite literals) do not, and neither does a
// function that does nothing but return one: as a variable it would be no
// function.
func Sizes(files []File) []Breach {
	var out []Breach
	for _, f := range files {
		if f.Generated() {
			continue
		}
		if n := bytes.Count(f.Src, []byte("\n")) - f.tables(f.AST); n > MaxFile {
			out = append(out, Breach{Path: f.Path, Text: tooLong("the file", n, MaxFile)})
		}
		for _, d := range f.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if returnsTable(fn) {
				continue
			}
			if n := f.Line(fn.End()) - f.Line(fn.Pos()) + 1 - f.tables(fn); n > MaxFunc {
				out = append(out, f.breach(fn.Pos(), "%s", tooLong("function "+fn.Name.Name, n, MaxFunc)))
			}
		}
	}
	return sortBreaches(out)
}

// tables counts the lines of the outermost composite literals of a test.
func (f File) tables(n ast.Node) int {
	if !f.Test() {
		return 0
	}
	lines := 0
	ast.Inspect(n, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok || holdsCode(lit) {
			return true
		}
		lines += f.Line(lit.End()) - f.Line(lit.Pos())
		return false
	})
	return lines
}

// returnsTable reports whether a function consists of a return of one literal
// without code in it.
func returnsTable(fn *ast.FuncDecl) bool {
	if fn.Body == nil || len(fn.Body.List) != 1 {
		return false
	}
	ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return false
	}
	lit, ok := ret.Results[0].(*ast.CompositeLit)
	return ok && !holdsCode(lit)
}

// holdsCode reports whether a literal contains functions with bodies of some
// length: those are code in the dress of a table.
func holdsCode(lit *ast.CompositeLit) bool {
	found := false
	ast.Inspect(lit, func(n ast.Node) bool {
		if fn, ok := n.(*ast.FuncLit); ok && len(fn.Body.List) > 3 {
			found = true
		}
		return !found
	})
	return found
}

func tooLong(what string, n, limit int) string {
	return fmt.Sprintf("%s has %d lines, at most %d", what, n, limit)
}
