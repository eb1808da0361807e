// Command mutants makes the program wrong in one place at a time and runs the tests that must fail.
// A mutant that survives is a gap in the tests.
//
//	cd tools && go run ./mutants [NAME...]     mutants whose names contain a word
//
// It works on a copy of the source in a temporary directory, and prints the tests that killed each
// mutant. It exits with 1 if one survived, or none has such a name.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(words []string) error {
	root, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return fmt.Errorf("find the source: %w", err)
	}
	dir, err := os.MkdirTemp("", "mutants-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.CopyFS(filepath.Join(dir, "src"), source{os.DirFS(strings.TrimSpace(string(root)))}); err != nil {
		return fmt.Errorf("copy the source: %w", err)
	}
	tried, survived := 0, 0
	for _, m := range mutants {
		if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m.name, w) }) {
			continue
		}
		tried++
		begun := time.Now()
		killers, err := m.try(filepath.Join(dir, "src"))
		if err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		result := "killed by " + strings.Join(killers, ", ")
		if len(killers) == 0 {
			result = "SURVIVED"
			survived++
		}
		fmt.Printf("%-70s %s (%v)\n", m.name, result, time.Since(begun).Round(time.Second))
	}
	if survived > 0 || tried == 0 {
		return fmt.Errorf("%d of %d mutants survived", survived, tried)
	}
	return nil
}

// try runs the tests of a mutant and restores the file. It returns the outermost tests that failed.
func (m mutant) try(dir string) (killers []string, err error) {
	file := filepath.Join(dir, m.file)
	original, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if n := bytes.Count(original, []byte(m.old)); n != 1 {
		return nil, fmt.Errorf("%s has %q %d times; the list of mutants is out of date", m.file, m.old, n)
	}
	if err := os.WriteFile(file, bytes.Replace(original, []byte(m.old), []byte(m.new), 1), 0o600); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.WriteFile(file, original, 0o600)) }()
	cmd := exec.Command("go", "test", "-json", "-failfast", "-timeout", "10m", "-run", m.run, m.pkg)
	cmd.Dir = dir
	out, _ := cmd.Output() // a failing test is expected; a failing build is detected below
	return failed(out)
}

// failed returns the failed tests in the output of go test -json.
func failed(events []byte) ([]string, error) {
	var names, output []string
	ran := false
	for lines := bufio.NewScanner(bytes.NewReader(events)); lines.Scan(); {
		var e struct{ Action, Test, Output string }
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue
		}
		switch {
		case e.Action == "build-fail":
			return nil, fmt.Errorf("the mutant does not compile:\n%s", strings.Join(output, ""))
		case e.Action == "run":
			ran = true
		case e.Action == "fail" && e.Test == "" && len(names) == 0:
			names = append(names, "an end in the middle")
		case e.Action == "fail" && e.Test != "" && !strings.Contains(e.Test, "/"):
			names = append(names, e.Test)
		case e.Action == "build-output":
			output = append(output, e.Output)
		}
	}
	if !ran {
		return nil, errors.New("no test with that name ran")
	}
	return names, nil
}
