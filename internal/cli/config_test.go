package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linnet/internal/cli"
	"linnet/internal/config"
	"linnet/internal/exit"
)

// TestExampleIsDefault removes the comment signs from the example file and expects the default
// configuration.
func TestExampleIsDefault(t *testing.T) {
	var out strings.Builder
	if code := cli.Run(t.Context(), cli.Process{Args: []string{"config", "example"}, Stdout: &out, Stderr: &out}); code != exit.OK {
		t.Fatal(out.String())
	}
	dir := t.TempDir()
	text := strings.ReplaceAll(out.String(), "\n#LINNET_", "\nLINNET_")
	text = strings.Replace(text, "LINNET_DATA=\n", "", 1)
	if err := os.WriteFile(filepath.Join(dir, "linnet.conf"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := config.Resolve(map[string]string{"data": dir}, config.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := config.Resolve(map[string]string{"data": dir, "config": os.DevNull}, config.Environment{})
	if err != nil {
		t.Fatal(err)
	}
	if got.File == "" {
		t.Fatal("the file in the data directory was not read")
	}
	for _, o := range config.Options() {
		if o.Name != "data" && !strings.HasPrefix(got.Source(o.Name), got.File) {
			t.Errorf("the file does not set %s", o.Name)
		}
		if got.Value(o.Name) != want.Value(o.Name) {
			t.Errorf("%s is %q, want %q", o.Name, got.Value(o.Name), want.Value(o.Name))
		}
	}
}
