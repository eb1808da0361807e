package cli

import (
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"
)

// plainWriter escapes characters that can change the state of a terminal: control characters other
// than tab and line feed, directional marks, and line separators. It uses JSON's escapes, so that
// JSON stays valid. A write can end within a character.
type plainWriter struct {
	to   io.Writer
	rest []byte // first bytes of an incomplete character
}

func (w *plainWriter) Write(b []byte) (int, error) {
	text := append(w.rest, b...)
	out := make([]byte, 0, len(text))
	for len(text) > 0 && utf8.FullRune(text) {
		r, n := utf8.DecodeRune(text)
		if changesTerminal(r) || r == utf8.RuneError && n == 1 {
			out = fmt.Appendf(out, "\\u%04x", r)
		} else {
			out = append(out, text[:n]...)
		}
		text = text[n:]
	}
	w.rest = append([]byte(nil), text...)
	if _, err := w.to.Write(out); err != nil {
		return 0, err
	}
	return len(b), nil
}

// changesTerminal reports whether a character can affect other text.
func changesTerminal(r rune) bool {
	switch r {
	case '\n', '\t':
		return false
	case '\u2028', '\u2029':
		return true
	}
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)
}
