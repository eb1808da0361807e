package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line normalizes the text of a name, title or label for storage: clean, without characters that
// change the direction of the following text (embeddings, overrides and isolates of Unicode; the
// marks LRM, RLM and ALM stay, since names in Hebrew and Arabic need them), with each run of blanks
// as one space, and "" if no character is visible.
func Line(s string) string {
	s = clean(s)
	if strings.ContainsFunc(s, turnsDirection) {
		s = strings.Map(func(r rune) rune {
			if turnsDirection(r) {
				return -1
			}
			return r
		}, s)
	}
	if Blank(s) {
		return ""
	}
	return strings.Join(strings.Fields(s), " ")
}

func turnsDirection(r rune) bool {
	return 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
}

// Blank reports whether no character of a text is visible: blanks, characters without a shape, and
// marks without a base.
func Blank(s string) bool { return !strings.ContainsFunc(s, isSeen) }

func isSeen(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r > ' ' && r != 0x7f
	case r == '\u2800' || r == '\u3164' || r == '\uffa0' || r == '\u115f' || r == '\u1160':
		return false // the empty Braille pattern, and the Hangul fillers, which count as letters
	}
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.M, unicode.Zs, unicode.Other_Default_Ignorable_Code_Point)
}

// MaxMarks is the maximum number of marks above, below and around one character. No script stacks
// as many, and thousands of them would cover other lines. Marks next to their letter, such as the
// vowels of Hindi, take space like letters, and users repeat them. spacingMarks of those count as
// one.
const (
	MaxMarks     = 8
	spacingMarks = 4
)

// Overmarked reports whether a character of s has more than MaxMarks. Invisible characters between
// the marks don't begin a new one.
func Overmarked(s string) bool {
	weight := 0
	for _, r := range s {
		switch {
		case r < utf8.RuneSelf:
			weight = 0
		case unicode.In(r, unicode.Mn, unicode.Me):
			weight += spacingMarks
		case unicode.Is(unicode.Mc, r):
			weight++
		case !unicode.Is(unicode.Cf, r):
			weight = 0
		}
		if weight > MaxMarks*spacingMarks {
			return true
		}
	}
	return false
}
