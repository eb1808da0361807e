package text

import (
	"strings"
	"unicode"
)

// A custom emoji is typed as its shortcode between colons. As in Mastodon a shortcode has at least
// two ASCII letters, digits and underscores, and no letter, digit or other colon is next to its
// colons. It is case-sensitive.
// https://github.com/mastodon/mastodon/blob/main/app/models/custom_emoji.rb

// Limits of the shortcode of a custom emoji, in characters.
const (
	MinShortcode = 2
	MaxShortcode = 64
)

// ValidShortcode reports whether s can be the shortcode of a custom emoji.
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

// Shortcodes returns the distinct shortcodes in texts, in order. They may not exist. For texts
// without one, which are most, it only searches for a colon.
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

// nextCode finds the first shortcode within the bytes from..to of a text. It returns the positions
// of its colons, or two zeros.
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
		from = end // the closing colon can start another one
	}
}

// joins reports whether a character next to a colon prevents a shortcode.
func joins(r rune) bool { return r == ':' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// Pictures returns the safe HTML for a shortcode, or "" to leave it as text.
type Pictures func(code string) string

// WithPictures returns a line of plain text as HTML with pictures for emoji.
func WithPictures(s string, p Pictures) string {
	w := &writer{r: Resolver{Emoji: p}}
	w.Grow(len(s) + 64)
	w.from(s, 0, len(s))
	return w.String()
}

// from writes the bytes from..to of a text, with pictures for emoji.
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
