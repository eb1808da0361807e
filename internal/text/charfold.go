package text

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// CharClass is the role of a character in a text that is searched or filtered.
type CharClass uint8

// Classes of characters.
const (
	CharGap    CharClass = iota // between words
	CharSpaced                  // of a word in a script with spaces between words
	CharDense                   // of a script without spaces between words, or with many endings: Han, Kana, Hangul, Thai, Lao, Khmer, Burmese
	CharMark                    // belongs to the previous character
	CharSilent                  // ignored: accents, vowel points, invisible characters
)

// Folding is the replacement of a character for comparisons, so that texts that look the same are
// equal. Search and filters share it.
type Folding struct {
	Class CharClass
	To    string // "" for the character itself
}

// asciiFolds and basicFolds hold the foldings of ASCII and of the basic plane. The latter is
// computed when the first text needs it: 3 MB, and some milliseconds.
var (
	asciiFolds = sync.OnceValue(func() *[utf8.RuneSelf]Folding {
		all := new([utf8.RuneSelf]Folding)
		for r := range all {
			all[r] = foldingOf(rune(r))
		}
		return all
	})
	basicFolds = sync.OnceValue(func() *[1 << 16]Folding {
		all := new([1 << 16]Folding)
		for r := range all {
			all[r] = foldingOf(rune(r))
		}
		return all
	})
)

// FoldChar returns the folding of a character in the form NFKC, see Compatible.
func FoldChar(r rune) Folding {
	switch {
	case r < utf8.RuneSelf:
		return asciiFolds()[r]
	case r < 1<<16:
		return basicFolds()[r]
	}
	return foldingOf(r)
}

// Compatible returns s in the form NFKC.
func Compatible(s string) string {
	if isASCII(s) || norm.NFKC.IsNormalString(s) {
		return s
	}
	return norm.NFKC.String(s)
}

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// bare returns the scripts that are compared without accents and points.
func bare() []*unicode.RangeTable {
	return []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Hebrew, unicode.Arabic}
}

// IsDense reports whether r belongs to a script without spaces between words.
func IsDense(r rune) bool {
	return r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// foldingOf computes the folding of a character.
func foldingOf(r rune) Folding {
	switch {
	case unicode.In(r, unicode.Cf, unicode.Variation_Selector) || r == 'ـ':
		return Folding{Class: CharSilent}
	case unicode.Is(unicode.M, r):
		if unicode.In(r, unicode.Inherited, unicode.Hebrew, unicode.Arabic, unicode.Greek, unicode.Cyrillic) {
			return Folding{Class: CharSilent}
		}
		return Folding{Class: CharMark}
	case unicode.Is(unicode.Nd, r):
		if IsDense(r) || r >= utf8.RuneSelf {
			return Folding{CharSpaced, string('0' + digit(r))}
		}
		return Folding{Class: CharSpaced}
	case !unicode.In(r, unicode.L, unicode.N) && r != '々':
		return Folding{CharGap, punctuation(r)}
	case IsDense(r):
		return Folding{Class: CharDense}
	}
	if to := plain(r); to != string(r) {
		return Folding{CharSpaced, to}
	}
	return Folding{Class: CharSpaced}
}

// punctuation returns the ASCII character for r on a plain keyboard: for spaces, line breaks,
// apostrophes, quotation marks and dashes. It returns "" for others.
func punctuation(r rune) string {
	switch {
	case unicode.IsSpace(r):
		return " "
	case unicode.Is(unicode.Pd, r) || r == '−':
		return "-"
	}
	switch r {
	case '‘', '’', '‚', '‛', '′', '`', '´', '׳', '՚':
		return "'"
	case '“', '”', '„', '‟', '″', '״':
		return `"`
	}
	return ""
}

// digit returns the value of a decimal digit of any script. The digits of a script are ten
// consecutive characters.
func digit(r rune) rune {
	n := rune(0)
	for n < 9 && unicode.Is(unicode.Nd, r-n-1) && (r-n-1)/16 == r/16 {
		n++
	}
	return n
}

// plain returns a letter in lower case, and without accents if its script is compared like that.
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

// spelled has letters that Unicode doesn't decompose into a letter and an accent, with their
// replacement on keyboards without them.
var spelled = sync.OnceValue(func() map[rune]string {
	return map[rune]string{'ß': "ss", 'æ': "ae", 'œ': "oe", 'þ': "th", 'ø': "o", 'ł': "l", 'đ': "d", 'ð': "d", 'ħ': "h", 'ŧ': "t", 'ı': "i",
		'ĸ': "k", 'ŋ': "n", 'ى': "ي", 'ة': "ه", 'ک': "ك", 'ی': "ي", 'ς': "σ"}
})
