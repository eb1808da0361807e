package text

import (
	"strings"
	"unicode/utf8"
)

// clean makes typed text storable: valid UTF-8, newlines as "\n", no control
// characters but newline and tab. Most texts are clean and are returned as
// they are.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s { // yields U+FFFD for each invalid byte
		switch {
		case r == '\r':
			if i+1 == len(s) || s[i+1] != '\n' {
				b.WriteByte('\n')
			}
		case !isControl(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isClean(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if isControl(rune(c)) {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || isControl(r) {
			return false
		}
		i += size
	}
	return true
}

// isControl reports whether a character is a control character of ASCII or Latin-1 that is removed.
func isControl(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || 0x7f <= r && r <= 0x9f
}
