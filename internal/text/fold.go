package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// FoldTag returns the key by which tags are compared: "#Café", "#CAFE" and "#ｃａｆｅ" are one tag. As
// in Mastodon it is the compatibility form (NFKC) in lower case, with the Latin letters of Western
// and Central European languages without accents, and only word characters and separators. In
// addition, both Greek sigmas are equal and variation selectors are dropped.
//
// The key has at most MaxTagKey bytes. Longer ones are cut. It can be empty for texts that are not
// tags. FoldTag(FoldTag(s)) is FoldTag(s).
func FoldTag(tag string) string {
	if key, ok := foldASCII(tag); ok && ValidTag(key) {
		return cut(key, MaxTagKey)
	}
	keep := func(r rune) bool { return isWord(r) || isSeparator(r) }
	return cut(fold(clean(tag), keep), MaxTagKey)
}

func foldASCII(s string) (string, bool) {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return "", false
		}
	}
	return strings.ToLower(s), true
}

// fold returns the compatibility form of s in lower case. It drops accents on Latin letters,
// ignorable characters, and characters that keep rejects. It also drops marks after a letter that
// lost its accent or a rejected character, because a second folding would combine them with an
// earlier character.
func fold(s string, keep func(rune) bool) string {
	s = strings.Map(func(r rune) rune {
		if isIgnorable(r) {
			return -1
		}
		return r
	}, s)
	var b strings.Builder
	b.Grow(len(s))
	bare := false
	for _, r := range norm.NFKC.String(s) {
		if bare && unicode.Is(unicode.M, r) {
			continue
		}
		if !keep(r) {
			bare = true
			continue
		}
		lower := unaccented(lowerCase(r))
		bare = lower < utf8.RuneSelf && r >= utf8.RuneSelf
		b.WriteRune(lower)
	}
	return norm.NFKC.String(b.String())
}

func lowerCase(r rune) rune {
	if r == 'ς' {
		return 'σ'
	}
	return unicode.ToLower(r)
}

// unaccented returns the plain letter of an accented one in Latin-1 and Latin Extended-A (lower
// case), as in Mastodon, and other characters unchanged. So Vietnamese tone marks stay, which
// distinguish words.
func unaccented(r rune) rune {
	const first = 0xe0
	const plain = "aaaaaa-ceeeeiiiidnooooo-ouuuuy-y" + // U+00E0
		"-a-a-a-c-c-c-c-d-d-e-e-e-e-e-g-g" + // U+0100
		"-g-g-h-h-i-i-i-i-i---j-kk-l-l-l-" + // U+0120
		"--l-n-n-n--n-o-o-o---r-r-r-s-s-s" + // U+0140
		"-s-t-t-t-u-u-u-u-u-u-w-y--z-z-z-" // U+0160
	if r < first || int(r-first) >= len(plain) || plain[r-first] == '-' {
		return r
	}
	return rune(plain[r-first])
}

// cut shortens s to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
