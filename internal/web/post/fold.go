package post

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"linnet/internal/text"
)

// A post in a list is cut if its text exceeds these numbers of characters or lines by some margin.
const (
	foldChars, foldLines   = 600, 12
	spareChars, spareLines = 200, 4
	lineChars              = 70 // of a line of Latin letters in a column
)

// fold splits the HTML of a long text into two valid parts: at the end of a paragraph if possible,
// or else of a line or a word. rest is "" if the text isn't cut. The HTML must come from package
// text: paragraphs of lines with links and spans.
func fold(html string) (head, rest string) {
	if len(html) <= foldChars+spareChars && strings.Count(html, "<p>")+strings.Count(html, "<br") <= foldLines+spareLines {
		return html, ""
	}
	var m measure
	for i := 0; i < len(html); {
		if html[i] != '<' {
			i += m.letter(html, i)
			continue
		}
		n := strings.IndexByte(html[i:], '>')
		if n < 0 {
			return html, ""
		}
		i += n + 1
		m.tag(html[i-n-1:i], i)
	}
	if m.chars <= foldChars+spareChars && m.lines <= foldLines+spareLines {
		return html, ""
	}
	for i, at := range m.cut {
		switch {
		case at == 0 || at == len(html):
		case i == 0:
			return html[:at], html[at:]
		default:
			return html[:at] + "</p>", "<p>" + html[at:]
		}
	}
	return html, ""
}

// measure counts the characters and lines read so far.
type measure struct {
	chars, lines int
	line         int    // cells since the line began
	depth        int    // of elements
	cut          [3]int // end of the last paragraph, line and word that can be the end of the head
}

// may reports whether the head can end here.
func (m *measure) may() bool {
	return m.chars <= foldChars && m.lines+m.line/lineChars < foldLines && (m.chars >= foldChars/3 || m.lines >= foldLines/3)
}

// letter counts the character at i and returns its length in bytes.
func (m *measure) letter(html string, i int) int {
	r, n := utf8.DecodeRuneInString(html[i:])
	width := uniseg.StringWidth(html[i : i+n])
	if semi := strings.IndexByte(html[i:], ';'); r == '&' && semi > 0 { // a character reference is one character
		n = semi + 1
	}
	m.chars++
	m.line += width
	if r == ' ' && m.depth == 1 && m.may() {
		m.cut[2] = i + n
	}
	return n
}

// tag counts a tag that ends at end.
func (m *measure) tag(tag string, end int) {
	switch {
	case strings.HasPrefix(tag, "<br"):
		m.endLine()
		if m.depth == 1 && m.may() {
			m.cut[1] = end
		}
	case strings.HasPrefix(tag, "<img"):
		m.chars++
	case tag == "</p>":
		m.depth--
		m.endLine()
		if m.may() {
			m.cut[0] = end
		}
		m.lines++ // an empty line
	case strings.HasPrefix(tag, "</"):
		m.depth--
	default:
		m.depth++
	}
}

// endLine counts the lines of the text since the last break.
func (m *measure) endLine() {
	m.lines += 1 + max(0, m.line-1)/lineChars
	m.line = 0
}

// largeMost is the maximum number of emoji that are shown large.
const largeMost = 6

// emojiOnly reports whether a text consists of a few emoji only.
func emojiOnly(typed string) bool {
	n, state := 0, -1
	for rest := strings.TrimSpace(typed); rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if cluster == " " {
			continue
		}
		if n++; n > largeMost || !text.ValidEmoji(cluster) {
			return false
		}
	}
	return n > 0
}
