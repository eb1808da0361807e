//go:build !linux

package cluster_test

import "os/exec"

// dieWithParent does nothing on systems without this feature.
func dieWithParent(*exec.Cmd) {}
