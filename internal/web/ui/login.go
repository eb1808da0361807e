package ui

import (
	"net/url"
	"strings"
)

// IsLocalPath reports whether browsers take a path as one of this installation. They
// read "//host" and "/\host" as other hosts, and drop tabs and newlines before
// they look.
func IsLocalPath(path string) bool {
	if !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsRune(path, '\\') {
		return false
	}
	for i := range len(path) {
		if path[i] <= ' ' || path[i] == 0x7f {
			return false
		}
	}
	u, err := url.Parse(path)
	return err == nil && u.Host == "" && u.Scheme == ""
}
