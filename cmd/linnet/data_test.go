package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOutput: what a command writes replaces a file, at the end of a link too, and neither the
// link nor a device.
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
			err = out.keep()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	file, link, dangling := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "dangling")
	if err := errors.Join(os.Symlink("file", link), os.Symlink(filepath.Join(dir, "made"), dangling)); err != nil {
		t.Skip(err)
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
		t.Skip(err)
	}
	write(name, "four", true)
	in.Close()
	got := make([]byte, 10)
	if n, err := pipe.Read(got); err != nil || string(got[:n]) != "four" {
		t.Errorf("through a pipe came %q, %v", got[:n], err)
	}
}

// full is a place that takes nothing.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestUnwritten: a command whose output was not written has failed.
func TestUnwritten(t *testing.T) {
	for _, args := range [][]string{{"config", "example"}, {"config", "show"}, {"version"}, {"man"}, {"help"}, {"serve", "--help"}, {"completion", "bash"}} {
		var told strings.Builder
		if code := run(t.Context(), process{args: args, environ: []string{"HOME=" + t.TempDir()}, stdin: strings.NewReader(""), stdout: full{}, stderr: &told}); code != exitFailed || !strings.Contains(told.String(), "no space left") {
			t.Errorf("%q ended with %d: %s", args, code, &told)
		}
	}
}
