package web

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"linnet/internal/text"
)

// A text of more characters or lines than these is cut where one of many posts shows it. One
// that is little longer is not: it would gain nothing.
const (
	foldChars, foldLines   = 600, 12
	spareChars, spareLines = 200, 4
	lineChars              = 70 // of a line of Latin letters in a column
)

// fold cuts the HTML of a long text in two, both whole by themselves: at the end of a
// paragraph, if there is one where it should be cut; else at the end of a line, of a word.
// rest is "" of a text that is shown whole. The HTML is that of the package text: paragraphs
// that hold lines, which hold links and spans.
func fold(html string) (head, rest string) {
	if len(html) <= foldChars+spareChars && strings.Count(html, "<p>")+strings.Count(html, "<br") <= foldLines+spareLines {
		return html, ""
	}
	var cut [3]int // behind the last paragraph, line and word that the head may have
	chars, lines, depth := 0, 0, 0
	line := 0 // characters since the line began
	end := func() { lines += 1 + max(0, line-1)/lineChars; line = 0 }
	fits := func() bool { return chars <= foldChars && lines+line/lineChars < foldLines }
	enough := func() bool { return chars >= foldChars/3 || lines >= foldLines/3 }
	for i := 0; i < len(html); {
		if html[i] != '<' {
			r, n := utf8.DecodeRuneInString(html[i:])
			width := uniseg.StringWidth(html[i : i+n])
			if semi := strings.IndexByte(html[i:], ';'); r == '&' && semi > 0 { // one character, whatever it is called
				n = semi + 1
			}
			i += n
			chars++
			line += width
			if r == ' ' && depth == 1 && fits() && enough() {
				cut[2] = i
			}
			continue
		}
		n := strings.IndexByte(html[i:], '>')
		if n < 0 {
			return html, ""
		}
		tag := html[i : i+n+1]
		i += n + 1
		switch {
		case strings.HasPrefix(tag, "<br"):
			end()
			if fits() && enough() && depth == 1 {
				cut[1] = i
			}
		case strings.HasPrefix(tag, "<img"):
			chars++
		case tag == "</p>":
			depth--
			end()
			if fits() && enough() {
				cut[0] = i
			}
			lines++
		case strings.HasPrefix(tag, "</"):
			depth--
		default:
			depth++
		}
	}
	if chars <= foldChars+spareChars && lines <= foldLines+spareLines {
		return html, ""
	}
	for i, at := range cut {
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

// largeMost is how many emoji stand large by themselves.
const largeMost = 6

// emojiOnly reports whether a text is a few emoji and nothing else.
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
