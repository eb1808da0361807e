package torture

import (
	"os/exec"
	"syscall"
)

// dieWithParent makes a process end when this one is killed before it can clean up.
func dieWithParent(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
}
