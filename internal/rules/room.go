package rules

import (
	"bytes"
	"fmt"
	"go/ast"
)

// Limits of a package, without its tests and generated code, and of a type.
const (
	MaxFiles    = 40
	MaxLines    = 6000
	MaxExported = 60  // exported methods of a type
	MaxMethods  = 100 // all methods of a type
)

// Rooms reports packages and types above the limits.
func Rooms(files []File) []Breach {
	var out []Breach
	for dir, fs := range packages(files, false) {
		count, lines, all, exported := 0, 0, map[string]int{}, map[string]int{}
		for _, f := range fs {
			if ast.IsGenerated(f.AST) {
				continue
			}
			count++
			lines += bytes.Count(f.Src, []byte("\n"))
			for _, d := range f.AST.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
					t := receiver(fn)
					all[t]++
					if fn.Name.IsExported() {
						exported[t]++
					}
				}
			}
		}
		if count > MaxFiles {
			out = append(out, Breach{Path: dir, Text: fmt.Sprintf("the package has %d files, more than %d", count, MaxFiles)})
		}
		if lines > MaxLines {
			out = append(out, Breach{Path: dir, Text: fmt.Sprintf("the package has %d lines, more than %d", lines, MaxLines)})
		}
		for t, n := range all {
			if exported[t] > MaxExported || n > MaxMethods {
				out = append(out, Breach{Path: dir, Text: fmt.Sprintf("type %s has %d methods, %d of them exported: more than %d or %d", t, n, exported[t], MaxMethods, MaxExported)})
			}
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
