package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// trailing is the punctuation that ends the sentence and not the address.
const trailing = "?!*\"'.,;:~$%&|@‘’…"

// tailEnd reads path, query and fragment from byte i on. It leaves out
// punctuation at the end and brackets without partner, so that
// "(see https://example.com/a_(b).)" gives "https://example.com/a_(b)". read is
// how far it had to look, which is less than MaxURL bytes unless there is no
// link: what is cut off is looked at again, so this keeps the work linear.
func tailEnd(s string, i int) (end, read int) {
	var open []int // bytes of the brackets that wait for their partner
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
	return i + len(strings.TrimRight(s[i:end], trailing)), read
}

func partners(open, closing byte) bool {
	return open == '(' && closing == ')' || open == '[' && closing == ']' || open == '{' && closing == '}'
}

// endsTail reports whether r at byte i of s cannot be part of an address:
// spaces, quotation marks, markup, characters without appearance (which could
// disguise it), the punctuation of Chinese and Japanese (which follows without
// a space), and a '%' that encodes nothing.
func endsTail(s string, i int, r rune) bool {
	if r < utf8.RuneSelf {
		switch r {
		case '<', '>', '"', '`', '\\', '^':
			return true
		case '%':
			return i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2])
		}
		return r <= ' '
	}
	switch {
	case r == '\u200c' || r == '\u200d': // inside words of Persian and Indic scripts
		return false
	case strings.ContainsRune("“”„«»‹›", r):
		return true
	case 0x3000 <= r && r <= 0x303f:
		return !isLetter(r)
	case 0xff00 <= r && r <= 0xff65:
		return !isWord(r)
	}
	return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || r == '\u2028' || r == '\u2029'
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
