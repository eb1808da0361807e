//go:build !linux

package backend

import (
	"io"
	"os/exec"
)

// limitProcess leaves the limits to the memory limit that media.Serve sets.
func limitProcess() error { return nil }

// runLimited runs another program; this system has no limits that are known here.
func runLimited(command []string, stdin io.Reader, stdout, stderr io.Writer) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, stdout, stderr
	return cmd.Run()
}

// OpenFilesLimit is 0: what this system allows is not known here.
func OpenFilesLimit() uint64 { return 0 }
