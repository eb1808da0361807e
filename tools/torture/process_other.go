//go:build unix && !linux

package torture

import "os/exec"

// dieWithParent does nothing where there is no such thing.
func dieWithParent(*exec.Cmd) {}
