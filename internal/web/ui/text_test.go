package ui_test

import (
	"testing"

	"linnet/internal/web/ui"
)

// The page after the login must be on this server, however browsers parse its path.
func TestIsLocal(t *testing.T) {
	for path, want := range map[string]bool{
		"/": true, "/oauth/authorize?a=b&c=%2F%2Fd": true, "/@ann/1": true,
		"": false, "x": false, "//evil.example": false, "/\\evil.example": false, "/a\\b": false,
		"https://evil.example": false, "/\t/evil.example": false, "/\n/evil.example": false,
		"javascript:alert(1)": false, "///evil.example": false, " /": false, "/%zz": false,
	} {
		if got := ui.IsLocalPath(path); got != want {
			t.Errorf("IsLocalPath(%q) = %v, want %v", path, got, want)
		}
	}
}
