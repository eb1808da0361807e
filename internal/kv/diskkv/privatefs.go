package diskkv

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// privateFS is the file system of the machine. Only the user of the server can read the files
// that it creates, because a store contains private posts. The library itself creates files with
// mode 0666 less the umask.
type privateFS struct{ vfs.FS }

// Unwrap implements vfs.FS.
func (p privateFS) Unwrap() vfs.FS { return p.FS }

// Create implements vfs.FS.
func (p privateFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	f, err := p.FS.Create(name, category)
	if err != nil {
		return nil, err
	}
	if err := makePrivate(name); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// makeAllPrivate restricts the files in a directory, which an earlier release may have created.
func makeAllPrivate(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		info, err := e.Info()
		if err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
			err = makePrivate(filepath.Join(dir, e.Name()))
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// makePrivate restricts a file, if the file system supports permissions and the server's user owns
// the file.
func makePrivate(name string) error {
	if err := os.Chmod(name, 0o600); err != nil && !errors.Is(err, fs.ErrPermission) {
		return err
	}
	return nil
}
