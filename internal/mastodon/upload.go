package mastodon

import (
	"strings"
)

// TakesFiles reports whether requests to a path may bring files.
func TakesFiles(path string) bool {
	return strings.HasPrefix(path, "/api/v1/media") || strings.HasPrefix(path, "/api/v2/media") ||
		strings.HasPrefix(path, "/api/v1/accounts/update_credentials") || strings.HasPrefix(path, "/api/v1/profile") ||
		strings.HasPrefix(path, "/api/v1/groups/")
}
