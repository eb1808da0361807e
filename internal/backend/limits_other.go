//go:build !linux

package backend

import (
	"io"
	"os/exec"
)

// limitProcess does nothing: on this system only the memory limit of media.Serve applies.
func limitProcess() error { return nil }

// runLimited runs another program, without limits on this system.
func runLimited(command []string, stdin io.Reader, stdout, stderr io.Writer) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	return cmd.Run()
}

// OpenFilesLimit returns 0: the limit is unknown on this system.
func OpenFilesLimit() uint64 { return 0 }
