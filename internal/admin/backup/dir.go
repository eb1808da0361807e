package backup

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

// dir is a location in a directory. Only its owner can read the files.
type dir struct{ root string }

const (
	partialDir = ".partial"
	// partialAge is the age from which an incomplete file counts as left over from an interrupted
	// backup.
	partialAge = time.Hour
)

func (d dir) at(path string) string { return filepath.Join(d.root, filepath.FromSlash(path)) }

// prepare creates the directory and deletes partial files of an interrupted backup.
func (d dir) prepare() error {
	for _, sub := range []string{"", partialDir, chunkDir, fileDir, runningDir} {
		if err := os.MkdirAll(d.at(sub), 0o700); err != nil {
			return fmt.Errorf("create the backup directory: %w", err)
		}
	}
	left, _ := os.ReadDir(d.at(partialDir)) // left-over files only take space
	for _, e := range left {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > partialAge {
			_ = os.Remove(filepath.Join(d.at(partialDir), e.Name()))
		}
	}
	return nil
}

func (d dir) open(_ context.Context, path string) (io.ReadCloser, error) { return os.Open(d.at(path)) }

func (d dir) write(_ context.Context, path string, by func(io.Writer) error) (err error) {
	if err := os.MkdirAll(d.at(partialDir), 0o700); err != nil {
		return fmt.Errorf("write to the backup: %w", err)
	}
	f, err := os.CreateTemp(d.at(partialDir), "*") // creates it with mode 0600
	if err != nil {
		return fmt.Errorf("write to the backup: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // otherwise the next backup removes it
		}
	}()
	if err = errors.Join(by(f), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write to the backup: %w", err)
	}
	to := d.at(path)
	if err = os.MkdirAll(filepath.Dir(to), 0o700); err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		return fmt.Errorf("write to the backup: %w", err)
	}
	return nil
}

func (d dir) remove(_ context.Context, path string) error {
	if err := os.Remove(d.at(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d dir) walk(ctx context.Context, begin string, each func(fileInfo) error) error {
	from := d.root
	if i := strings.LastIndexByte(begin, '/'); i >= 0 {
		from = d.at(begin[:i])
	}
	err := filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil || ctx.Err() != nil {
			return errors.Join(err, ctx.Err())
		}
		rel := filepath.ToSlash(strings.TrimPrefix(path, d.root+string(filepath.Separator)))
		if e.IsDir() {
			// Skip other directories, which can be large.
			if path != from && (rel == partialDir || !strings.HasPrefix(rel, begin) && !strings.HasPrefix(begin, rel+"/")) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasPrefix(rel, begin) {
			return nil
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil // deleted in the meantime
		}
		if err != nil {
			return err
		}
		return each(fileInfo{rel, info.Size(), info.ModTime()})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // there are no files
	}
	return err
}

// sync makes the names in the directories durable.
func (d dir) sync() error {
	return filepath.WalkDir(d.root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		return errors.Join(f.Sync(), f.Close())
	})
}
