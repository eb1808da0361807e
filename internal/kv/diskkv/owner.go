package diskkv

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// ErrInUse: another process owns the store, until it ends.
var ErrInUse = errors.New("is in use by")

// lockDir makes this process the owner of the directory. The lock is the
// kernel's and ends with the process; the file with the number of the process
// only tells people whom to look for.
func lockDir(fs vfs.FS, dir string) (*pebble.Lock, error) {
	lock, err := pebble.LockDirectory(dir, fs)
	if err != nil {
		if !isOwned(err) {
			return nil, fmt.Errorf("lock %s: %w", dir, err)
		}
		return nil, fmt.Errorf("%s %w %s: one process at a time owns a store", dir, ErrInUse, ownerOf(fs, dir))
	}
	pid := strconv.Itoa(os.Getpid()) + "\n"
	if err := writeFile(fs, dir, ownerFile, pid); err != nil && !isFull(err) { // then it may name a former one
		lock.Close()
		return nil, err
	}
	return lock, nil
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
