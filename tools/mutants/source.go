package main

import (
	"io/fs"
	"path"
	"slices"
)

// source is a tree without links and without files that do not belong to the program.
type source struct{ fs.FS }

// ReadDir implements fs.ReadDirFS.
func (s source) ReadDir(dir string) ([]fs.DirEntry, error) {
	all, err := fs.ReadDir(s.FS, dir)
	return slices.DeleteFunc(all, func(e fs.DirEntry) bool {
		return e.Type()&fs.ModeSymlink != 0 || slices.Contains([]string{".git", "node_modules"}, path.Base(e.Name()))
	}), err
}
