package apptest

import (
	"path/filepath"
	"testing"

	"linnet/internal/blob"
)

// Files returns the media store of a test. It is the same for each call, so that a restarted server
// finds its files.
func Files(t testing.TB) blob.Store {
	t.Helper()
	d, err := blob.NewDir(filepath.Join(filepath.Dir(t.TempDir()), "media"))
	if err != nil {
		t.Fatal(err)
	}
	return d
}
