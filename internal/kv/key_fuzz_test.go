package kv_test

import (
	"testing"

	"linnet/internal/kv"
)

// FuzzParseKey parses any text as a key, as "linnet inspect" does. A parsed key has the same text.
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
