package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCeilings(t *testing.T) {
	good := "// F sends the request to the server and waits for it.\n"
	bad := "// F sends what is left to whoever asks for it first.\n"
	for _, tc := range []struct {
		name, ceilings, a, b string
		above                int
		updated              string
	}{
		{"no ceiling", "", good, good, 0, ""},
		{"above the usual share", "", bad, good, 1, ""},
		{"at the ceiling", "a 100.0\n", bad, good, 0, "a 100.0\n"},
		{"below the ceiling", "a 100.0\nb 90.0\n", bad + "\n" + good, good, 0, "a 50.0\n"},
		{"above the ceiling", "a 20.0\n", bad, good, 1, "a 20.0\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			files := []string{}
			for name, text := range map[string]string{"a/x.go": tc.a, "b/x.go": tc.b, "ceilings": tc.ceilings} {
				if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
				if strings.HasSuffix(name, ".go") {
					files = append(files, name)
				}
			}
			var out strings.Builder
			above, err := checkCeilings("ceilings", files, true, &out)
			updated, _ := os.ReadFile("ceilings")
			if err != nil || above != tc.above || string(updated) != tc.updated || (above > 0) != strings.Contains(out.String(), "a: ") {
				t.Errorf("%d above, %v, ceilings %q, printed %q", above, err, updated, out.String())
			}
		})
	}
}
