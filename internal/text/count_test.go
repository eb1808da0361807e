package text

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

func TestCount(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int
	}{
		{"", 0},
		{"hello", 5},
		{"a\r\nb\nc", 5},
		{"a\x00b", 2},
		{"é e\u0301", 3},
		{"👩‍👩‍👧‍👦", 1},
		{"🇩🇪🇫🇷", 2},
		{"👍🏽 ❤️ 2️⃣", 5},
		{"한국어 தமிழ்", 7},
		{"https://a.de", URLCount},
		{"https://example.com/" + strings.Repeat("x", 500), URLCount},
		{"see https://example.com/a. http://example.com", 4 + URLCount + 2 + URLCount},
		{"https://example.com/" + strings.Repeat("x", MaxURL), 20 + MaxURL},
		{"example.com", 11},
		{"@ann", 4},
		{"@ann@example.com", 4},
		{"hi @ann@example.com!", 8},
		{"ann@example.com", 15},
		{"#tag", 4},
		{strings.Repeat("a", 500), 500},
	} {
		if got := Count(c.in); got != c.want {
			t.Errorf("Count(%q) = %d, want %d", c.in, got, c.want)
		}
	}
}

// simpleCount is a slow, obvious implementation of Count. It builds the replaced text and counts it
// completely.
func simpleCount(s string) int {
	d := Parse(s)
	text := d.Text()
	for i := len(d.tokens) - 1; i >= 0; i-- {
		t := d.tokens[i]
		part := text[t.start:t.end]
		switch t.kind {
		case link:
			part = strings.Repeat("x", 23)
		case mention:
			part, _, _ = strings.Cut(part[1:], "@")
			part = "@" + part
		}
		text = text[:t.start] + part + text[t.end:]
	}
	return uniseg.GraphemeClusterCount(text)
}

func FuzzCount(f *testing.F) {
	for _, s := range seeds() {
		f.Add(s)
	}
	f.Fuzz(checkCount)
}

func checkCount(t *testing.T, s string) {
	t.Helper()
	if got, want := Count(s), simpleCount(s); got != want {
		t.Errorf("Count(%q) = %d, the simple way gives %d", s, got, want)
	}
}
