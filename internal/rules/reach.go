package rules

import (
	"go/ast"
	"slices"
	"strings"
)

// reaches says which packages alone may use a thing of the process or of its
// surroundings. Packages that serve tests may read the environment.
func reaches() map[string][]string {
	cmd := []string{"internal/cli"}
	return map[string][]string{
		"os.Getenv":            cmd,
		"os.LookupEnv":         cmd,
		"os.Environ":           cmd,
		"os.ExpandEnv":         cmd,
		"os.Setenv":            {},
		"os.Args":              cmd,
		"os.Stdin":             cmd,
		"os.Stdout":            cmd,
		"os.Stderr":            {"internal/cli", "internal/kv/diskkv"}, // the reason when a store must exit
		"os.Exit":              {"cmd/linnet", "internal/cli", "internal/kv/diskkv"},
		"signal.Notify":        cmd,
		"slog.SetDefault":      {},
		"slog.NewTextHandler":  cmd,
		"slog.NewJSONHandler":  cmd,
		"fmt.Print":            {},
		"fmt.Printf":           {},
		"fmt.Println":          {},
		"syscall.Umask":        {}, // of the whole process
		"http.DefaultServeMux": {},
		"http.DefaultClient":   {}, // without time limits
		"http.Get":             {},
		"http.Post":            {},
		"linnet.Operator":      {"internal/cli", "internal/admin", "internal/moderation"}, // no request is one of the operator's
	}
}

// gates says which packages alone may call a method of that name: the way past the store
// to its engine is for those who wire the program, and for commands that look at a whole
// store.
func gates() map[string][]string {
	return map[string][]string{
		"Engine": {"internal/app", "internal/admin", "internal/store"},
	}
}

// Reach reports uses of flags, the environment, standard streams and globals of
// the standard library by packages that have them handed in. Tests are free.
func Reach(files []File) []Breach {
	table, methods := reaches(), gates()
	var out []Breach
	for _, f := range files {
		if f.Test() {
			continue
		}
		dir := f.Dir()
		ast.Inspect(f.AST, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok {
				if s, ok := c.Fun.(*ast.SelectorExpr); ok {
					if allowed, listed := methods[s.Sel.Name]; listed && !slices.Contains(allowed, dir) {
						out = append(out, f.breach(s.Pos(), "%s must not call %s: %s", dir, s.Sel.Name, ownersText(allowed)))
					}
				}
			}
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			name := selector(s)
			allowed, listed := table[name]
			env := strings.HasPrefix(name, "os.") && slices.Contains(suites(), dir)
			if listed && !env && !slices.Contains(allowed, dir) {
				out = append(out, f.breach(s.Pos(), "%s must not use %s: %s", dir, name, ownersText(allowed)))
			}
			return true
		})
	}
	return sortBreaches(out)
}
