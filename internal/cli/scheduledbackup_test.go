package cli_test

import (
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"linnet/internal/cli"
	"linnet/internal/cli/clitest"
	"linnet/internal/exit"
)

// TestServerBacksUpByItself expects the first scheduled backup at the start of a server, and
// verifies it.
func TestServerBacksUpByItself(t *testing.T) {
	place := filepath.Join(t.TempDir(), "backups")
	server := clitest.StartEmpty(t, t.Output(), "--metrics-addr", "off", "--log-level", "warn", "--backup.to", place, "--backup.schedule", "6h")
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if made, err := filepath.Glob(filepath.Join(place, "manifest-*.json")); err != nil || len(made) > 0 {
			break
		}
		if time.Now().After(end) {
			t.Fatal("no backup is made")
		}
	}
	if code := server.Stop(); code != exit.OK {
		t.Errorf("the server ended with %d", code)
	}
	var out strings.Builder
	args := []string{"backup", "verify", place, "--data", t.TempDir()}
	if code := cli.Run(t.Context(), cli.Process{Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: io.Discard}); code != exit.OK {
		t.Errorf("verified with %d: %s", code, &out)
	}
}
