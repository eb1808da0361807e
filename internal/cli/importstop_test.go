package cli_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"linnet/internal/cli"
	"linnet/internal/exit"
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

// TestStoppedImport expects advice from a stopped import, and that a second run completes it.
func TestStoppedImport(t *testing.T) {
	dir := t.TempDir()
	args := []string{"seed", "--users", "300", "--posts-per-user", "5", "--data", dir}
	ctx, cancel := context.WithCancel(t.Context())
	var stderr, stdout bytes.Buffer
	code := cli.Run(ctx, cli.Process{Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &onFirst{&stderr, cancel}})
	if code != exit.Failed || !strings.Contains(stderr.String(), "Run the same command again to continue") {
		t.Fatalf("stopped with code %d: %s%s", code, &stdout, &stderr)
	}
	stdout.Reset()
	if code := cli.Run(t.Context(), cli.Process{Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: io.Discard}); code != exit.OK {
		t.Fatalf("going on ended with %d: %s", code, &stdout)
	}
	if !strings.Contains(stdout.String(), "imported 300 users") || !strings.Contains(stdout.String(), "1500 posts") {
		t.Error(stdout.String())
	}
}
