//go:build unix && !linux

package redistest

import (
	"os/exec"
	"syscall"
)

const (
	stopSignal     = syscall.SIGSTOP
	continueSignal = syscall.SIGCONT
)

// dieWithParent does nothing where there is no such thing.
func dieWithParent(*exec.Cmd) {}
