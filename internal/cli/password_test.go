package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"linnet/internal/config"
	"linnet/internal/exit"
)

func TestPasswordSources(t *testing.T) {
	file := filepath.Join(t.TempDir(), "p")
	if err := os.WriteFile(file, []byte("from file\r\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		env   config.Environment
		stdin string
		want  string
	}{
		{config.Environment{}, "from stdin\nmore\n", "from stdin"},
		{config.Environment{}, "no line break", "no line break"},
		{config.Environment{"LINNET_PASSWORD": "from env"}, "x\n", "from env"},
		{config.Environment{"LINNET_PASSWORD_FILE": file}, "x\n", "from file"},
		{config.Environment{}, "", ""},
		{config.Environment{"LINNET_PASSWORD_FILE": file + "-missing"}, "x\n", ""},
	} {
		call := &call{env: c.env, stdin: strings.NewReader(c.stdin), stderr: io.Discard}
		got, err := call.password(t.Context())
		if got != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%v: got %q, %v; want %q", c, got, err, c.want)
		}
		var f *exit.Error
		if err != nil && !errors.As(err, &f) {
			t.Errorf("%v: no advice in %v", c, err)
		}
	}
}
