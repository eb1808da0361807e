package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// MaxKnot is the maximum number of files in a package that all use each other.
const MaxKnot = 30

// Knots reports packages in which too many files use each other, directly or through more files.
// Tests do not count. Methods that are called through values of other packages are not seen.
func Knots(files []File) []Breach {
	var out []Breach
	for dir, fs := range packages(files, false) {
		if len(fs) <= MaxKnot {
			continue
		}
		if k := knot(dir, fs); len(k) > MaxKnot {
			out = append(out, Breach{Path: dir, Text: fmt.Sprintf("%d files use each other, more than %d: %s", len(k), MaxKnot, strings.Join(k, ", "))})
		}
	}
	return sortBreaches(out)
}

// knot returns the largest set of files in a package that all reach each other.
func knot(dir string, files []File) []string {
	pkg, objects := resolve(dir, files)
	uses := map[string]map[string]bool{}
	for id, obj := range objects {
		if obj.Pkg() != pkg {
			continue
		}
		from, to := path.Base(files[0].Set.Position(id.Pos()).Filename), path.Base(files[0].Set.Position(obj.Pos()).Filename)
		if uses[from] == nil {
			uses[from] = map[string]bool{}
		}
		uses[from][to] = true
	}
	reached := map[string]map[string]bool{}
	for from := range uses {
		seen := map[string]bool{}
		for next := []string{from}; len(next) > 0; {
			at := next[0]
			next = next[1:]
			for to := range uses[at] {
				if !seen[to] {
					seen[to] = true
					next = append(next, to)
				}
			}
		}
		reached[from] = seen
	}
	var largest []string
	for from := range reached {
		var all []string
		for to := range reached[from] {
			if reached[to][from] {
				all = append(all, to)
			}
		}
		if len(all) > len(largest) {
			largest = all
		}
	}
	slices.Sort(largest)
	return largest
}
