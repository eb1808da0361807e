package text

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Count returns the length of a text in characters as a reader sees them (grapheme clusters). Each
// link counts URLCount, and "@name@domain" counts as "@name"
// (https://docs.joinmastodon.org/user/posting/). Characters that Parse drops do not count, and a
// CRLF counts 1.
func Count(s string) int { return Parse(s).Count() }

// Count is like the function Count, for a parsed text.
func (d Doc) Count() int { return graphemes(d.countable()) }

// countable returns the text with links and remote mentions replaced by text that counts correctly.
func (d Doc) countable() string {
	var b strings.Builder
	pos := 0
	for _, t := range d.tokens {
		if t.kind == tag || t.kind == mention && t.start+t.mark == t.end {
			continue
		}
		b.WriteString(d.text[pos:t.start])
		if t.kind == link {
			for range URLCount {
				b.WriteByte('x')
			}
		} else {
			b.WriteString(d.text[t.start : t.start+t.mark])
		}
		pos = t.end
	}
	if pos == 0 {
		return d.text
	}
	b.WriteString(d.text[pos:])
	return b.String()
}

// graphemes returns the number of grapheme clusters. Between two ASCII characters there is always a
// boundary (clean text has no CR), so only the surroundings of other characters need the full
// rules.
func graphemes(s string) int {
	n, i := 0, 0
	for i < len(s) {
		end := i + 1
		for end < len(s) && (s[end-1] >= utf8.RuneSelf || s[end] >= utf8.RuneSelf) {
			end++
		}
		if end == i+1 {
			n++
		} else {
			n += uniseg.GraphemeClusterCount(s[i:end])
		}
		i = end
	}
	return n
}

// Characters returns the length of a text in characters as a reader sees them. Links and mentions
// are no exceptions.
func Characters(s string) int { return graphemes(Parse(s).Text()) }
