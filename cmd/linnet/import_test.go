package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"linnet/internal/kv"
	"linnet/internal/linnet"
)

// onFirst calls a function when something is first written to it.
type onFirst struct {
	io.Writer
	then func()
}

func (w *onFirst) Write(b []byte) (int, error) {
	w.then()
	return w.Writer.Write(b)
}

// An import that is stopped says how to go on, and going on makes what is missing.
func TestStoppedImport(t *testing.T) {
	dir := t.TempDir()
	args := []string{"seed", "--users", "300", "--posts-per-user", "5", "--data", dir}
	ctx, cancel := context.WithCancel(t.Context())
	var stderr, stdout bytes.Buffer
	code := run(ctx, process{args: args, stdin: strings.NewReader(""), stdout: &stdout, stderr: &onFirst{&stderr, cancel}})
	if code != exitFailed || !strings.Contains(stderr.String(), "Run the same command again to continue") {
		t.Fatalf("stopped with code %d: %s%s", code, &stdout, &stderr)
	}
	stdout.Reset()
	if code := run(t.Context(), process{args: args, stdin: strings.NewReader(""), stdout: &stdout, stderr: io.Discard}); code != exitOK {
		t.Fatalf("going on ended with %d: %s", code, &stdout)
	}
	if !strings.Contains(stdout.String(), "imported 300 users") || !strings.Contains(stdout.String(), "1500 posts") {
		t.Error(stdout.String())
	}
}

func TestImportFault(t *testing.T) {
	for _, cause := range []error{kv.ErrUnavailable, kv.ErrUnknown, kv.ErrFull} {
		err := importFault(fmt.Errorf("make users: %w", cause))
		if exitCode(err) != exitTemporary || !strings.Contains(err.Error(), "run the same command again") {
			t.Errorf("%v: code %d, %v", cause, exitCode(err), err)
		}
	}
	if err := importFault(linnet.Errorf(linnet.Invalid, "no users")); exitCode(err) != exitUsage || strings.Contains(err.Error(), "again") {
		t.Errorf("invalid: code %d, %v", exitCode(err), err)
	}
}
