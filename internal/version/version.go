// Package version contains the version of the program.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version is the version of the program. It follows semantic versioning; the
// formats of data directories are versioned apart from it.
const Version = "0.1.0"

// Info is what version prints with --json.
type Info struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func Get() Info {
	v := Info{Version: Version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
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
func (v Info) String() string {
	return fmt.Sprintf("linnet %s (%s, %s)", v.Version, v.Go, v.Platform)
}
