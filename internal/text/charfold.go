package search

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class says what a character is in a text.
type class uint8

const (
	gap    class = iota // between words
	spaced              // of a word that stands between spaces
	dense               // of a script without spaces between words, or with many endings: Han, Kana, Hangul, Thai, Lao, Khmer, Burmese
	mark                // belongs to what it follows
	silent              // nothing: accents, vowel points, what is not seen
)

// folding is what becomes of a character.
type folding struct {
	class class
	to    string // "": the character itself
}

// asciiFolds and basicFolds are what becomes of ASCII and of the basic plane. The latter is
// worked out when the first text needs it: 3 MB, and some milliseconds.
var (
	asciiFolds = sync.OnceValue(func() *[utf8.RuneSelf]folding { return foldsOf(new([utf8.RuneSelf]folding)) })
	basicFolds = sync.OnceValue(func() *[1 << 16]folding {
		all := new([1 << 16]folding)
		for r := range all {
			all[r] = foldingOf(rune(r))
		}
		return all
	})
)

func foldsOf(all *[utf8.RuneSelf]folding) *[utf8.RuneSelf]folding {
	for r := range all {
		all[r] = foldingOf(rune(r))
	}
	return all
}

// bare are the scripts that are searched without their accents and points.
func bare() []*unicode.RangeTable {
	return []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic}
}

func isDense(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// foldingOf works out what becomes of a character of a text in the form NFKC.
func foldingOf(r rune) folding {
	switch {
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector) || r == 'ـ':
		return folding{class: silent}
	case unicode.Is(unicode.M, r):
		if unicode.In(r, unicode.Inherited, unicode.Hebrew, unicode.Arabic, unicode.Greek, unicode.Cyrillic) {
			return folding{class: silent}
		}
		return folding{class: mark}
	case unicode.Is(unicode.Nd, r):
		if isDense(r) || r >= utf8.RuneSelf {
			return folding{spaced, string('0' + digit(r))}
		}
		return folding{class: spaced}
	case !unicode.In(r, unicode.L, unicode.N) && r != '々':
		return folding{class: gap}
	case isDense(r):
		return folding{class: dense}
	}
	if to := plain(r); to != string(r) {
		return folding{spaced, to}
	}
	return folding{class: spaced}
}

// digit is the value of a decimal digit of any script: those of one stand in a row of ten.
func digit(r rune) rune {
	n := rune(0)
	for n < 9 && unicode.Is(unicode.Nd, r-n-1) && (r-n-1)/16 == r/16 {
		n++
	}
	return n
}

// plain is a letter in lower case and without accents, if its script is searched so.
func plain(r rune) string {
	if letter, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r))); unicode.In(letter, bare()...) {
		r = letter
	}
	r = unicode.ToLower(r)
	if unicode.ToLower(unicode.ToUpper(r)) == 'σ' {
		return "σ"
	}
	if to, ok := spelled()[r]; ok {
		return to
	}
	return string(r)
}

// spelled are letters that are no letter and accent for Unicode, and are written so where
// they are not to be had.
var spelled = sync.OnceValue(func() map[rune]string {
	return map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'ħ': "h", 'ŧ': "t", 'ı': "i",
		'ĸ': "k", 'ŋ': "n", 'ى': "ي", 'ة': "ه", 'ک': "ك", 'ی': "ي", 'ς': "σ"}
})
