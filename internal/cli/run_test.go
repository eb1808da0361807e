package cli_test

import (
	"errors"
	"strings"
	"testing"

	"linnet/internal/cli"
	"linnet/internal/exit"
)

// full rejects all writes.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestUnwritten expects failure of commands whose output cannot be written.
func TestUnwritten(t *testing.T) {
	for _, args := range [][]string{{"config", "example"}, {"config", "show"}, {"version"}, {"man"}, {"help"}, {"serve", "--help"}, {"completion", "bash"}} {
		var told strings.Builder
		if code := cli.Run(t.Context(), cli.Process{Args: args, Environ: []string{"HOME=" + t.TempDir()}, Stdin: strings.NewReader(""), Stdout: full{}, Stderr: &told}); code != exit.Failed || !strings.Contains(told.String(), "no space left") {
			t.Errorf("%q ended with %d: %s", args, code, &told)
		}
	}
}
