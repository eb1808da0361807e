package rules

import (
	"bytes"
	"fmt"
	"go/ast"
)

// Limits of a package, without its tests and generated code.
const (
	MaxFiles = 40
	MaxLines = 6000
)

// Rooms reports packages above the limits.
func Rooms(files []File) []Breach {
	var out []Breach
	for dir, fs := range packages(files, false) {
		count, lines := 0, 0
		for _, f := range fs {
			if f.Generated() {
				continue
			}
			count++
			lines += bytes.Count(f.Src, []byte("\n"))
		}
		if count > MaxFiles {
			out = append(out, Breach{Path: dir, Text: fmt.Sprintf("the package has %d files, more than %d", count, MaxFiles)})
		}
		if lines > MaxLines {
			out = append(out, Breach{Path: dir, Text: fmt.Sprintf("the package has %d lines, more than %d", lines, MaxLines)})
		}
	}
	return sortBreaches(out)
}

// receiver returns the name of the receiver type of a method, or "".
func receiver(fn *ast.FuncDecl) string {
	t := fn.Recv.List[0].Type
	if p, ok := t.(*ast.StarExpr); ok {
		t = p.X
	}
	if g, ok := t.(*ast.IndexExpr); ok {
		t = g.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}
