package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// trailing is ASCII punctuation that ends a sentence and not an address.
const trailing = "?!*\"'.,;:~$%&|@"

// tailEnd reads path, query and fragment from byte i on. It excludes trailing punctuation and
// unmatched brackets, so that "(see https://example.com/a_(b).)" gives "https://example.com/a_(b)".
// read is how far it read, which is less than MaxURL bytes unless there is no link. The excluded
// part is read again, so this keeps the time linear.
func tailEnd(s string, i int) (end, read int) {
	var open []int // positions of unmatched opening brackets
	for end = i; end < len(s); {
		r, size := runeAt(s, end)
		if endsTail(s, end, r) {
			break
		}
		if end-i <= MaxURL && strings.IndexByte("([{", s[end]) >= 0 {
			open = append(open, end)
		} else if end-i <= MaxURL && strings.IndexByte(")]}", s[end]) >= 0 {
			if len(open) == 0 || !partners(s[open[len(open)-1]], s[end]) {
				break
			}
			open = open[:len(open)-1]
		}
		end += size
	}
	read = end
	if len(open) > 0 {
		end = open[0]
	}
	return i + len(strings.TrimRightFunc(s[i:end], trails)), read
}

func partners(open, closing byte) bool {
	return open == '(' && closing == ')' || open == '[' && closing == ']' || open == '{' && closing == '}'
}

// endsTail reports whether r at byte i of s can't be part of an address. Beyond ASCII an address
// can have letters, marks, numbers and some punctuation that joins words. Symbols such as arrows
// and emoji, brackets, quotation marks, spaces and invisible characters end it. So do ASCII markup
// and a '%' without an encoded byte.
func endsTail(s string, i int, r rune) bool {
	next, _ := runeAt(s, i+utf8.RuneLen(r))
	if next == '\ufe0f' || next == '\u20e3' { // r is shown as an emoji
		return true
	}
	if r < utf8.RuneSelf {
		switch r {
		case '<', '>', '"', '`', '\\', '^':
			return true
		case '%':
			return i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])
		}
		return r <= ' ' || r == 0x7f
	}
	switch {
	case r == '\u200c' || r == '\u200d': // inside words of Persian and Indic scripts
		return false
	case unicode.Is(unicode.S, r): // also circled letters
		return true
	case isWord(r) || unicode.Is(unicode.N, r):
		return false
	}
	return !joinsWords(r, next)
}

// joinsWords reports whether punctuation r before next is inside an address, as in the titles of
// an encyclopedia: the middle dots of Catalan and Japanese, apostrophes, dashes up to the en dash,
// and marks within the words of one script, such as Hebrew and Tibetan ones. Marks that end a
// phrase belong to an address only before an underscore, which is a space in a title.
func joinsWords(r, next rune) bool {
	switch {
	case !unicode.Is(unicode.P, r) || !isWord(next):
		return false
	case isSeparator(r) || r == '‘' || r == '’' || r == '‧':
		return true
	case unicode.Is(unicode.Pd, r):
		return r <= '–'
	case unicode.In(r, unicode.Terminal_Punctuation, unicode.Sentence_Terminal):
		return next == '_'
	}
	return unicode.Is(unicode.Po, r) && !unicode.Is(unicode.Common, r)
}

// trails reports whether r at the end of an address belongs to the sentence around it.
func trails(r rune) bool {
	return strings.ContainsRune(trailing, r) || r == '\u200c' || r == '\u200d' || r >= utf8.RuneSelf && unicode.Is(unicode.P, r) && !isWord(r)
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
