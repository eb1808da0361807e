//go:build unix && !solaris && !aix

package diskkv

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// flockDir locks a directory until the result is closed. It fails if this or another process has
// locked it. On file systems without locks of directories it does nothing.
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
