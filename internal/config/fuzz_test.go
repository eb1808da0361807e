package config

import (
	"errors"
	"testing"

	"linnet/internal/exit"
)

// FuzzConfigFile parses any text as a configuration file. It expects a usage error or known
// options. Secrets are not read from files here.
func FuzzConfigFile(f *testing.F) {
	for _, s := range []string{"", "# x\n\nLINNET_ADDR=:80", "LINNET_ADDR=\":80\"\r\nLINNET_STORE = redis://x", "LINNET_ADDR", "=x", "LINNET_ADDR=\"\\x", "LINNET_ADDR=a\nLINNET_ADDR=b", "\x00=\xff"} {
		f.Add(s)
	}
	known := map[string]bool{}
	for _, o := range Options() {
		known[o.Name] = true
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseFile("linnet.env", text)
		var refused *exit.Error
		if err != nil && (!errors.As(err, &refused) || refused.Code != exit.Usage || refused.Error() == "") {
			t.Fatalf("%q: %v", text, err)
		}
		for name, s := range l {
			if !known[name] || s.source == "" {
				t.Fatalf("%q sets %q to %+v", text, name, s)
			}
		}
	})
}
