//go:build !linux

package main

import (
	"os"
	"os/exec"
)

// limitProcess leaves the limits to the memory limit that media.Serve sets.
func limitProcess() error { return nil }

// runLimited runs another program; this system has no limits that are known here.
func runLimited(command []string) error {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}

// openFilesLimit is 0: what this system allows is not known here.
func openFilesLimit() uint64 { return 0 }
