package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// usualCeiling is the ceiling of directories without an entry.
const usualCeiling = 3

// checkCeilings compares the comments of Go files with the ceilings in the file at path: lines of a
// directory and a percentage. It prints the directories above their ceiling and returns their
// number. With update it lowers the ceilings to the present shares and removes unneeded ones.
func checkCeilings(path string, files []string, update bool, out io.Writer) (above int, err error) {
	ceilings, err := readCeilings(path)
	if err != nil {
		return 0, err
	}
	results := map[string]*result{}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return 0, err
		}
		dir := filepath.Dir(name)
		if results[dir] == nil {
			results[dir] = &result{}
		}
		r := check(sentences(name, string(data)))
		results[dir].sentences += r.sentences
		results[dir].offending = append(results[dir].offending, r.offending...)
	}
	lower := map[string]float64{}
	for _, dir := range slices.Sorted(maps.Keys(results)) {
		r := results[dir]
		ceiling, ok := ceilings[dir]
		if !ok {
			ceiling = usualCeiling
		}
		// Ceilings have one decimal, rounded up.
		share := math.Ceil(r.share()*10) / 10
		if share > ceiling {
			above++
			fmt.Fprintf(out, "%s: %.1f %% of the comment sentences offend, the ceiling is %.1f %%; see: go run ./prose ../%s/*.go\n", dir, share, ceiling, dir)
		}
		if share = min(share, ceiling); share > usualCeiling {
			lower[dir] = share
		}
	}
	if update {
		err = writeCeilings(path, lower)
	}
	return above, err
}

func readCeilings(path string) (map[string]float64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	ceilings := map[string]float64{}
	for line := range bytes.Lines(text) {
		var dir string
		var share float64
		if _, err := fmt.Sscanf(string(line), "%s %g", &dir, &share); err != nil {
			return nil, fmt.Errorf("%s: %q is not a directory and a percentage: %w", path, line, err)
		}
		ceilings[dir] = share
	}
	return ceilings, nil
}

func writeCeilings(path string, ceilings map[string]float64) error {
	var b bytes.Buffer
	for _, dir := range slices.Sorted(maps.Keys(ceilings)) {
		fmt.Fprintf(&b, "%s %.1f\n", dir, ceilings[dir])
	}
	return os.WriteFile(path, b.Bytes(), 0o644)
}
