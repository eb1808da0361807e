package rules

import (
	"go/ast"
	"go/token"
	"strings"
)

// State reports package-level state: init functions, variables that are changed, exported variables
// that others could change, and variables for state (locks, atomics, channels). Error sentinels,
// regular expressions, embedded files and read-only tables are allowed.
func State(files []File) []Breach {
	var out []Breach
	for dir, fs := range packages(files, false) {
		out = append(out, inits(fs)...)
		out = append(out, variables(fs)...)
		out = append(out, assignments(dir, fs)...)
	}
	return sortBreaches(out)
}

func inits(files []File) []Breach {
	var out []Breach
	for _, f := range files {
		for _, d := range f.AST.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				out = append(out, f.breach(fn.Pos(), "init runs unasked: call a function where it is needed"))
			}
		}
	}
	return out
}

// variables reports variables that are state by their declaration.
func variables(files []File) []Breach {
	var out []Breach
	for _, f := range files {
		for _, v := range packageVars(f) {
			switch {
			case v.name == "_":
			case isShared(v.typ), isShared(v.value):
				out = append(out, f.breach(v.pos, "variable %s is state of the whole package", v.name))
			case ast.IsExported(v.name) && !isSentinel(v):
				out = append(out, f.breach(v.pos, "exported variable %s can be changed by anybody: make it a function", v.name))
			}
		}
	}
	return out
}

// packageVar is one name of a declaration at package level.
type packageVar struct {
	name       string
	pos        token.Pos
	typ, value ast.Expr // either can be nil
}

func packageVars(f File) []packageVar {
	var out []packageVar
	for _, d := range f.AST.Decls {
		gen, ok := d.(*ast.GenDecl)
		if !ok || gen.Tok != token.VAR {
			continue
		}
		for _, s := range gen.Specs {
			spec := s.(*ast.ValueSpec)
			for i, n := range spec.Names {
				v := packageVar{name: n.Name, pos: n.Pos(), typ: spec.Type}
				if i < len(spec.Values) {
					v.value = spec.Values[i]
				}
				out = append(out, v)
			}
		}
	}
	return out
}

// isSentinel reports whether a variable is an exported error.
func isSentinel(v packageVar) bool {
	call, ok := v.value.(*ast.CallExpr)
	if !ok || !strings.HasPrefix(v.name, "Err") {
		return false
	}
	name := selector(call.Fun)
	return name == "errors.New" || name == "fmt.Errorf" || name == "linnet.Errorf"
}

// isShared reports whether a type only makes sense for state: locks, atomics, channels, counters
// and caches.
func isShared(e ast.Expr) bool {
	found := false
	if e == nil {
		return false
	}
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.FuncType:
			return false
		case *ast.ChanType:
			found = true
		case *ast.SelectorExpr:
			name := selector(n)
			pkg, what, _ := strings.Cut(name, ".")
			if pkg == "atomic" || pkg == "sync" && what != "Pool" && !strings.HasPrefix(what, "OnceValue") {
				found = true
			}
		}
		return !found
	})
	return found
}

func selector(e ast.Expr) string {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if x, ok := s.X.(*ast.Ident); ok {
		return x.Name + "." + s.Sel.Name
	}
	return ""
}
