package apptest

import (
	"path/filepath"
	"testing"

	"linnet/internal/blob"
)

// Files is a place for the pictures of a test: the same each time that one asks, so that
// a server that is started again finds them.
func Files(t testing.TB) blob.Store {
	t.Helper()
	d, err := blob.NewDir(filepath.Join(filepath.Dir(t.TempDir()), "media"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}
