package rules

import (
	"go/ast"
	"slices"
)

// staffDir is the package whose types perform the actions of staff.
const staffDir = "internal/moderation"

// actorless returns the methods of staffDir that need no actor, with the reason.
func actorless() map[string]string {
	return map[string]string{
		"Service.Report":        "any member reports, by id",
		"Strikes.Own":           "the owner of the account, by id",
		"Strikes.OwnByID":       "the owner of the account, by id",
		"Strikes.Appeal":        "the owner of the account, by id",
		"Strikes.ByToken":       "anyone with the link of a strike",
		"Strikes.AppealByToken": "anyone with the link of a strike",
		"Setup.NewToken":        "a server that starts, before there is an administrator",
		"Setup.CheckToken":      "anyone with the token",
		"Setup.SetUp":           "anyone with the token",
		"Statistics.Run":        "the server itself",
		"Service.Upgrade":       "a server that starts",
		"Statistics.RecordDay":  "the server itself, for Run",
		"Statistics.Posted":     "the handler of a fact",
		"Statistics.FannedOut":  "the handler of a fact",
		"Statistics.UserActive": "the handler of a fact",
		"Server.DeadTasks":      "the server itself, for its metrics",
		"Server.Servers":        "the examination of an installation, which a moderator requests",
		"FeedAudit.Feeds":       "the check of a store, in which there need be no users",
	}
}

// Actors reports exported methods of exported types in staffDir that take a context but no actor.
func Actors(files []File) []Breach {
	exempt := actorless()
	var out []Breach
	for _, f := range files {
		if f.Dir() != staffDir || f.Test() {
			continue
		}
		for _, d := range f.AST.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || !ast.IsExported(receiver(fn)) || !fn.Name.IsExported() {
				continue
			}
			takes := parameters(fn)
			if _, free := exempt[receiver(fn)+"."+fn.Name.Name]; free || !slices.Contains(takes, "context.Context") {
				continue
			}
			if len(takes) < 2 || takes[1] != "linnet.Actor" {
				out = append(out, f.breach(fn.Pos(), "%s must take a linnet.Actor after the context", fn.Name.Name))
			}
		}
	}
	return sortBreaches(out)
}

// parameters returns the types of a function's parameters, or "" for types that are not qualified
// names.
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
