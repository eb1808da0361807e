package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Dir keeps files in a directory, in one of 1,024 below it by their first two letters. It is
// safe for concurrent use, also by several processes.
type Dir struct{ root string }

// partial is where files lie while they are written, and partialAge how old one must be
// to be what a crash has left: others may write into the same directory.
const (
	partial    = ".partial"
	partialAge = time.Hour
)

// NewDir keeps files below a directory, which is made if need be. What a crash has left
// half written there is removed.
func NewDir(root string) (*Dir, error) {
	half := filepath.Join(root, partial)
	if err := os.MkdirAll(half, 0o700); err != nil {
		return nil, fmt.Errorf("make the directory of files: %w", err)
	}
	left, err := os.ReadDir(half)
	if err != nil {
		return nil, fmt.Errorf("look for half written files: %w", err)
	}
	for _, e := range left {
		if st, err := e.Info(); err == nil && time.Since(st.ModTime()) > partialAge {
			_ = os.Remove(filepath.Join(half, e.Name())) // it takes room, and no more; the next start tries again
		}
	}
	return &Dir{root: root}, nil
}

// Where says where the files are, for people.
func (d *Dir) Where() string { return d.root }

func (d *Dir) path(name string) string { return filepath.Join(d.root, name[:2], name) }

// Put keeps a file, see Store. A directory knows nothing of types.
func (d *Dir) Put(_ context.Context, name, _ string, data Source) error {
	if !Valid(name) {
		return fmt.Errorf("keep a file: %q is no name of one", name)
	}
	if err := d.put(name, data); err != nil {
		return fmt.Errorf("keep a file: %w", err)
	}
	return nil
}

func (d *Dir) put(name string, data Source) (err error) {
	if _, err := data.Seek(0, io.SeekStart); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Join(d.root, partial), name)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // else the next start does
		}
	}()
	_, err = io.Copy(f, data)
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

// Open opens a file for reading; ErrAbsent if there is none.
func (d *Dir) Open(_ context.Context, name string) (*File, error) {
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
	return &File{ReadSeekCloser: f, Info: infoOf(st)}, nil
}

func infoOf(st fs.FileInfo) Info {
	return Info{Name: st.Name(), Bytes: st.Size(), Written: st.ModTime()}
}

// Delete removes files. That one is not there is no error.
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

// Walk tells of every file, in the order of names, until each returns an error, which it
// returns. It is for commands, not for requests.
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
