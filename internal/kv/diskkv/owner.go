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

// ErrInUse is returned while another process uses the store.
var ErrInUse = errors.New("is in use by")

// ownership holds the library's lock on a file in the directory, and a lock on the directory
// itself: after the file is deleted, another process could lock a new one.
type ownership struct {
	file *pebble.Lock
	dir  io.Closer // nil if the system cannot lock directories
}

// Close releases the locks.
func (o *ownership) Close() error {
	err := o.file.Close()
	if o.dir != nil {
		err = errors.Join(err, o.dir.Close())
	}
	return err
}

// lockDir locks the directory for this process. The kernel holds the locks and releases them when
// the process ends. The file with the process id is only for operators.
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
	if err := writeFile(fs, dir, ownerFile, pid); err != nil && !isFull(err) { // then it may contain an earlier process id
		own.Close()
		return nil, err
	}
	return own, nil
}

func inUse(fs vfs.FS, dir string) error {
	return fmt.Errorf("%s %w %s: only one process at a time can use a store", dir, ErrInUse, ownerOf(fs, dir))
}

// isFull reports whether the disk is completely full, including the reserve.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// isOwned reports whether a lock is held, and not only impossible to take. Within one process the
// library reports this only in the error text.
func isOwned(err error) bool {
	var path *os.PathError // opening the lock file failed
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
