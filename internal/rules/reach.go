package rules

import (
	"go/ast"
	"slices"
	"strings"
)

// reaches returns the only packages that may use a name with access to the process or its
// environment. Packages for tests may read the environment.
func reaches() map[string][]string {
	cmd := []string{"internal/cli"}
	return map[string][]string{
		"context.WithValue":    {"internal/core", "internal/identity", "internal/kv", "internal/server", "internal/task", "internal/web/ui"}, // see package core
		"os.Getenv":            cmd,
		"os.LookupEnv":         cmd,
		"os.Environ":           cmd,
		"os.ExpandEnv":         cmd,
		"os.Setenv":            {},
		"os.Args":              cmd,
		"os.Stdin":             cmd,
		"os.Stdout":            cmd,
		"os.Stderr":            {"internal/cli", "internal/kv/diskkv"}, // for the reason when a store must exit
		"os.Exit":              {"cmd/linnet", "internal/cli", "internal/kv/diskkv"},
		"signal.Notify":        cmd,
		"slog.SetDefault":      {},
		"slog.NewTextHandler":  cmd,
		"slog.NewJSONHandler":  cmd,
		"fmt.Print":            {},
		"fmt.Printf":           {},
		"fmt.Println":          {},
		"syscall.Umask":        {}, // affects the whole process
		"http.DefaultServeMux": {},
		"http.DefaultClient":   {}, // without timeouts
		"http.Get":             {},
		"http.Post":            {},
		"linnet.Operator":      {"internal/cli", "internal/admin", "internal/moderation"}, // requests never act as the operator
	}
}

// gates returns the only packages that may call a method with a name. The engine below the store is
// for code that connects the packages, and for commands that read whole stores.
func gates() map[string][]string {
	return map[string][]string{
		"Engine": {"internal/app", "internal/admin", "internal/store"},
	}
}

// Reach reports direct uses of flags, the environment, standard streams and globals of the standard
// library. Packages receive them as arguments. Tests are exempt.
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
