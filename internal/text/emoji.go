package text

import (
	"strings"
	"unicode"
)

// Custom emoji are typed as their shortcode between colons. As in Mastodon there are at
// least two letters, digits and underscores of ASCII, and neither a letter, a digit nor
// another colon stands right before or behind; case counts.
// https://github.com/mastodon/mastodon/blob/main/app/models/custom_emoji.rb

// Limits of the shortcode of a custom emoji, in characters.
const (
	MinShortcode = 2
	MaxShortcode = 64
)

// ValidShortcode reports whether s may be the shortcode of a custom emoji.
func ValidShortcode(s string) bool {
	if len(s) < MinShortcode || len(s) > MaxShortcode {
		return false
	}
	for i := 0; i < len(s); i++ {
		if !isASCIIWord(s[i]) {
			return false
		}
	}
	return true
}

// Shortcodes are those that stand in texts, each once, in order of first appearance.
// Whether there are such emoji is not known here. Nearly all texts have none, and cost a
// search for a colon.
func Shortcodes(texts ...string) (out []string) {
	var seen map[string]bool
	for _, s := range texts {
		for from := 0; ; {
			start, end := nextCode(s, from, len(s))
			if end == 0 {
				break
			}
			code := s[start+1 : end-1]
			if from = end; seen[code] {
				continue
			}
			if seen == nil {
				seen = map[string]bool{}
			}
			seen[code] = true
			out = append(out, code)
		}
	}
	return out
}

// nextCode finds the first shortcode within the bytes from..to of a text: where its colons
// begin and end, or two zeros.
func nextCode(s string, from, to int) (start, end int) {
	for {
		i := strings.IndexByte(s[from:to], ':')
		if i < 0 {
			return 0, 0
		}
		start = from + i
		end = start + 1
		for end < to && isASCIIWord(s[end]) {
			end++
		}
		if end < to && s[end] == ':' && ValidShortcode(s[start+1:end]) && !joins(lastRune(s, start)) {
			if r, size := runeAt(s, end+1); size == 0 || !joins(r) {
				return start, end + 1
			}
		}
		from = end // the colon that ended it may begin another
	}
}

// joins reports whether a colon right beside a character is none of a shortcode.
func joins(r rune) bool { return r == ':' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// Pictures gives the HTML that stands in the place of a shortcode, which it must have
// made safe; "" leaves it text.
type Pictures func(code string) string

// WithPictures is a line of plain text as HTML with pictures where it has emoji.
func WithPictures(s string, p Pictures) string {
	w := &writer{r: Resolver{Emoji: p}}
	w.Grow(len(s) + 64)
	w.from(s, 0, len(s))
	return w.String()
}

// from writes the bytes from..to of a text, in which pictures stand for emoji if there are
// any.
func (w *writer) from(s string, from, to int) {
	if w.r.Emoji == nil {
		w.text(s[from:to])
		return
	}
	for from < to {
		start, end := nextCode(s, from, to)
		if end == 0 {
			break
		}
		w.text(s[from:start])
		if picture := w.r.Emoji(s[start+1 : end-1]); picture != "" {
			w.WriteString(picture)
		} else {
			w.text(s[start:end])
		}
		from = end
	}
	w.text(s[from:to])
}
