package rules

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
)

// resolve returns what the identifiers of a package mean. It knows only the names of the package,
// because all imports are unknown.
func resolve(dir string, files []File) (*types.Package, map[*ast.Ident]types.Object) {
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: unknown{}, Error: func(error) {}}
	var trees []*ast.File
	for _, f := range files {
		trees = append(trees, f.AST)
	}
	pkg, _ := conf.Check(dir, files[0].Set, trees, info) // the unknown imports cause errors
	return pkg, info.Uses
}

// assignments reports changes of package variables.
func assignments(dir string, files []File) []Breach {
	pkg, uses := resolve(dir, files)
	var out []Breach
	for _, f := range files {
		ast.Inspect(f.AST, func(n ast.Node) bool {
			for _, target := range changed(n) {
				id := root(target)
				if id == nil {
					continue
				}
				switch obj := uses[id].(type) {
				case *types.Var:
					if obj.Parent() == pkg.Scope() {
						out = append(out, f.breach(id.Pos(), "variable %s of the package is changed here", id.Name))
					}
				case *types.PkgName:
					out = append(out, f.breach(id.Pos(), "a variable of package %s is changed here", id.Name))
				}
			}
			return true
		})
	}
	return out
}

// changed returns the expressions whose value a statement changes.
func changed(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			return n.Lhs
		}
	case *ast.IncDecStmt:
		return []ast.Expr{n.X}
	case *ast.RangeStmt:
		if n.Tok == token.ASSIGN {
			return []ast.Expr{n.Key, n.Value}
		}
	case *ast.UnaryExpr:
		if n.Op == token.AND { // a holder of the address can change it
			if _, literal := n.X.(*ast.CompositeLit); !literal {
				return []ast.Expr{n.X}
			}
		}
	case *ast.CallExpr:
		if f, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 {
			switch f.Name {
			case "delete", "clear", "copy":
				return n.Args[:1]
			}
		}
	}
	return nil
}

// root returns the variable to which an expression belongs.
func root(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		default:
			return nil
		}
	}
}

// unknown is an importer that returns empty packages.
type unknown struct{}

func (unknown) Import(p string) (*types.Package, error) {
	pkg := types.NewPackage(p, path.Base(p))
	pkg.MarkComplete()
	return pkg, nil
}
