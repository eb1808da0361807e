package cli_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"linnet/internal/cli"
	"linnet/internal/cli/clitest"
	"linnet/internal/exit"
)

// TestDemo expects sample accounts, no setup link, and no files at the end.
func TestDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	demo := clitest.Start(t, t.Output(), "demo", "--addr", "127.0.0.1:0", "--metrics-addr", "off", "--log-level", "warn")
	for path, want := range map[string]string{"/@lizzy": "dearly love a laugh", "/@watson": "Moby Dick, by Herman Melville", "/about": "The Reading Room", "/tags/books": "the one with the whale"} {
		resp, err := http.Get(demo.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || resp.StatusCode != http.StatusOK || !strings.Contains(string(body), want) {
			t.Errorf("%s: %s, no %q (%v)", path, resp.Status, want, err)
		}
	}
	if code := demo.Stop(); code != exit.OK {
		t.Errorf("exit code %d", code)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	var out strings.Builder
	code := cli.Run(context.Background(), cli.Process{Args: []string{"demo", "--data", t.TempDir()}, Stdout: &out, Stderr: &out})
	if code != exit.Usage || !strings.Contains(out.String(), "does not accept --data") {
		t.Errorf("with a directory: %d %s", code, out.String())
	}
}
