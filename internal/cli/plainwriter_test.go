package cli

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
)

// TestPlainWriter expects that text of users cannot move the cursor, colour the terminal or change
// the direction of a line.
func TestPlainWriter(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\n": "plain\ttext\n", "Ä 日本 👩\u200d🚀": "Ä 日本 👩\u200d🚀", "a\u202eb": `a\u202eb`, "\x1b[31mred": `\u001b[31mred`,
		"\x07\x7f\u009b\r": `\u0007\u007f\u009b\u000d`, "\u2066x\u2069\u200f\u061c": `\u2066x\u2069\u200f\u061c`, "a\u2028b": `a\u2028b`, "\xff": `\ufffd`, "\ufffd": "\ufffd",
	} {
		var out strings.Builder
		w := &plainWriter{to: &out}
		for i := range len(in) { // a byte at a time, because writes can end anywhere
			if n, err := w.Write([]byte{in[i]}); n != 1 || err != nil {
				t.Fatal(n, err)
			}
		}
		if out.String() != want {
			t.Errorf("%+q: %+q, want %+q", in, out.String(), want)
		}
	}
}

// TestPlainWriterKeepsJSON expects that escaped JSON has the same meaning.
func TestPlainWriterKeepsJSON(t *testing.T) {
	var all strings.Builder
	for r := rune(0); r < 0x3000; r++ {
		if unicode.IsControl(r) || unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) {
			all.WriteRune(r)
		}
	}
	var out strings.Builder
	if err := printJSON(&plainWriter{to: &out}, all.String()); err != nil {
		t.Fatal(err)
	}
	var back string
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil || back != all.String() {
		t.Errorf("JSON has changed: %v", err)
	}
	if i := strings.IndexFunc(out.String(), changesTerminal); i >= 0 {
		t.Errorf("left: %q", out.String()[i:][:10])
	}
}
