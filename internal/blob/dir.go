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

// Dir stores files in a directory, in 1,024 subdirectories by their first two letters. It is safe
// for concurrent use, also by several processes.
type Dir struct{ root string }

// partial is the directory of incomplete files. Files older than partialAge are left over from a
// crash. Younger ones can belong to other processes.
const (
	partial    = ".partial"
	partialAge = time.Hour
)

// NewDir stores files below a directory, which it creates if needed. It deletes incomplete files of
// a crash.
func NewDir(root string) (*Dir, error) {
	half := filepath.Join(root, partial)
	if err := os.MkdirAll(half, 0o700); err != nil {
		return nil, fmt.Errorf("create the media directory: %w", err)
	}
	left, err := os.ReadDir(half)
	if err != nil {
		return nil, fmt.Errorf("find incomplete files: %w", err)
	}
	for _, e := range left {
		if st, err := e.Info(); err == nil && time.Since(st.ModTime()) > partialAge {
			_ = os.Remove(filepath.Join(half, e.Name())) // only wastes space; the next start tries again
		}
	}
	return &Dir{root: root}, nil
}

// Where returns the directory.
func (d *Dir) Where() string { return d.root }

func (d *Dir) path(name string) string { return filepath.Join(d.root, name[:2], name) }

func (d *Dir) withheldPath(name string) string {
	return filepath.Join(d.root, withheldDir, name[:2], name)
}

// Put stores a file, see Store. Directories have no media types.
func (d *Dir) Put(_ context.Context, name, _ string, data Source) error {
	if !Valid(name) {
		return fmt.Errorf("store a file: %q is not a valid file name", name)
	}
	if err := d.put(name, data); err != nil {
		return fmt.Errorf("store a file: %w", err)
	}
	return nil
}

func (d *Dir) put(name string, data Source) (err error) {
	if _, err := data.Seek(0, io.SeekStart); err != nil {
		return err
	}
	half, err := d.writePartial(name, data)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(half) // otherwise the next start does
		}
	}()
	path := d.path(name)
	dir := filepath.Dir(path)
	if err := os.Mkdir(dir, 0o700); err == nil {
		if err := syncDir(d.root); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := os.Rename(half, path); err != nil {
		return err
	}
	return syncDir(dir)
}

// writePartial writes an incomplete file, without its final name, and returns its path.
func (d *Dir) writePartial(name string, data io.Reader) (string, error) {
	f, err := os.CreateTemp(filepath.Join(d.root, partial), name)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		_ = os.Remove(f.Name()) // otherwise the next start does
	}
	return f.Name(), err
}

// Mark returns the mark of the location, see Store.
func (d *Dir) Mark(context.Context) (string, error) {
	data, err := os.ReadFile(filepath.Join(d.root, markName))
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrAbsent
	}
	if err != nil {
		return "", fmt.Errorf("read the marker of the media location: %w", err)
	}
	return markText(data), nil
}

// SetMark writes the mark unless one exists, see Store. Creating a link succeeds only once. If the
// file system has no links, two concurrent calls can both write.
func (d *Dir) SetMark(ctx context.Context, text string) error {
	half, err := d.writePartial(markName, strings.NewReader(text+"\n"))
	if err != nil {
		return fmt.Errorf("write the marker of the media location: %w", err)
	}
	defer os.Remove(half) // fails after a rename
	path := filepath.Join(d.root, markName)
	if err = os.Link(half, path); err == nil || errors.Is(err, fs.ErrExist) {
		return syncDir(d.root)
	}
	if _, err := d.Mark(ctx); !errors.Is(err, ErrAbsent) {
		return err
	}
	if err := os.Rename(half, path); err != nil {
		return fmt.Errorf("write the marker of the media location: %w", err)
	}
	return syncDir(d.root)
}

// syncDir makes changes of a directory's entries durable.
func syncDir(path string) error {
	d, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// Open opens a file. It returns ErrAbsent if it does not exist.
func (d *Dir) Open(_ context.Context, name string) (*File, error) {
	if !Valid(name) {
		return nil, ErrAbsent
	}
	var f *os.File
	var err error
	withheld := false
	for _, withheld = range []bool{false, true, false} { // the file can be moved meanwhile
		path := d.path(name)
		if withheld {
			path = d.withheldPath(name)
		}
		if f, err = os.Open(path); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
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
	info := infoOf(st)
	info.Withheld = withheld
	return &File{ReadSeekCloser: f, Info: info}, nil
}

func infoOf(st fs.FileInfo) Info {
	return Info{Name: st.Name(), Bytes: st.Size(), Written: st.ModTime()}
}

// Withhold moves files away from their public paths, see Store.
func (d *Dir) Withhold(_ context.Context, names ...string) error {
	if err := d.move(d.path, d.withheldPath, names); err != nil {
		return fmt.Errorf("withhold files: %w", err)
	}
	return nil
}

// Release moves withheld files back, see Store.
func (d *Dir) Release(_ context.Context, names ...string) error {
	if err := d.move(d.withheldPath, d.path, names); err != nil {
		return fmt.Errorf("restore withheld files: %w", err)
	}
	return nil
}

// move renames files durably.
func (d *Dir) move(from, to func(string) string, names []string) error {
	dirs := map[string]bool{}
	for _, name := range names {
		if !Valid(name) {
			continue
		}
		old, path := from(name), to(name)
		err := os.Rename(old, path)
		if errors.Is(err, fs.ErrNotExist) { // the file or the directory is missing
			if _, lerr := os.Lstat(old); errors.Is(lerr, fs.ErrNotExist) {
				continue
			}
			if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
				err = os.Rename(old, path)
			}
			dirs[filepath.Dir(filepath.Dir(path))], dirs[d.root] = true, true
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		dirs[filepath.Dir(old)], dirs[filepath.Dir(path)] = true, true
	}
	for dir := range dirs {
		if err := syncDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Delete deletes files. It ignores missing ones.
func (d *Dir) Delete(_ context.Context, names ...string) error {
	var errs []error
	for _, name := range names {
		if !Valid(name) {
			continue
		}
		for _, path := range []string{d.path(name), d.withheldPath(name), d.path(name)} { // the file can be moved meanwhile
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				errs = append(errs, err)
			}
		}
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("remove files: %w", err)
	}
	return nil
}

// Walk calls each for every file, in the order of names, until each returns an error. It is for
// commands, not for requests.
func (d *Dir) Walk(ctx context.Context, each func(Info) error) error {
	var withheld []Info
	if err := walk(ctx, filepath.Join(d.root, withheldDir), func(i Info) error {
		i.Withheld = true
		withheld = append(withheld, i)
		return nil
	}); err != nil {
		return err
	}
	m := merge{withheld: withheld, each: each}
	if err := walk(ctx, d.root, m.public); err != nil {
		return err
	}
	return m.rest()
}

// walk reports every file in the directories below root.
func walk(ctx context.Context, root string, each func(Info) error) error {
	return filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // deleted meanwhile
			}
			return fmt.Errorf("list files: %w", err)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e.IsDir() && (path == root || len(e.Name()) == 2) {
			return nil
		}
		if e.IsDir() {
			return fs.SkipDir
		}
		if !Valid(e.Name()) || !strings.HasPrefix(e.Name(), filepath.Base(filepath.Dir(path))) {
			return nil // a file of another program
		}
		st, err := e.Info()
		if err != nil {
			return nil // deleted meanwhile
		}
		return each(infoOf(st))
	})
}
