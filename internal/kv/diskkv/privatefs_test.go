package diskkv

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"linnet/internal/kv"
)

// TestFilesArePrivate checks that only the user of the server can read the files of a store,
// including files of earlier releases.
func TestFilesArePrivate(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no file modes on Windows")
	}
	dir := filepath.Join(t.TempDir(), "store")
	for _, before := range []fs.FileMode{0o600, 0o644, 0o666} {
		e, err := Open(dir, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Apply(t.Context(), kv.Put{Key: kv.Key{Kind: "v", Shard: 1, ID: "a"}, Version: 1, Data: []byte("x")}); err != nil {
			t.Fatal(err)
		}
		checkPrivate(t, dir)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
		checkPrivate(t, dir)
		for _, name := range filesIn(t, dir) {
			if err := os.Chmod(name, before); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func checkPrivate(t *testing.T, dir string) {
	t.Helper()
	files := filesIn(t, dir)
	if len(files) < 5 {
		t.Fatalf("the store has the files %q", files)
	}
	for _, name := range files {
		info, err := os.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist): // an open store deletes obsolete files in the background
		case err != nil:
			t.Error(err)
		case info.Mode().Perm() != 0o600:
			t.Errorf("%s: %v", name, info.Mode())
		}
	}
}

func filesIn(t *testing.T, dir string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
