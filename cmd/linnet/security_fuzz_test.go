package main

import (
	"errors"
	"testing"

	"linnet/internal/kv"
)

// FuzzConfigFile reads any text as a configuration: it is refused with a fault
// that has an exit code, or every setting in it is one that exists. Values of
// secrets may name files, which is why a file is never named here.
func FuzzConfigFile(f *testing.F) {
	for _, s := range []string{"", "# x\n\nLINNET_ADDR=:80", "LINNET_ADDR=\":80\"\r\nLINNET_STORE = redis://x", "LINNET_ADDR", "=x", "LINNET_ADDR=\"\\x", "LINNET_ADDR=a\nLINNET_ADDR=b", "\x00=\xff"} {
		f.Add(s)
	}
	known := map[string]bool{}
	for _, o := range options() {
		known[o.name] = true
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := parseFile("linnet.env", text)
		var refused *fault
		if err != nil && (!errors.As(err, &refused) || refused.code != exitUsage || refused.Error() == "") {
			t.Fatalf("%q: %v", text, err)
		}
		for name, s := range l {
			if !known[name] || s.source == "" {
				t.Fatalf("%q sets %q to %+v", text, name, s)
			}
		}
	})
}

// FuzzParseKey reads any text as a key of "linnet inspect": what is taken is
// written as it was read.
func FuzzParseKey(f *testing.F) {
	for _, s := range []string{"user:{17}:5", "login:{0}:a:b", "users:{1023}:", "a:{1}:{2}:x", "a:{-1}:x", "a:{00}:x", "{}", ":{1}:"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k, err := kv.ParseKey(s)
		if err != nil {
			return
		}
		again, err := kv.ParseKey(k.String())
		if err != nil || again != k {
			t.Fatalf("%q is %+v, then %+v, %v", s, k, again, err)
		}
	})
}
