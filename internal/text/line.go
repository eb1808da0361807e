package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line makes of what was typed for a name, a title or a label the line that is
// stored: clean, without the characters that turn the direction of the text behind
// them (embeddings, overrides and isolates of Unicode; the marks LRM, RLM and ALM
// stay, which names in Hebrew and Arabic need), each run of blanks one space, and
// empty where nothing of it would be seen.
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

// Blank holds for text of which nothing is seen: blanks, characters without a
// shape of their own, and marks on nothing.
func Blank(s string) bool { return !strings.ContainsFunc(s, isSeen) }

func isSeen(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r > ' ' && r != 0x7f
	case r == '\u2800' || r == '\u3164' || r == '\uffa0' || r == '\u115f' || r == '\u1160':
		return false // the empty pattern of Braille, and the fillers of Hangul, which count as letters
	}
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.In(r, unicode.M, unicode.Zs, unicode.Other_Default_Ignorable_Code_Point)
}

// MaxMarks is how many marks one character of a text may carry above, below and
// around it. No script stacks as many; thousands of them paint over the lines of
// other people. Marks that stand beside their letter, as the vowels of Hindi, take
// room like letters, and people repeat them: of those spacingMarks are as much as
// one that is stacked.
const (
	MaxMarks     = 8
	spacingMarks = 4
)

// Overmarked holds for text with a character that carries more than MaxMarks.
// Characters of no width between the marks make no new one.
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
