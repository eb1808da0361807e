package cli_test

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"linnet/internal/admin"
	"linnet/internal/cli"
	"linnet/internal/exit"
	"linnet/internal/kv"
	"linnet/internal/kv/diskkv"
	"linnet/internal/task"
)

// TestReadingAloneChangesNothing expects that digest and backup do not change a store without a
// server, even if a task is due.
func TestReadingAloneChangesNothing(t *testing.T) {
	data := t.TempDir()
	store := func(use func(e kv.Engine)) {
		t.Helper()
		e, err := diskkv.Open(filepath.Join(data, "store"), diskkv.Options{Reserve: -1, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		use(e)
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
	digest := func() (text string) {
		t.Helper()
		store(func(e kv.Engine) {
			d, err := admin.DigestOf(t.Context(), e, admin.DigestOptions{Shard: -1})
			if err != nil {
				t.Fatal(err)
			}
			text = d.Digest
		})
		return text
	}
	command := func(args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		args = append(args, "--data", data, "--reserve", "0")
		if code := cli.Run(t.Context(), cli.Process{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}); code != exit.OK {
			t.Fatalf("%v: code %d, %s", args, code, errs.String())
		}
		return out.String()
	}
	command("digest") // creates the store
	store(func(e kv.Engine) {
		err := e.Apply(t.Context(), kv.Put{Key: task.Key(1, "T1"), Data: []byte(`{"kind":"none","args":{}}`), Version: 1},
			kv.Add{Key: task.DueKey(1), Member: "T1", Score: 1})
		if err != nil {
			t.Fatal(err)
		}
	})
	before := digest()
	for _, args := range [][]string{{"digest"}, {"backup", filepath.Join(t.TempDir(), "backup")}, {"digest"}} {
		if out := command(args...); !strings.Contains(out, before) {
			t.Errorf("linnet %v says %q, the store has the digest %s", args, out, before)
		}
	}
	if after := digest(); after != before {
		t.Errorf("the store has the digest %s now, and had %s", after, before)
	}
}
