package diskkv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Format is the version of the layout of keys, records (encode.go) and library files that this
// package writes. It rises when a program that knows only the previous version must not open the
// directory.
const Format = 1

const (
	formatFile  = "LINNET-FORMAT"
	formatTitle = "linnet embedded store, format "
	ownerFile   = "LINNET-PID"
	newFile     = "LINNET-NEW" // exists while the store is being created
)

// prepareDir creates the directory if it is missing. It syncs the parent, because a power loss
// could otherwise remove the directory with all its files.
func prepareDir(fs vfs.FS, dir string) error {
	if info, err := fs.Stat(dir); err == nil {
		if !info.IsDir() {
			return fmt.Errorf("%s is not a directory", dir)
		}
		return nil
	}
	parent := fs.PathDir(dir)
	if parent != dir {
		if err := prepareDir(fs, parent); err != nil {
			return err
		}
	}
	if err := fs.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create %s: %w", dir, err)
	}
	return syncDir(fs, parent)
}

func syncDir(fs vfs.FS, dir string) error {
	d, err := fs.OpenDir(dir)
	if err != nil {
		return fmt.Errorf("open directory %s: %w", dir, err)
	}
	if err := d.Sync(); err != nil {
		d.Close()
		return fmt.Errorf("sync directory %s: %w", dir, err)
	}
	return d.Close()
}

// checkFormat returns an error for a directory with an unknown layout. It returns fresh if there is
// no store yet, and removes what an interrupted attempt to create one has left. The caller holds
// the lock of the directory.
func checkFormat(fs vfs.FS, dir string) (fresh bool, err error) {
	path := fs.PathJoin(dir, formatFile)
	text, err := readFile(fs, path)
	if err == nil {
		return false, knownFormat(dir, path, text)
	}
	if !errors.Is(err, os.ErrNotExist) {
		return false, fmt.Errorf("read %s: %w", path, err)
	}
	names, err := fs.List(dir)
	if err != nil {
		return false, fmt.Errorf("list %s: %w", dir, err)
	}
	remains := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !isStoreFile(n) })
	if len(remains) > 0 && !slices.Contains(names, newFile) {
		return false, fmt.Errorf("%s contains a store, but the file %s with its format is missing: "+
			"restore that file from a backup, or choose another directory", dir, formatFile)
	}
	for _, n := range remains {
		if err := fs.Remove(fs.PathJoin(dir, n)); err != nil {
			return false, fmt.Errorf("remove the files of an incomplete store: %w", err)
		}
	}
	return true, writeFile(fs, dir, newFile, "this store is being created\n")
}

// sealFormat marks a store as created. No write is acknowledged before that.
func sealFormat(fs vfs.FS, dir string) error {
	if err := writeFile(fs, dir, formatFile, formatTitle+strconv.Itoa(Format)+"\n"); err != nil {
		return err
	}
	if err := fs.Remove(fs.PathJoin(dir, newFile)); err != nil {
		return fmt.Errorf("remove %s: %w", newFile, err)
	}
	return nil
}

// isStoreFile reports whether the library uses a file name. It excludes the library's lock file.
func isStoreFile(name string) bool {
	for _, prefix := range []string{"MANIFEST-", "OPTIONS-", "marker."} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	digits, ext, ok := strings.Cut(name, ".")
	if _, err := strconv.ParseUint(digits, 10, 64); !ok || err != nil {
		return false
	}
	return slices.Contains([]string{"log", "sst", "blob", "dbtmp"}, ext)
}

func knownFormat(dir, path, text string) error {
	digits, ok := strings.CutPrefix(strings.TrimSpace(text), formatTitle)
	n, err := strconv.Atoi(digits)
	if !ok || err != nil || n < 1 {
		return fmt.Errorf("%s contains no format version: restore the file from a backup (expected %q)", path, formatTitle+"N")
	}
	if n > Format {
		return fmt.Errorf("the store in %s has format %d, but this version reads formats 1 to %d: "+
			"use the version of linnet that wrote the store, or a newer one", dir, n, Format)
	}
	return nil
}

func readFile(fs vfs.FS, path string) (string, error) {
	f, err := fs.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 4096))
	return string(b), err
}

// writeFile replaces a small file. After a crash it has either the old or the new contents.
func writeFile(fs vfs.FS, dir, name, text string) error {
	path := fs.PathJoin(dir, name)
	f, err := fs.Create(path+".new", vfs.WriteCategoryUnspecified)
	if err != nil {
		return fmt.Errorf("create %s: %w", path, err)
	}
	_, err = f.Write([]byte(text))
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := fs.Rename(path+".new", path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return syncDir(fs, dir)
}
