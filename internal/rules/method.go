package rules

import (
	"go/ast"
	"maps"
	"path"
	"strconv"
	"strings"
)

// MaxMethods is the limit of the methods of a type.
const MaxMethods = 60

// typeName identifies a type of the tree.
type typeName struct{ dir, name string }

// typeDecl is a type with its own methods and the types of the tree that it embeds.
type typeDecl struct {
	file     File
	spec     *ast.TypeSpec
	methods  map[string]bool
	embedded []typeName
}

// Methods reports types with too many methods. Methods promoted from embedded types of the tree
// count too, because embedding does not make a type smaller.
func Methods(files []File) []Breach {
	types := typeDecls(files)
	var out []Breach
	for name, t := range types {
		all := map[string]bool{}
		addMethods(all, types, name, map[typeName]bool{})
		if t.spec != nil && len(all) > MaxMethods {
			out = append(out, t.file.breach(t.spec.Pos(), "type %s has %d methods with promoted ones, more than %d", name.name, len(all), MaxMethods))
		}
	}
	return sortBreaches(out)
}

// addMethods adds the methods of a type to all.
func addMethods(all map[string]bool, types map[typeName]*typeDecl, name typeName, seen map[typeName]bool) {
	t := types[name]
	if t == nil || seen[name] {
		return
	}
	seen[name] = true
	maps.Copy(all, t.methods)
	for _, e := range t.embedded {
		addMethods(all, types, e, seen)
	}
}

// typeDecls returns the types that are declared in the tree, without tests and generated files.
func typeDecls(files []File) map[typeName]*typeDecl {
	types := map[typeName]*typeDecl{}
	get := func(dir, name string) *typeDecl {
		t := types[typeName{dir, name}]
		if t == nil {
			t = &typeDecl{methods: map[string]bool{}}
			types[typeName{dir, name}] = t
		}
		return t
	}
	for _, f := range files {
		if f.Test() || f.Generated() {
			continue
		}
		for _, d := range f.AST.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				get(f.Dir(), receiver(fn)).methods[fn.Name.Name] = true
			}
			gen, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				s, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				t := get(f.Dir(), s.Name.Name)
				t.file, t.spec = f, s
				switch def := s.Type.(type) {
				case *ast.StructType:
					t.embed(def.Fields)
				case *ast.InterfaceType:
					t.embed(def.Methods)
				}
			}
		}
	}
	return types
}

// embed adds the methods and the embedded types among the fields of a struct or an interface.
func (t *typeDecl) embed(fields *ast.FieldList) {
	for _, field := range fields.List {
		if _, method := field.Type.(*ast.FuncType); method {
			for _, name := range field.Names {
				t.methods[name.Name] = true
			}
		}
		if len(field.Names) > 0 {
			continue
		}
		typ := field.Type
		if p, ok := typ.(*ast.StarExpr); ok {
			typ = p.X
		}
		if g, ok := typ.(*ast.IndexExpr); ok {
			typ = g.X
		}
		switch typ := typ.(type) {
		case *ast.Ident:
			t.embedded = append(t.embedded, typeName{t.file.Dir(), typ.Name})
		case *ast.SelectorExpr:
			if pkg, ok := typ.X.(*ast.Ident); ok {
				t.embedded = append(t.embedded, typeName{t.file.imported(pkg.Name), typ.Sel.Name})
			}
		}
	}
}

// imported returns the directory of the package that a file of the project imports under a name.
func (f File) imported(name string) string {
	for _, spec := range f.AST.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err == nil && (spec.Name == nil && path.Base(p) == name || spec.Name != nil && spec.Name.Name == name) {
			return strings.TrimPrefix(p, module)
		}
	}
	return ""
}
