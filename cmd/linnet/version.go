package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// release is the version of the program. It follows semantic versioning; the
// formats of data directories are versioned apart from it.
const release = "0.1.0"

// versionInfo is what version prints with --json.
type versionInfo struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func thisVersion() versionInfo {
	v := versionInfo{Version: release, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				v.Commit = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return v
}

// String is the version as it stands at the head of the start-up output.
func (v versionInfo) String() string {
	return fmt.Sprintf("linnet %s (%s, %s)", v.Version, v.Go, v.Platform)
}

func version(_ context.Context, c *call) error {
	v := thisVersion()
	if c.flag("json") {
		return printJSON(c.stdout, v)
	}
	_, err := fmt.Fprintln(c.stdout, v)
	return err
}
