package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// onFirst calls a function at the first write.
type onFirst struct {
	io.Writer
	then func()
}

func (w *onFirst) Write(b []byte) (int, error) {
	w.then()
	return w.Writer.Write(b)
}

// TestInterrupted expects advice from an interrupted run, and that a second run completes it.
func TestInterrupted(t *testing.T) {
	args := []string{"--users", "300", "--posts-per-user", "5", "--data", t.TempDir(), "--password"}
	environ := []string{"LINNET_PASSWORD=correct horse"}
	ctx, cancel := context.WithCancel(t.Context())
	var stdout, stderr bytes.Buffer
	if code := run(ctx, args, environ, strings.NewReader(""), &stdout, &onFirst{&stderr, cancel}); code != 1 ||
		!strings.Contains(stderr.String(), "Run the same command again to continue") {
		t.Fatalf("interrupted with code %d: %s%s", code, &stdout, &stderr)
	}
	stderr.Reset()
	if code := run(t.Context(), args, environ, strings.NewReader(""), &stdout, &stderr); code != 0 {
		t.Fatalf("code %d: %s%s", code, &stdout, &stderr)
	}
	if !regexp.MustCompile(`^created 300 users, \d{4,} follows and 1500 posts in `).Match(stdout.Bytes()) || !strings.Contains(stderr.String(), "posts 1500/1500\n") {
		t.Errorf("%s%s", &stdout, &stderr)
	}
}

func TestAdvice(t *testing.T) {
	for _, cause := range []error{kv.ErrUnavailable, kv.ErrUnknown, kv.ErrFull} {
		if s := advice(t.Context(), fmt.Errorf("make users: %w", cause)); !strings.Contains(s, "again") {
			t.Errorf("%v: %q", cause, s)
		}
	}
	if s := advice(t.Context(), linnet.Errorf(linnet.Invalid, "no users")); s != "" {
		t.Errorf("invalid: %q", s)
	}
}

// TestFiles fills a store from files.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	follows := file("follows.tsv", "# follower\tfollowee\n0\t3\n1\t3\n2\t3\n3\t0\n3\t0\n3\t3\n")
	posts := file("posts.txt", "The first #text\n\nThe second\n")
	for _, c := range []struct {
		args string
		code int
		want string
	}{
		{"--follows " + follows + " --posts " + posts + " --password", 0, "created 4 users, 4 follows and 2 posts in "},
		{"--follows " + follows + " --posts " + posts, 0, "already complete"},
		{"--follows " + follows, 1, "other files or options"},
		{"--follows " + posts + " --users-prefix x", 2, `line 1: "The first #text" is not a pair of numbers`},
		{"--follows " + dir + "/none --users-prefix x", 1, "no such file"},
		{"--posts " + posts + " --users 2 --until 2026-01-31 --users-prefix v", 0, "created 2 users, 0 follows and 2 posts"},
	} {
		var out bytes.Buffer
		if code := run(t.Context(), strings.Fields(c.args), []string{"LINNET_DATA=" + dir + "/data"}, strings.NewReader("correct horse\n"), &out, &out); code != c.code || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: code %d, %s", c.args, code, &out)
		}
	}
}

func TestInvalidArguments(t *testing.T) {
	for args, want := range map[string]string{
		"--users 0":              `--users must be a number of at least 1, not 0`,
		"--posts-per-user 0":     "--posts-per-user must be",
		"--days 0":               "--days must be",
		"--users -1":             "--users must be",
		"--users many":           "invalid value",
		"--until yesterday":      "invalid value",
		"here":                   `unexpected argument "here"`,
		"--password":             "no password on standard input",
		"--store http://a.place": "http://a.place",
	} {
		var out bytes.Buffer
		if code := run(t.Context(), strings.Fields(args), []string{"LINNET_DATA=/nonexistent"}, strings.NewReader(""), &out, &out); code != 2 || !strings.Contains(out.String(), want) {
			t.Errorf("%s: code %d, %s", args, code, &out)
		}
	}
}
