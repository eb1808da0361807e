//go:build unix

package cli

import (
	"io/fs"
	"os"
	"syscall"
)

// duplicate returns a copy of an open file. Opening its path again would write at its start.
func duplicate(descriptor int, name string) (*os.File, error) {
	n, err := syscall.Dup(descriptor)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	syscall.CloseOnExec(n)
	return os.NewFile(uintptr(n), name), nil
}
