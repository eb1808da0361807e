// Package version contains the version of the program.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// Version is the version of the program. It follows semantic versioning. The suffix "-dev" marks a
// build between releases. Formats of stores have their own versions.
const Version = "0.2.0-dev"

// Info describes this build. The command version prints it.
type Info struct {
	Version  string `json:"version"`
	Commit   string `json:"commit,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// Get returns the version and the build of this program.
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

// String returns the version as the first line of a server's output shows it.
func (v Info) String() string {
	return fmt.Sprintf("linnet %s (%s, %s)", v.Version, v.Go, v.Platform)
}
