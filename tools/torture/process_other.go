//go:build unix && !linux

package torture

import "os/exec"

// dieWithParent does nothing on systems without this feature.
func dieWithParent(*exec.Cmd) {}
