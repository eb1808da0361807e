package text

import (
	"unicode"
	"unicode/utf8"
)

// ValidTag reports whether s, without '#', is a tag: 1 to MaxTag word
// characters of any script, with separators only inside, and not of digits and
// marks alone unless separators join them ("2024" is none, "20_24" is).
func ValidTag(s string) bool {
	return s != "" && utf8.ValidString(s) && tagEnd(s, 0) == len(s)
}

// ValidLogin reports whether s can be a login: 1 to MaxLogin of a-z, A-Z, 0-9 and '_'. Logins are
// case-insensitive.
func ValidLogin(s string) bool {
	if s == "" || len(s) > MaxLogin {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !isASCIIWord(s[i]) {
			return false
		}
	}
	return true
}

// tagEnd returns where the tag that begins at byte i of s ends, or 0 if none
// does. The tag ends with its last word character; separators behind are not
// part of it. A mark cannot come first: it would belong to the '#', as in the
// keycap emoji.
func tagEnd(s string, i int) int {
	if first, _ := runeAt(s, i); !isWord(first) || unicode.Is(unicode.M, first) {
		return 0
	}
	var (
		end     int  // behind the last word character
		letters bool // a letter was found
		joined  bool // a separator was found between two characters
		waiting bool // a separator was found; the character behind it not yet
	)
	for j, n := i, 0; ; n++ {
		r, size := runeAt(s, j)
		word := isWord(r)
		if size == 0 || !word && !isSeparator(r) && r != '\u200d' { // joins letters of Indic scripts
			break
		}
		j += size
		if n == MaxTag {
			if word {
				return 0
			}
			break
		}
		if word {
			end = j
			joined = joined || waiting
			letters = letters || isLetter(r)
		}
		waiting = waiting || n > 0 && isSeparator(r)
	}
	if !letters && !joined {
		return 0
	}
	return end
}
