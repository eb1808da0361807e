package blob_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"linnet/internal/blob"
)

// suite runs the tests of a store.
func suite(t *testing.T, fresh func(*testing.T) blob.Store) {
	for name, run := range map[string]func(*testing.T, blob.Store){
		"kept and read": keptAndRead, "absent": absent, "names": names, "walk": walk, "at once": atOnce, "ranges": ranges, "from the start": fromStart, "mark": mark, "withheld": withheld,
	} {
		t.Run(name, func(t *testing.T) { run(t, fresh(t)) })
	}
}

func TestDir(t *testing.T) {
	suite(t, func(t *testing.T) blob.Store {
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

// TestDirOfOthers checks that other files in the directory are ignored, and that incomplete files
// of a crash are not found.
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
	old := filepath.Join(root, ".partial", "left")
	if err := errors.Join(os.WriteFile(old, nil, 0o600), os.Chtimes(old, time.Time{}, time.Now().Add(-2*time.Hour))); err != nil {
		t.Fatal(err)
	}
	if _, err := blob.NewDir(root); err != nil {
		t.Fatal(err)
	}
	if all, err := os.ReadDir(filepath.Join(root, ".partial")); err != nil || len(all) != 1 || all[0].Name() != name {
		t.Errorf("left of what was half written: %v %v", all, err)
	}
	st, err := os.Stat(filepath.Join(root, ".partial"))
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("others may read: %v %v", st.Mode(), err)
	}
}

func put(t *testing.T, s blob.Store, data []byte) string {
	t.Helper()
	name := blob.NewName("jpg")
	if err := s.Put(t.Context(), name, "image/jpeg", bytes.NewReader(data)); err != nil {
		t.Fatal(err)
	}
	return name
}

// read returns the content of a file.
func read(ctx context.Context, s blob.Store, name string) ([]byte, error) {
	f, err := s.Open(ctx, name)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(f)
	return data, errors.Join(err, f.Close())
}

func keptAndRead(t *testing.T, s blob.Store) {
	for _, size := range []int{0, 1, 100_000, 20 << 20} {
		data := bytes.Repeat([]byte{7, 8, 9}, size/3+1)[:size]
		name := put(t, s, data)
		got, err := read(t.Context(), s, name)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes: %d came back, %v", size, len(got), err)
		}
		if err := s.Put(t.Context(), name, "image/jpeg", strings.NewReader("again")); err != nil {
			t.Error(err)
		}
		if got, err := read(t.Context(), s, name); err != nil || string(got) != "again" {
			t.Errorf("over %d bytes: %q %v", size, got, err)
		}
	}
	if s.Where() == "" {
		t.Error("nobody is told where the files are")
	}
}

func absent(t *testing.T, s blob.Store) {
	name := put(t, s, []byte("x"))
	if err := s.Delete(t.Context(), name, blob.NewName("png")); err != nil {
		t.Error(err)
	}
	if err := s.Delete(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Delete(t.Context(), name); err != nil {
		t.Errorf("a second time: %v", err)
	}
	if _, err := s.Open(t.Context(), name); !errors.Is(err, blob.ErrAbsent) {
		t.Errorf("opened what is gone: %v", err)
	}
}

func names(t *testing.T, s blob.Store) {
	for _, name := range []string{"", "../../etc/passwd", "a.jpg", "/", "index.html"} {
		if err := s.Put(t.Context(), name, "image/jpeg", strings.NewReader("")); err == nil {
			t.Errorf("kept as %q", name)
		}
		if _, err := s.Open(t.Context(), name); !errors.Is(err, blob.ErrAbsent) {
			t.Errorf("opened %q: %v", name, err)
		}
		if err := s.Delete(t.Context(), name); err != nil {
			t.Errorf("removed %q: %v", name, err)
		}
	}
}

func walk(t *testing.T, s blob.Store) {
	var want []string
	for range 30 {
		want = append(want, put(t, s, []byte("abc")))
	}
	slices.Sort(want)
	var got []string
	err := s.Walk(t.Context(), func(i blob.Info) error {
		got = append(got, i.Name)
		if i.Bytes != 3 || i.Written.IsZero() {
			t.Errorf("%+v", i)
		}
		return nil
	})
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v\nwant %v, %v", got, want, err)
	}
	enough := errors.New("enough")
	if err := s.Walk(t.Context(), func(blob.Info) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("a walk that is ended gives %v", err)
	}
}

func atOnce(t *testing.T, s blob.Store) {
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			data := bytes.Repeat([]byte{byte(i)}, 1000+i)
			name := blob.NewName("png")
			if err := s.Put(t.Context(), name, "image/jpeg", bytes.NewReader(data)); err != nil {
				t.Error(err)
			}
			if got, err := read(t.Context(), s, name); err != nil || !bytes.Equal(got, data) {
				t.Errorf("%d: %d bytes, %v", i, len(got), err)
			}
		})
	}
	all.Wait()
}

// ranges reads parts of a file, like browsers do for long files.
func ranges(t *testing.T, s blob.Store) {
	data := make([]byte, 300_000)
	for i := range data {
		data[i] = byte(i >> 8)
	}
	f, err := s.Open(t.Context(), put(t, s, data))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Info.Bytes != int64(len(data)) || f.Info.Written.IsZero() {
		t.Errorf("%+v", f.Info)
	}
	for _, at := range []int64{250_000, 0, 299_990} {
		if _, err := f.Seek(at, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		part := make([]byte, 10)
		if _, err := io.ReadFull(f, part); err != nil || !bytes.Equal(part, data[at:at+10]) {
			t.Errorf("at %d: %v %v", at, part, err)
		}
	}
	if end, err := f.Seek(0, io.SeekEnd); err != nil || end != int64(len(data)) {
		t.Errorf("the end is at %d, %v", end, err)
	}
}

// fromStart checks that Put reads a source from its beginning, whatever was read before.
func fromStart(t *testing.T, s blob.Store) {
	data := strings.NewReader("all of it")
	if _, err := data.Seek(4, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	name := blob.NewName("png")
	if err := s.Put(t.Context(), name, "image/png", data); err != nil {
		t.Fatal(err)
	}
	if got, err := read(t.Context(), s, name); err != nil || string(got) != "all of it" {
		t.Errorf("%q %v", got, err)
	}
}

// mark checks that the first mark stays, and that it is not a file.
func mark(t *testing.T, s blob.Store) {
	if text, err := s.Mark(t.Context()); !errors.Is(err, blob.ErrAbsent) {
		t.Fatalf("before there is one: %q %v", text, err)
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if err := s.SetMark(t.Context(), fmt.Sprint("of ", i)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	first, err := s.Mark(t.Context())
	if err != nil || !strings.HasPrefix(first, "of ") {
		t.Fatalf("%q %v", first, err)
	}
	if err := s.SetMark(t.Context(), "late"); err != nil {
		t.Error(err)
	}
	if text, err := s.Mark(t.Context()); err != nil || text != first {
		t.Errorf("%q, it was %q, %v", text, first, err)
	}
	if err := s.Walk(t.Context(), func(i blob.Info) error { return errors.New("found " + i.Name) }); err != nil {
		t.Error(err)
	}
}

// expectFiles compares the contents of files, one letter each, with "!" for withheld and "-" for
// missing ones.
func expectFiles(t *testing.T, s blob.Store, when, want string, all ...string) {
	t.Helper()
	got := ""
	for _, name := range all {
		f, err := s.Open(t.Context(), name)
		if errors.Is(err, blob.ErrAbsent) {
			got += "-"
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(f)
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		if got += string(data); f.Info.Withheld {
			got += "!"
		}
	}
	if got != want {
		t.Errorf("%s: %q, want %q", when, got, want)
	}
	var names []string
	withheld := 0
	if err := s.Walk(t.Context(), func(i blob.Info) error {
		if names = append(names, i.Name); i.Withheld {
			withheld++
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if n := len(all) - strings.Count(want, "-"); len(names) != n || !slices.IsSorted(names) || withheld != strings.Count(want, "!") {
		t.Errorf("%s: a walk reports %v, %d of them withheld", when, names, withheld)
	}
}

// withheld checks that a withheld file is read, walked over once and deleted, whatever was called
// before. Concurrent calls of Withhold and Release lose no file.
func withheld(t *testing.T, s blob.Store) {
	a, b := put(t, s, []byte("a")), put(t, s, []byte("b"))
	state := func(when, want string) {
		t.Helper()
		expectFiles(t, s, when, want, a, b)
	}
	does := func(do func(context.Context, ...string) error, names ...string) {
		t.Helper()
		if err := do(t.Context(), names...); err != nil {
			t.Fatal(err)
		}
	}
	state("at first", "ab")
	does(s.Release, a, blob.NewName("png"), "../x")
	does(s.Withhold, a, blob.NewName("png"), "../x")
	state("withheld", "a!b")
	does(s.Withhold, a)
	state("withheld again", "a!b")
	does(s.Release, a, b)
	does(s.Release, a)
	state("released", "ab")
	does(s.Withhold, a, b)
	state("both withheld", "a!b!")
	does(s.Delete, a)
	does(s.Release, a)
	state("one deleted", "-b!")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() { _ = s.Withhold(t.Context(), b) })
		all.Go(func() { _ = s.Release(t.Context(), b) })
	}
	all.Wait()
	does(s.Release, b)
	state("after many at once", "-b")
	does(s.Withhold, b)
	does(s.Release, b)
	does(s.Delete, b)
	state("all deleted", "--")
	does(s.Withhold, b)
	does(s.Release, b)
	state("and not back", "--")
}
