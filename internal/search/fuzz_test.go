package search_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"linnet/internal/search"
)

// FuzzParse checks that any query is refused or can be searched without errors.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`one "two three" -four fi* from:me has:poll before:2026-01-02`, "東京 \"", "-", "--x", "+", "from:", "has:", `""`, "a:b:c", "#tag @name", "“x” „y“ «z»", "in:library is:reply", "*", "\x00\xff"} {
		f.Add(s)
	}
	x := search.NewIndex()
	if err := x.Add(&search.Document{ID: 1, Texts: []string{"one two three 東京"}}); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		q, err := search.Parse(s)
		if err != nil {
			if wrong := (*search.SyntaxError)(nil); !errors.As(err, &wrong) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		if len(q.Clauses)+len(q.From) > search.MaxClauses {
			t.Errorf("%q: %d clauses", s, len(q.Clauses))
		}
		c, err := x.Search(&search.Request{Clauses: q.Clauses})
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if _, err := c.Next(); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
	})
}

// A text gives terms of bounded length in the order of their places, and is found by each
// of its words.
func FuzzAnalyse(f *testing.F) {
	for _, s := range []string{"The quick brown fox", "İstanbul ÅNGSTRÖM", "東京タワー สวัสดี", "#a_b @c ##", "é\u0301", "\u0e33\u0301", strings.Repeat("x", 200), "a\x00b\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		tokens := search.Analyse(s)
		at := 0
		for _, tok := range tokens {
			if tok.Term == "" || len(tok.Term) > search.MaxTerm || tok.At < at || tok.Term[0] == 1 || utf8.ValidString(s) && !utf8.ValidString(tok.Term) {
				t.Fatalf("%q gives %q at %d after %d", s, tok.Term, tok.At, at)
			}
			at = tok.At
		}
		if again := search.Analyse(strings.ToUpper(strings.ToLower(s))); len(s) < 1000 && isASCII(s) && !slices.Equal(again, tokens) {
			t.Errorf("%q: case matters", s)
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

// FuzzOpen checks that a damaged segment is refused, without a crash.
func FuzzOpen(f *testing.F) {
	b := search.NewBlock()
	for id := range uint64(300) {
		b.Add(&search.Document{ID: 10 + 3*id, Texts: []string{"common", strings.Repeat("x", int(id%40)+1)}})
	}
	good, err := b.Encode()
	if err != nil {
		f.Fatal(err)
	}
	packed, err := search.Pack(good)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, 0, byte(1))
	f.Add(packed, 5, byte(0))
	f.Add([]byte("LNSEG001"), 0, byte(0))
	f.Fuzz(func(t *testing.T, data []byte, at int, flip byte) {
		for _, d := range [][]byte{data, flipped(good, at, flip)} {
			s, err := search.Open(d)
			if err == nil && !slices.Equal(d, good) {
				t.Fatalf("%d bytes are taken for a segment of %d", len(d), s.Len())
			}
			if err != nil && !errors.Is(err, search.ErrDamaged) {
				t.Fatal(err)
			}
		}
		if _, err := search.Unpack(data); err != nil && !errors.Is(err, search.ErrDamaged) {
			t.Fatal(err)
		}
		if _, err := search.Unpack(flipped(packed, at, flip)); err != nil && !errors.Is(err, search.ErrDamaged) {
			t.Fatal(err)
		}
	})
}

// flipped returns data with some bits of a byte flipped.
func flipped(data []byte, at int, bits byte) []byte {
	out := slices.Clone(data)
	if at < 0 {
		at = -(at + 1)
	}
	out[at%len(out)] ^= bits
	return out
}
