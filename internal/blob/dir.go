package blob

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Dir keeps files in a directory, in one of 1,024 below it by their first two letters.
type Dir struct{ root string }

// NewDir keeps files below a directory, which is made if need be.
func NewDir(root string) (*Dir, error) {
	if err := os.MkdirAll(filepath.Join(root, partial), 0o700); err != nil {
		return nil, fmt.Errorf("make the directory of files: %w", err)
	}
	return &Dir{root: root}, nil
}

// partial is where files lie while they are written. What a crash leaves there is
// removed by Walk.
const partial = ".partial"

// Where implements Store.
func (d *Dir) Where() string { return d.root }

func (d *Dir) path(name string) string { return filepath.Join(d.root, name[:2], name) }

// Put implements Store: the file is whole or not there at any moment.
func (d *Dir) Put(_ context.Context, name string, data []byte) error {
	if !Valid(name) {
		return fmt.Errorf("keep a file: %q is no name of one", name)
	}
	if err := d.put(name, data); err != nil {
		return fmt.Errorf("keep a file: %w", err)
	}
	return nil
}

func (d *Dir) put(name string, data []byte) (err error) {
	f, err := os.CreateTemp(filepath.Join(d.root, partial), name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // best effort: Walk removes it too
		}
	}()
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	path := d.path(name)
	dir := filepath.Dir(path)
	if err := os.Mkdir(dir, 0o700); err == nil {
		if err := syncDir(d.root); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes durable which names a directory has.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Open implements Store.
func (d *Dir) Open(_ context.Context, name string) (File, error) {
	if !Valid(name) {
		return nil, ErrAbsent
	}
	f, err := os.Open(d.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrAbsent
	}
	if err != nil {
		return nil, fmt.Errorf("open a file: %w", err)
	}
	st, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("open a file: %w", err)
	}
	return &dirFile{File: f, info: infoOf(st)}, nil
}

type dirFile struct {
	*os.File
	info Info
}

func (f *dirFile) Info() Info { return f.info }

func infoOf(st fs.FileInfo) Info {
	return Info{Name: st.Name(), Bytes: st.Size(), Written: st.ModTime()}
}

// Delete implements Store.
func (d *Dir) Delete(_ context.Context, names ...string) error {
	var errs []error
	for _, name := range names {
		if !Valid(name) {
			continue
		}
		if err := os.Remove(d.path(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove files: %w", err)
	}
	return nil
}

// Walk implements Store.
func (d *Dir) Walk(ctx context.Context, each func(Info) error) error {
	return filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // removed meanwhile
			}
			return fmt.Errorf("walk over files: %w", err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.IsDir() && (path == d.root || len(e.Name()) == 2) {
			return nil
		}
		if e.IsDir() {
			return fs.SkipDir
		}
		if !Valid(e.Name()) || !strings.HasPrefix(e.Name(), filepath.Base(filepath.Dir(path))) {
			return nil // somebody else's
		}
		st, err := e.Info()
		if err != nil {
			return nil // removed meanwhile
		}
		return each(infoOf(st))
	})
}
