//go:build unix && !solaris && !aix

package diskkv

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// flockDir locks a directory for as long as it is open. It fails if another process, or this
// one, has done so. File systems on which directories cannot be locked are left unlocked.
func flockDir(dir string) (io.Closer, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		f.Close()
		return nil, err
	}
	return f, nil
}
