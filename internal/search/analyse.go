package search

import (
	"strings"
	"unicode/utf8"

	"linnet/internal/text"
)

// Limits of Analyse.
const (
	MaxTerm   = 64   // bytes of a term; longer ones are cut
	MaxTokens = 4000 // per text; the rest isn't searchable
)

// Token is a term with its position in a text, counted in words, or in characters for scripts
// without spaces. Several tokens can have the same position.
type Token struct {
	Term string
	At   int
}

// Analyse returns the terms by which a text is found, in order. Letters are folded: case,
// width, accents, the points of Hebrew and Arabic. A word is a run of letters and digits,
// so that what an apostrophe, a hyphen or a full stop parts is two, next to each other. Of
// Chinese, Japanese, Korean, Thai, Lao, Khmer and Burmese each two characters that follow
// each other are a term, and the last of a run is one alone. "#tag" and "@name" are terms
// besides their words.
func Analyse(s string) []Token {
	a := analysis{buf: make([]byte, 0, len(s)+len(s)/4), spans: make([]span, 0, len(s)/5+2)}
	a.run(text.Compatible(s))
	all := string(a.buf)
	out := make([]Token, len(a.spans))
	for i, sp := range a.spans {
		out[i] = Token{cut(all[sp.from:sp.to]), int(sp.at)}
	}
	return out
}

// cut shortens a term to MaxTerm bytes without splitting a character.
func cut(s string) string {
	if len(s) <= MaxTerm {
		return s
	}
	n := MaxTerm
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// span is a token while its text is being folded into a buffer.
type span struct{ from, to, at int32 }

// analysis is one in progress.
type analysis struct {
	buf   []byte
	spans []span
	kind  text.CharClass // of the run that is being read; CharGap: none
	start int            // of the run in buf
	chars []int32        // of a dense run: where its characters begin in buf
	at    int            // position of the next token
}

func (a *analysis) run(s string) {
	for i, r := range s {
		f := text.FoldChar(r)
		if f.Class == text.CharMark && a.kind == text.CharGap {
			f.Class = text.CharSpaced
		}
		switch {
		case f.Class == text.CharGap:
			a.end()
			if (r == '#' || r == '@') && len(a.spans) < MaxTokens {
				a.name(byte(r), s[i+1:])
			}
		case f.Class == text.CharSilent:
		case f.Class == text.CharMark:
			a.add(r, f)
		default:
			if f.Class != a.kind {
				a.end()
				a.kind, a.start = f.Class, len(a.buf)
			}
			if f.Class == text.CharDense {
				a.chars = append(a.chars, int32(len(a.buf)))
			}
			a.add(r, f)
		}
		if len(a.spans) >= MaxTokens {
			return
		}
	}
	a.end()
}

func (a *analysis) add(r rune, f text.Folding) {
	switch {
	case f.To != "":
		a.buf = append(a.buf, f.To...)
	case r < utf8.RuneSelf:
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		a.buf = append(a.buf, byte(r))
	default:
		a.buf = utf8.AppendRune(a.buf, r)
	}
}

// end ends a run.
func (a *analysis) end() {
	switch a.kind {
	case text.CharSpaced:
		a.token(a.start, len(a.buf))
		a.at++
	case text.CharDense:
		a.chars = append(a.chars, int32(len(a.buf)))
		for i := range len(a.chars) - 1 {
			a.token(int(a.chars[i]), int(a.chars[min(i+2, len(a.chars)-1)]))
			a.at++
		}
		a.chars = a.chars[:0]
	}
	a.kind = text.CharGap
}

func (a *analysis) token(from, to int) {
	a.spans = append(a.spans, span{int32(from), int32(to), int32(a.at)})
}

// name adds the word after # or @ as one term, at the position of its first word.
func (a *analysis) name(sign byte, s string) {
	start := len(a.buf)
	a.buf = append(a.buf, sign)
	for _, r := range s[:min(len(s), 4*MaxTerm)] {
		f := text.FoldChar(r)
		if f.Class == text.CharSilent {
			continue
		}
		if f.Class == text.CharGap && r != '_' || len(a.buf)-start > MaxTerm {
			break
		}
		if r == '_' {
			f = text.Folding{Class: text.CharSpaced, To: "_"}
		}
		a.add(r, f)
	}
	if len(a.buf) == start+1 {
		a.buf = a.buf[:start]
		return
	}
	a.token(start, len(a.buf))
}

// isName reports whether a term is a tag or a mention, which has the position of a word.
func isName(term string) bool { return strings.HasPrefix(term, "#") || strings.HasPrefix(term, "@") }
