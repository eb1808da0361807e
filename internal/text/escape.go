package text

import "strings"

// all writes markup and values in turn. It escapes only the odd parts, the values.
func (w *writer) all(parts ...string) {
	for i, p := range parts {
		if i%2 == 0 {
			w.WriteString(p)
		} else {
			w.escape(p)
		}
	}
}

// text writes escaped text. In paragraphs a newline becomes <br> and several begin a new paragraph.
// Otherwise they become a space.
func (w *writer) text(s string) {
	for {
		i := strings.IndexByte(s, '\n')
		if i < 0 {
			w.escape(s)
			return
		}
		w.escape(s[:i])
		rest := strings.TrimLeft(s[i:], "\n")
		switch {
		case !w.paragraphs:
			w.WriteByte(' ')
		case len(s)-len(rest) == i+1:
			w.WriteString("<br>")
		default:
			w.WriteString("</p><p>")
		}
		s = rest
	}
}

// escape escapes s for element content and quoted attributes.
func (w *writer) escape(s string) {
	last := 0
	for i := 0; i < len(s); i++ {
		var esc string
		switch s[i] {
		case '<':
			esc = "&lt;"
		case '>':
			esc = "&gt;"
		case '&':
			esc = "&amp;"
		case '"':
			esc = "&#34;"
		case '\'':
			esc = "&#39;"
		default:
			continue
		}
		w.WriteString(s[last:i])
		w.WriteString(esc)
		last = i + 1
	}
	w.WriteString(s[last:])
}
