package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// MaxChain is the maximum number of packages in a chain of imports.
const MaxChain = 18

// Chain reports the longest chain of imports among the packages of the program if it is too long.
func Chain(files []File) []Breach {
	imports := map[string][]string{}
	for dir, fs := range packages(files, false) {
		for _, f := range fs {
			for _, spec := range f.AST.Imports {
				if p, err := strconv.Unquote(spec.Path.Value); err == nil && strings.HasPrefix(p, module) {
					imports[dir] = append(imports[dir], strings.TrimPrefix(p, module))
				}
			}
		}
	}
	known := map[string][]string{}
	var from func(dir string) []string
	from = func(dir string) []string {
		if c, ok := known[dir]; ok {
			return c
		}
		known[dir] = nil // a cycle does not compile anyway
		var below []string
		for _, to := range imports[dir] {
			if c := from(to); len(c) > len(below) {
				below = c
			}
		}
		known[dir] = append([]string{dir}, below...)
		return known[dir]
	}
	var longest []string
	for dir := range imports {
		if c := from(dir); len(c) > len(longest) {
			longest = c
		}
	}
	if len(longest) <= MaxChain {
		return nil
	}
	return []Breach{{Path: longest[0], Text: fmt.Sprintf("a chain of imports has %d packages, more than %d: %s", len(longest), MaxChain, strings.Join(longest, ", "))}}
}
