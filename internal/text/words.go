package text

import (
	"slices"
	"strings"
	"unicode"
)

// Limits of Words.
const (
	MaxWords   = 100 // words of one text
	MaxWordLen = 64  // bytes of one word; longer ones are cut
)

// Words returns the words by which a text is found, folded as tags are, each
// once, in order, at most MaxWords. A text matches a query if it has all words
// of the query. Of a link only the host counts; underscores and apostrophes
// separate words. Scripts that set no spaces between words (Chinese, Japanese,
// Thai, Lao, Khmer, Burmese) give each pair of neighbouring characters, and a
// single character only where it stands alone.
func Words(s string) []string {
	d := Parse(s)
	w := words{seen: map[string]bool{}}
	pos := 0
	for _, t := range d.tokens {
		if t.kind == link {
			w.addText(d.text[pos:t.start])
			w.addText(hostOf(d.text[t.start:t.end]))
			pos = t.end
		}
	}
	w.addText(d.text[pos:])
	return w.list
}

// HasWords reports whether a text has all of some words that Words returns. It costs far
// less than Words where one of them stands nowhere in the text, be it as a part of a word.
func HasWords(s string, words []string) bool {
	s = clean(s)
	folded, whole := foldPlain(s) // character by character, so what is behind a link too
	if !whole && !strings.Contains(s, "://") {
		folded, whole = foldWords(s), true
	}
	if whole && slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(folded, w) }) {
		return false
	}
	have := Words(s)
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) })
}

// hostOf returns the host of a link without a leading "www.".
func hostOf(url string) string {
	_, host, _ := strings.Cut(url, "://")
	host = host[:hostEnd(host, 0)]
	return strings.TrimPrefix(host, "www.")
}

type words struct {
	list []string
	seen map[string]bool
}

// script says how words of a script are found.
type script uint8

const (
	none   script = iota // between words
	spaced               // words stand between spaces
	dense                // words follow each other without spaces
)

// addText adds the words of a piece of text.
func (w *words) addText(s string) {
	s = foldWords(s)
	run, kind := 0, none // where the present run of one script begins
	for i, r := range s {
		if len(w.list) == MaxWords {
			return
		}
		next := scriptOf(r, kind)
		if next == kind {
			continue
		}
		w.addRun(s[run:i], kind)
		run, kind = i, next
	}
	w.addRun(s[run:], kind)
}

// addRun adds the words of a run of one script.
func (w *words) addRun(s string, kind script) {
	switch kind {
	case spaced:
		w.add(s)
	case dense:
		w.addPairs(s)
	}
}

// addPairs adds each two neighbouring characters with the marks that belong to
// them.
func (w *words) addPairs(s string) {
	before, last := -1, -1 // where the last two characters begin
	for i, r := range s {
		if i > 0 && unicode.Is(unicode.M, r) {
			continue
		}
		if before >= 0 {
			w.add(s[before:i])
		}
		before, last = last, i
	}
	w.add(s[max(before, 0):])
}

func (w *words) add(word string) {
	word = cut(word, MaxWordLen)
	if len(w.list) < MaxWords && word != "" && !w.seen[word] {
		w.seen[word] = true
		w.list = append(w.list, word)
	}
}

// scriptOf classes a character that follows one of the class before. Marks and
// the Japanese sign for long vowels belong to what they follow.
func scriptOf(r rune, before script) script {
	switch {
	case r < 0x80:
		if r != '_' && isASCIIWord(byte(r)) {
			return spaced
		}
		return none
	case before != none && (r == 'ー' || unicode.Is(unicode.M, r)):
		return before
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar) && isLetter(r):
		return dense
	case isLetter(r) || unicode.In(r, unicode.Nd, unicode.M):
		return spaced
	}
	return none
}
