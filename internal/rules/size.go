package rules

import (
	"bytes"
	"fmt"
	"go/ast"
)

const (
	// MaxFile is the limit of a file in lines.
	MaxFile = 500
	// MaxFunc is the limit of a function in lines, including the signature and the closing brace.
	MaxFunc = 100
	// LongFunc is the number of lines above which a function counts as long.
	LongFunc = 60
	// MaxLong is the limit of long functions in percent of all functions.
	MaxLong = 1
	// MaxFuncs is the limit of functions per 1,000 lines of the tree. It only falls.
	MaxFuncs = 54
)

// Sizes reports files and functions that are too long. Generated files do not count, nor do tables
// (composite literals) in tests. Functions that only return a table do not count either, because
// they replace variables.
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
			if n := f.length(fn); n > MaxFunc {
				out = append(out, f.breach(fn.Pos(), "%s", tooLong("function "+fn.Name.Name, n, MaxFunc)))
			}
		}
	}
	return sortBreaches(out)
}

// LongFuncs reports the long functions if they are more than MaxLong percent of the tree. Tests and
// generated files do not count.
func LongFuncs(files []File) []Breach {
	var long []Breach
	all := 0
	for _, f := range files {
		if f.Test() || f.Generated() {
			continue
		}
		for _, d := range f.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			all++
			if n := f.length(fn); n > LongFunc {
				long = append(long, f.breach(fn.Pos(), "function %s has %d lines, and more than %d %% of all functions have more than %d", fn.Name.Name, n, MaxLong, LongFunc))
			}
		}
	}
	if len(long)*100 <= all*MaxLong {
		return nil
	}
	return sortBreaches(long)
}

// FuncDensity reports the whole tree if it has more than MaxFuncs functions per 1,000 lines,
// because code that is split into many tiny functions is hard to follow. Tests and generated files
// do not count.
func FuncDensity(files []File) []Breach {
	funcs, lines := 0, 0
	for _, f := range files {
		if f.Test() || f.Generated() {
			continue
		}
		lines += bytes.Count(f.Src, []byte("\n"))
		for _, d := range f.AST.Decls {
			if _, ok := d.(*ast.FuncDecl); ok {
				funcs++
			}
		}
	}
	if funcs*1000 <= lines*MaxFuncs {
		return nil
	}
	return []Breach{{Path: ".", Text: fmt.Sprintf("%d functions in %d lines are more than %d per 1,000", funcs, lines, MaxFuncs)}}
}

// length returns the number of lines of a function, 0 if it only returns a table.
func (f File) length(fn *ast.FuncDecl) int {
	if returnsTable(fn) {
		return 0
	}
	return f.Line(fn.End()) - f.Line(fn.Pos()) + 1 - f.tables(fn)
}

// tables returns the number of lines of the outermost composite literals in a test.
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

// returnsTable reports whether a function only returns a literal without code.
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

// holdsCode reports whether a literal contains functions with longer bodies, which are code and not
// a table.
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
