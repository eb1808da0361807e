package backup

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Format is the version of the form that this package writes. It reads all up to it.
const Format = 1

const (
	formatFile  = "LINNET-BACKUP"
	formatTitle = "linnet backup, format "
	partialDir  = ".partial"
	chunkDir    = "chunks"
	fileDir     = "files"
)

var (
	// ErrNoBackup: the directory holds no backup.
	ErrNoBackup = errors.New("it holds no backup")
	// ErrForeign: the directory holds other things.
	ErrForeign = errors.New("it is not empty and not a directory of backups: name another")
	// ErrNewer: a newer program wrote the backup.
	ErrNewer = errors.New("it was written by a newer version of linnet: restore it with that one")
	// ErrDamaged: something is missing or not as it was written.
	ErrDamaged = errors.New("damaged")
)

// Dir is a directory of backups. Files in it are for its owner alone.
type Dir struct{ root string }

// Create opens a directory for a new backup and makes it if need be: ErrForeign if it holds
// something else, ErrNewer if a newer program uses it.
func Create(root string) (*Dir, error) {
	d := &Dir{root}
	err := d.known()
	if !errors.Is(err, ErrNoBackup) {
		if err == nil {
			d.clearPartial()
		}
		return d, err
	}
	for _, sub := range []string{"", partialDir, chunkDir, fileDir} {
		if err := os.MkdirAll(filepath.Join(root, sub), 0o700); err != nil {
			return nil, fmt.Errorf("make a directory of backups: %w", err)
		}
	}
	return d, d.write(formatFile, []byte(formatTitle+strconv.Itoa(Format)+"\n"))
}

// Open opens a directory of backups: ErrNoBackup if it is none.
func Open(root string) (*Dir, error) {
	d := &Dir{root}
	return d, d.known()
}

// known reads the format.
func (d *Dir) known() error {
	text, err := os.ReadFile(filepath.Join(d.root, formatFile))
	if errors.Is(err, fs.ErrNotExist) {
		return d.empty()
	}
	if err != nil {
		return fmt.Errorf("open a directory of backups: %w", err)
	}
	digits, ok := strings.CutPrefix(strings.TrimSpace(string(text)), formatTitle)
	n, err := strconv.Atoi(digits)
	switch {
	case !ok || err != nil || n < 1:
		return fmt.Errorf("%s: %w: %s does not name a format", d.root, ErrDamaged, formatFile)
	case n > Format:
		return fmt.Errorf("%s has format %d: %w", d.root, n, ErrNewer)
	}
	return nil
}

// empty is ErrNoBackup, or ErrForeign if there is something else. What a Create that was
// broken off has left does not count.
func (d *Dir) empty() error {
	names, err := os.ReadDir(d.root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("open a directory of backups: %w", err)
	}
	for _, n := range names {
		if !slices.Contains([]string{partialDir, chunkDir, fileDir}, n.Name()) {
			return fmt.Errorf("%s: %w", d.root, ErrForeign)
		}
	}
	return fmt.Errorf("%s: %w", d.root, ErrNoBackup)
}

// partialAge is how old a half written file must be to be what a broken off backup has left.
const partialAge = time.Hour

// clearPartial removes what was being written when a backup was broken off.
func (d *Dir) clearPartial() {
	left, _ := os.ReadDir(filepath.Join(d.root, partialDir)) // that they stay takes room, and no more
	for _, e := range left {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > partialAge {
			_ = os.Remove(filepath.Join(d.root, partialDir, e.Name()))
		}
	}
}

// chunkPath is where a chunk lies, filePath where a file.
func chunkPath(hash string) string { return filepath.Join(chunkDir, hash[:2], hash) }

func filePath(nameHash, hash string) string {
	return filepath.Join(fileDir, nameHash[:2], nameHash+"."+hash)
}

// isHash says whether a text is a SHA-256 as this package writes it.
func isHash(s string) bool {
	b, err := hex.DecodeString(s)
	return err == nil && len(b) == 32 && strings.ToLower(s) == s
}

func (d *Dir) has(path string) bool {
	info, err := os.Stat(filepath.Join(d.root, path))
	return err == nil && info.Mode().IsRegular()
}

// reuse says whether a file is there, and lets Prune know that it is wanted.
func (d *Dir) reuse(path string) bool {
	if !d.has(path) {
		return false
	}
	now := time.Now()
	return os.Chtimes(filepath.Join(d.root, path), now, now) == nil
}

// write makes a file whole or not at all, and durable with sync of its directory.
func (d *Dir) write(path string, data []byte) error {
	return d.writeBy(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

func (d *Dir) writeBy(path string, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Join(d.root, partialDir), "*") // 0600
	if err != nil {
		return fmt.Errorf("write into the backup: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // else the next backup does
		}
	}()
	if err = errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write into the backup: %w", err)
	}
	to := filepath.Join(d.root, path)
	if err = os.MkdirAll(filepath.Dir(to), 0o700); err == nil {
		err = os.Rename(f.Name(), to)
	}
	if err != nil {
		return fmt.Errorf("write into the backup: %w", err)
	}
	return nil
}

// sync makes durable which names the directories have.
func (d *Dir) sync() error {
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
