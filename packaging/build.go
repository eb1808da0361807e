package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// release is a release in progress.
type release struct {
	root, out string
	work      string // temporary directory
	version   string
	commit    string    // "" if the tree had changes
	date      time.Time // of the commit
	papers    []file    // documents next to the program
}

// file is a file of a release, by its name there.
type file struct {
	name string
	mode os.FileMode
	data []byte
}

// newRelease prepares a release of the commit at root in a fresh clone, so that no other files are
// included. With dirty it uses the tree with its changes. It fails if out exists, or if the tree
// has changes and dirty is false.
func newRelease(ctx context.Context, root, out string, dirty bool) (*release, error) {
	r := &release{root: root, out: out}
	var err error
	if r.date, err = dateOf(ctx, root); err != nil {
		return nil, err
	}
	if r.work, err = os.MkdirTemp("", "linnet-release-"); err != nil {
		return nil, err
	}
	if !dirty {
		err = r.clone(ctx)
	}
	if err == nil {
		err = makeNew(out)
	}
	if err != nil {
		os.RemoveAll(r.work)
		return nil, err
	}
	return r, nil
}

// clone clones the commit, from which the release is built.
func (r *release) clone(ctx context.Context) error {
	changed, err := output(ctx, r.root, nil, "git", "status", "--porcelain")
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		return fmt.Errorf("the work tree has uncommitted changes: commit them or pass --dirty:\n%s", changed)
	}
	to := filepath.Join(r.work, "source")
	if _, err := output(ctx, r.root, nil, "git", "clone", "--quiet", "--no-tags", ".", to); err != nil {
		return err
	}
	r.root = to
	commit, err := output(ctx, to, nil, "git", "rev-parse", "HEAD")
	r.commit = string(bytes.TrimSpace(commit))
	return err
}

// makeNew creates a directory that must not exist.
func makeNew(dir string) error {
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	err := os.Mkdir(dir, 0o755)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s already exists: remove it, or choose another directory with --out", dir)
	}
	return err
}

// dateOf returns the date of all files of the release.
func dateOf(ctx context.Context, root string) (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		out, err := output(ctx, root, nil, "git", "log", "-1", "--format=%ct")
		if err != nil {
			return time.Time{}, fmt.Errorf("read the date of the commit (or set SOURCE_DATE_EPOCH): %w", err)
		}
		text = string(bytes.TrimSpace(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// output runs a command in the tree and returns its output.
func output(ctx context.Context, dir string, env []string, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	var fault bytes.Buffer
	cmd.Stderr = &fault
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, fault.Bytes())
	}
	return out, nil
}

// build compiles the program for a target, without C, symbols and paths.
func (r *release) build(ctx context.Context, t target) (string, error) {
	bin, err := filepath.Abs(filepath.Join(r.work, t.os+"-"+t.arch, t.program()))
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(bin); err == nil {
		return bin, nil // for its documents only
	}
	fmt.Println("build", t)
	env := []string{"CGO_ENABLED=0", "GOOS=" + t.os, "GOARCH=" + t.arch, "GOFLAGS=-mod=readonly", "GOAMD64=v1", "GOARM64=v8.0"}
	_, err = output(ctx, r.root, env, "go", "build", "-trimpath", "-ldflags=-s -w -buildid=", "-o", bin, "./cmd/linnet")
	return bin, err
}

// describe runs the program, built for this machine, to get its version and the documents that it
// prints.
func (r *release) describe(ctx context.Context) error {
	bin, err := r.build(ctx, target{runtime.GOOS, runtime.GOARCH})
	if err != nil {
		return err
	}
	text, err := output(ctx, r.root, nil, bin, "version", "--json")
	if err != nil {
		return err
	}
	var said struct{ Version string }
	if err := json.Unmarshal(text, &said); err != nil {
		return fmt.Errorf("linnet version --json: %w", err)
	}
	r.version = said.Version
	for _, paper := range []struct {
		name string
		args []string
	}{
		{"linnet.1", []string{"man"}},
		{"linnet.conf.example", []string{"config", "example"}},
		{"completions/linnet.bash", []string{"completion", "bash"}},
		{"completions/_linnet", []string{"completion", "zsh"}},
		{"completions/linnet.fish", []string{"completion", "fish"}},
	} {
		data, err := output(ctx, r.work, nil, bin, paper.args...)
		if err != nil {
			return err
		}
		r.papers = append(r.papers, file{paper.name, 0o644, data})
	}
	for _, name := range []string{"LICENSE", "NOTICE", "README.md", "contrib/systemd/linnet.service"} {
		data, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		r.papers = append(r.papers, file{filepath.Base(name), 0o644, data})
	}
	return r.addManual()
}

// manualDir is the directory of the operator manual, in the repository and in archives.
const manualDir = "docs/admin/"

// addManual adds the pages of the operator manual to the papers.
func (r *release) addManual() error {
	pages, err := filepath.Glob(filepath.Join(r.root, filepath.FromSlash(manualDir), "*.md"))
	if err != nil {
		return err
	}
	if len(pages) == 0 {
		return fmt.Errorf("%s has no pages", manualDir)
	}
	for _, page := range pages {
		data, err := os.ReadFile(page)
		if err != nil {
			return err
		}
		r.papers = append(r.papers, file{manualDir + filepath.Base(page), 0o644, data})
	}
	return nil
}

// paper returns a document of describe by name.
func (r *release) paper(name string) []byte {
	for _, p := range r.papers {
		if p.name == name {
			return p.data
		}
	}
	panic("packaging: there is no document named " + name)
}

// sum writes SHA256SUMS in the format of sha256sum --check.
func (r *release) sum() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, e := range entries {
		sum, size, err := hashOf(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%s  %s\n", sum, e.Name())
		fmt.Printf("%6.1f MB  %s\n", float64(size)/1e6, e.Name())
	}
	return os.WriteFile(filepath.Join(r.out, sumsName), []byte(text.String()), 0o644)
}
