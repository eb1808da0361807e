package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ValidTag reports whether s, without '#', is a tag. It has 1 to MaxTag word characters of any
// script, with separators only inside. It isn't only digits and marks, unless separators join them
// ("2024" is no tag, "20_24" is one).
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

// ValidFeedLogin reports whether s can be the login of an external feed: a host name with a dot, and
// perhaps an underscore and a name within the host. No user can have such a login.
func ValidFeedLogin(s string) bool {
	if len(s) > MaxFeedLogin || !strings.Contains(s, ".") {
		return false
	}
	for i := range len(s) {
		if !isASCIIWord(s[i]) && (i == 0 || i == len(s)-1 || s[i] != '.' && s[i] != '-') {
			return false
		}
	}
	return true
}

// tagEnd returns the end of the tag that begins at byte i of s, or 0 if there is none. The tag ends
// with its last word character, without separators after it. It can't begin with a mark, which
// would belong to the '#', as in the keycap emoji.
func tagEnd(s string, i int) int {
	if first, _ := runeAt(s, i); !isWord(first) || unicode.Is(unicode.M, first) {
		return 0
	}
	var (
		end     int  // after the last word character
		letters bool // a letter was found
		joined  bool // a separator between two characters was found
		waiting bool // a separator was found, but no character after it yet
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
