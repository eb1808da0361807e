package mastodon

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"linnet/internal/mastodon/request"
)

// Functions for tests outside the package that use every route.

// RouteRow is a route of the table, and what its caller needs.
type RouteRow struct {
	Method, Path string
	Scopes       string
	Open         bool // ignores tokens
	Anyone       bool // works without a token
}

// Rows returns the routes with JSON responses.
func (a *API) Rows() []RouteRow {
	var rows []RouteRow
	for _, rt := range a.routes {
		method, path, _ := strings.Cut(rt.Pattern, " ")
		rows = append(rows, RouteRow{method, path, rt.Access.Scopes, rt.Access.Need == request.IgnoreToken, rt.Access.Need <= request.OptionalToken})
	}
	return rows
}

// Patterns returns all routes, including streams and pictures.
func (a *API) Patterns() []string { return slices.Clone(a.patterns) }

// PatternOf returns the route of a request.
func (a *API) PatternOf(r *http.Request) string {
	_, pattern := a.mux.Handler(r)
	return pattern
}

var reads = regexp.MustCompile(`(?i:\b(?:in|source|row|data|sub|keys|w|p|src))\.(?:String|Strings|OptString|Flag|OptFlag|Number|ID|IDs|Items|Object|Get|Has|Within|Required|Day|File|Seconds|Decimal|WholeNumbers)\("([a-z_]+)"|(?:visibility|tagsParam|notificationTypes)\([a-z.]+, "([a-z_]+)"`)

// Parameters returns the names of all parameters that routes read, from the source of the package.
func Parameters() ([]string, error) {
	paths, err := filepath.Glob("*/*.go")
	if err != nil {
		return nil, err
	}
	own, err := filepath.Glob("*.go")
	if err != nil {
		return nil, err
	}
	names := []string{"max_id", "min_id", "since_id", "limit"}
	for _, path := range append(own, paths...) {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		for _, m := range reads.FindAllStringSubmatch(string(src), -1) {
			names = append(names, m[1]+m[2])
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
