package text

import (
	"unicode"
	"unicode/utf8"
)

// isASCIIWord reports whether c can be in a login.
func isASCIIWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// isLetter reports whether Unicode calls r alphabetic: letters, letter numbers, and vowel signs of
// scripts such as Indic ones. Some words of these scripts have no other letters.
func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
	}
	return unicode.IsLetter(r) ||
		unicode.In(r, unicode.Nl, unicode.Other_Alphabetic, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isWord reports whether r can be in a word: letters, marks, decimal digits, and connectors such as
// the underscore.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isASCIIWord(byte(r))
	}
	return isLetter(r) || unicode.In(r, unicode.M, unicode.Nd, unicode.Pc)
}

// isSeparator reports whether a character can be between the words of a tag: the middle dots of
// Catalan and Japanese, the zero-width non-joiner of Persian, and the underscore.
func isSeparator(r rune) bool {
	return r == '_' || r == '\u00b7' || r == '\u30fb' || r == '\u200c'
}

// isIgnorable reports whether r changes only the look of a word: soft hyphen, zero-width joiner,
// variation selectors.
func isIgnorable(r rune) bool {
	return r == '\u00ad' || r == '\u200d' || 0xfe00 <= r && r <= 0xfe0f || 0xe0100 <= r && r <= 0xe01ef
}

// lastRune returns the character before byte i, or 0 at the beginning.
func lastRune(s string, i int) rune {
	if i == 0 {
		return 0
	}
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return r
}

// runeAt returns the character at byte i and its length, or 0, 0 at the end.
func runeAt(s string, i int) (rune, int) {
	if i >= len(s) {
		return 0, 0
	}
	if s[i] < utf8.RuneSelf {
		return rune(s[i]), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}
