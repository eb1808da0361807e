package seed_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"linnet/internal/kv/memkv"
	"linnet/internal/linnet"
	"linnet/tools/seed"
)

// TestUnreadableFiles checks that errors for damaged, truncated or non-UTF-8 files have the line
// and the solution.
func TestUnreadableFiles(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range 2000 {
		if _, err := z.Write([]byte("0\t1\n2\t0\n")); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	whole := b.String()
	damaged := []byte(whole)
	damaged[len(damaged)-6] ^= 1 // in the checksum
	for name, c := range map[string]struct {
		opt  seed.Options
		want []string
	}{
		"latin1":          {seed.Options{Users: 1, Posts: file(t, "p.txt", "fine\n\ncaf\xe9 noir\n")}, []string{"p.txt, line 3: the text is not UTF-8: byte 4 is 0xE9", "iconv"}},
		"cut character":   {seed.Options{Users: 1, Posts: file(t, "p.txt", "a\xe2\x82")}, []string{"line 1", "byte 2 is 0xE2"}},
		"cut archive":     {seed.Options{Follows: file(t, "f.gz", whole[:len(whole)/2])}, []string{"f.gz is truncated", "again"}},
		"cut at once":     {seed.Options{Follows: file(t, "f.gz", whole[:5])}, []string{"f.gz is truncated"}},
		"without its end": {seed.Options{Follows: file(t, "f.gz", whole[:len(whole)-4])}, []string{"f.gz is truncated"}},
		"damaged":         {seed.Options{Follows: file(t, "f.gz", string(damaged))}, []string{"f.gz is damaged"}},
	} {
		_, err := seed.Fill(t.Context(), newWorld(t, memkv.New(memkv.Options{})).App, c.opt)
		if linnet.KindOf(err) != linnet.Invalid {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q is not in %q", name, part, err)
			}
		}
	}
}
