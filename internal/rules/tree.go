package rules

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// File is one Go file of the tree.
type File struct {
	Path string // relative to the root of the tree, with slashes
	Src  []byte
	Set  *token.FileSet // shared by the whole tree
	AST  *ast.File
}

// Dir is the directory of the file, "." for the root.
func (f File) Dir() string { return path.Dir(f.Path) }

// Test reports whether the file is only built for tests. The files of apptest are the helpers of
// tests in several packages.
func (f File) Test() bool {
	return strings.HasSuffix(f.Path, "_test.go") || f.Dir() == "internal/app/apptest"
}

// Generated reports whether the file is generated.
func (f File) Generated() bool { return ast.IsGenerated(f.AST) }

// Line returns the line of a position in the file.
func (f File) Line(p token.Pos) int { return f.Set.Position(p).Line }

// Breach is a violation of a rule.
type Breach struct {
	Path string
	Line int // 0 for the whole file or directory
	Text string
}

// String returns the location and the rule.
func (b Breach) String() string {
	if b.Line == 0 {
		return b.Path + ": " + b.Text
	}
	return fmt.Sprintf("%s:%d: %s", b.Path, b.Line, b.Text)
}

func (f File) breach(p token.Pos, format string, args ...any) Breach {
	return Breach{Path: f.Path, Line: f.Line(p), Text: fmt.Sprintf(format, args...)}
}

// skipDir reports whether a directory contains no source of the project.
func skipDir(name string) bool {
	return name != "." && strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || name == "vendor"
}

// Load parses all Go files of the module with the root fsys. It skips directories with another
// module.
func Load(fsys fs.FS) ([]File, error) {
	var files []File
	set := token.NewFileSet()
	err := walk(fsys, func(p string) error {
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		f, err := parse(set, fsys, p)
		files = append(files, f)
		return err
	})
	return files, err
}

func parse(set *token.FileSet, fsys fs.FS, p string) (File, error) {
	src, err := fs.ReadFile(fsys, p)
	if err != nil {
		return File{}, fmt.Errorf("read source: %w", err)
	}
	tree, err := parser.ParseFile(set, p, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return File{}, fmt.Errorf("parse source: %w", err)
	}
	return File{Path: p, Src: src, Set: set, AST: tree}, nil
}

// walk calls visit for the files of the tree, except in directories of skipDir and of other
// modules.
func walk(fsys fs.FS, visit func(p string) error) error {
	return fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !d.IsDir() {
			return visit(p)
		}
		if skipDir(d.Name()) {
			return fs.SkipDir
		}
		if p != "." {
			if _, err := fs.Stat(fsys, path.Join(p, "go.mod")); err == nil {
				return fs.SkipDir
			}
		}
		return nil
	})
}

// packages groups files by directory. It skips tests if tests is false.
func packages(files []File, tests bool) map[string][]File {
	dirs := map[string][]File{}
	for _, f := range files {
		if tests || !f.Test() {
			dirs[f.Dir()] = append(dirs[f.Dir()], f)
		}
	}
	return dirs
}

func sortBreaches(bs []Breach) []Breach {
	slices.SortFunc(bs, func(a, b Breach) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Line - b.Line
	})
	return bs
}
