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

// dieWithParent does nothing on systems without this feature.
func dieWithParent(*exec.Cmd) {}
