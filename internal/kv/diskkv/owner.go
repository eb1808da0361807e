package diskkv

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// ErrInUse: another process owns the store, until it ends.
var ErrInUse = errors.New("is in use by")

// ownership is the lock of the library on a file in the directory, and one on the directory
// itself: a second process could lock a file that replaces a deleted one.
type ownership struct {
	file *pebble.Lock
	dir  io.Closer // nil where directories cannot be locked
}

// Close ends the ownership.
func (o *ownership) Close() error {
	err := o.file.Close()
	if o.dir != nil {
		err = errors.Join(err, o.dir.Close())
	}
	return err
}

// lockDir makes this process the owner of the directory. The locks are the
// kernel's and end with the process; the file with the number of the process
// only tells people whom to look for.
func lockDir(fs vfs.FS, dir string) (*ownership, error) {
	lock, err := pebble.LockDirectory(dir, fs)
	if err != nil {
		if !isOwned(err) {
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
		return nil, inUse(fs, dir)
	}
	own := &ownership{file: lock}
	if vfs.Root(fs) == vfs.Default {
		if own.dir, err = flockDir(dir); err != nil {
			own.Close()
			return nil, inUse(fs, dir)
		}
	}
	pid := strconv.Itoa(os.Getpid()) + "\n"
	if err := writeFile(fs, dir, ownerFile, pid); err != nil && !isFull(err) { // then it may name a former one
		own.Close()
		return nil, err
	}
	return own, nil
}

func inUse(fs vfs.FS, dir string) error {
	return fmt.Errorf("%s %w %s: one process at a time owns a store", dir, ErrInUse, ownerOf(fs, dir))
}

// isFull says that the disk has no room at all, not even that which the reserve is to leave.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// isOwned tells a lock that is held from one that could not be tried. Within
// one process the library says so in words only.
func isOwned(err error) bool {
	var path *os.PathError // the lock file could not even be opened
	if errors.As(err, &path) {
		return false
	}
	return errors.Is(err, syscall.EAGAIN) || errors.Is(err, syscall.EACCES) ||
		strings.Contains(err.Error(), "held by current process")
}

func ownerOf(fs vfs.FS, dir string) string {
	text, err := readFile(fs, fs.PathJoin(dir, ownerFile))
	pid, perr := strconv.Atoi(strings.TrimSpace(text))
	switch {
	case err != nil || perr != nil:
		return "another process"
	case pid == os.Getpid():
		return "this process already"
	}
	return "another process (pid " + strconv.Itoa(pid) + ")"
}
