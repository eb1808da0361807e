package blob_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linnet/internal/blob"
	"linnet/internal/blob/blobtest"
)

func TestDir(t *testing.T) {
	blobtest.Run(t, func(t *testing.T) blob.Store {
		d, err := blob.NewDir(filepath.Join(t.TempDir(), "media"))
		if err != nil {
			t.Fatal(err)
		}
		return d
	})
}

func TestNames(t *testing.T) {
	for range 100 {
		if name := blob.NewName("jpg"); !blob.Valid(name) {
			t.Fatalf("%q is drawn and not valid", name)
		}
	}
	good := strings.Repeat("a", 26)
	for _, name := range []string{"", ".", "..", "../" + good + ".jpg", good, good + ".", good + ".j", good + ".jpeg2", good + ".jp/", good + "/.jpg",
		good[1:] + ".jpg", good[1:] + "1.jpg", good[1:] + "A.jpg", good[2:] + "é.jpg", good + ".jpg\x00", good + ".a.jpg", ".partial"} {
		if blob.Valid(name) {
			t.Errorf("%q is valid", name)
		}
	}
}

// What a directory holds beside is left alone, and what a crash left half is no file.
func TestDirOfOthers(t *testing.T) {
	root := t.TempDir()
	d, err := blob.NewDir(root)
	if err != nil {
		t.Fatal(err)
	}
	name := blob.NewName("png")
	for _, path := range []string{"README", "ab/notes.txt", ".partial/" + name, "lost+found/" + name, "zz/" + strings.Repeat("a", 26) + ".png"} {
		path = filepath.Join(root, path)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Walk(t.Context(), func(i blob.Info) error { return fmt.Errorf("found %s", i.Name) }); err != nil {
		t.Error(err)
	}
	if _, err := d.Open(t.Context(), name); !errors.Is(err, blob.ErrAbsent) {
		t.Errorf("half a file is one: %v", err)
	}
	st, err := os.Stat(filepath.Join(root, ".partial"))
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("others may read: %v %v", st.Mode(), err)
	}
}
