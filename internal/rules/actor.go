package rules

import (
	"go/ast"
	"slices"
)

// staffDir is the storey of staff, whose Service is called in the name of somebody.
const staffDir = "internal/moderation"

// actorless are the methods of that Service which nobody of staff calls, with the reason.
func actorless() map[string]string {
	return map[string]string{
		"Report":          "any member reports, by id",
		"NewSetupToken":   "a server that starts, before there is an administrator",
		"CheckSetupToken": "whoever has the token",
		"SetUp":           "whoever has the token",
		"Run":             "the server itself",
		"Upgrade":         "a server that starts",
		"KeepDay":         "the server itself, for Run",
		"DeadTasks":       "the server itself, for its metrics",
		"Servers":         "the examination of an installation, which a moderator asks for",
		"AuditFeeds":      "the check of a store, in which there need be no users",
	}
}

// Actors reports exported methods of the storey of staff that take a context and do not
// say who acts.
func Actors(files []File) []Breach {
	exempt := actorless()
	var out []Breach
	for _, f := range files {
		if f.Dir() != staffDir || f.Test() {
			continue
		}
		for _, d := range f.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || receiver(fn) != "Service" || !fn.Name.IsExported() {
				continue
			}
			takes := parameters(fn)
			if _, free := exempt[fn.Name.Name]; free || !slices.Contains(takes, "context.Context") {
				continue
			}
			if len(takes) < 2 || takes[1] != "linnet.Actor" {
				out = append(out, f.breach(fn.Pos(), "%s must take a linnet.Actor after the context: who acts", fn.Name.Name))
			}
		}
	}
	return sortBreaches(out)
}

// parameters are the types of a function's parameters, one for each, "" for those that
// are no names of a package.
func parameters(fn *ast.FuncDecl) []string {
	var out []string
	for _, p := range fn.Type.Params.List {
		name := ""
		if s, ok := p.Type.(*ast.SelectorExpr); ok {
			name = selector(s)
		}
		out = append(out, slices.Repeat([]string{name}, max(1, len(p.Names)))...)
	}
	return out
}
