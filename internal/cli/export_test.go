package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// onlyWindowsLacks skips the test on Windows, where links and open files have no paths, and fails
// elsewhere.
func onlyWindowsLacks(t *testing.T, err error) {
	t.Helper()
	if runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	t.Skip(err)
}

// TestOutput expects that output replaces a file or the target of a link, and never a link or a
// device.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	write := func(path, text string, keep bool) {
		t.Helper()
		out, err := createOutput(path)
		if err != nil {
			t.Fatal(err)
		}
		defer out.discard()
		if _, err = out.f.WriteString(text); err == nil && keep {
			err = out.commit()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	file, link, dangling := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	if err := errors.Join(os.Symlink("file", link), os.Symlink(filepath.Join(dir, "made"), dangling)); err != nil {
		onlyWindowsLacks(t, err)
	}
	write(file, "one", true)
	write(link, "two", true)
	write(dangling, "three", true)
	write(file, "half", false)
	for path, want := range map[string]string{file: "two", link: "two", dangling: "three", filepath.Join(dir, "made"): "three"} {
		if got, err := os.ReadFile(path); err != nil || string(got) != want {
			t.Errorf("%s: %q %v", path, got, err)
		}
	}
	for _, path := range []string{link, dangling} {
		if st, err := os.Lstat(path); err != nil || st.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", path, err)
		}
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 4 {
		t.Errorf("left: %v %v", all, err)
	}
	pipe, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer pipe.Close()
	name := fmt.Sprint("/dev/fd/", in.Fd())
	if _, err := os.Stat(name); err != nil {
		onlyWindowsLacks(t, err)
	}
	write(name, "four", true)
	in.Close()
	got := make([]byte, 10)
	if n, err := pipe.Read(got); err != nil || string(got[:n]) != "four" {
		t.Errorf("through a pipe came %q, %v", got[:n], err)
	}
}

// TestOutputAboveALink expects that ".." after a link means the parent of the link's target.
func TestOutputAboveALink(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.MkdirAll(filepath.Join(dir, "srv", "d"), 0o700), os.Symlink(filepath.Join("srv", "d"), filepath.Join(dir, "cur")),
		os.Symlink("../out.json", filepath.Join(dir, "srv", "d", "x"))); err != nil {
		onlyWindowsLacks(t, err)
	}
	for _, path := range []string{"/cur/x", "/cur/../other.json"} {
		out, err := createOutput(dir + path)
		if err != nil {
			t.Fatal(err)
		}
		if err := out.commit(); err != nil {
			t.Error(err)
		}
		out.discard()
	}
	for _, name := range []string{"out.json", "other.json"} {
		if _, err := os.Stat(filepath.Join(dir, "srv", name)); err != nil {
			t.Error(err)
		}
	}
	if all, err := os.ReadDir(dir); err != nil || len(all) != 2 {
		t.Errorf("beside srv and cur: %v %v", all, err)
	}
}

// TestOutputIntoWhatIsOpen expects that writing to an open file keeps its earlier content and its
// position.
func TestOutputIntoWhatIsOpen(t *testing.T) {
	for _, flag := range []int{os.O_APPEND, os.O_TRUNC} {
		path := filepath.Join(t.TempDir(), "log")
		f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|flag, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(fmt.Sprint("/dev/fd/", f.Fd()), link); err != nil {
			onlyWindowsLacks(t, err)
		}
		if _, err := os.Stat(link); err != nil {
			onlyWindowsLacks(t, err)
		}
		want := "before "
		_, err = f.WriteString("before ")
		for _, name := range []string{fmt.Sprint("/dev/fd/", f.Fd()), fmt.Sprint("/proc/self/fd/", f.Fd()), link} {
			if _, gone := os.Stat(name); gone != nil {
				continue
			}
			out, failed := createOutput(name)
			if failed != nil {
				t.Fatal(failed)
			}
			_, wrote := out.f.WriteString("it ")
			err = errors.Join(err, wrote, out.commit())
			out.discard()
			want += "it "
		}
		_, after := f.WriteString("after")
		if err = errors.Join(err, after); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != want+"after" {
			t.Errorf("%q %v, want %q", got, err, want+"after")
		}
	}
}
