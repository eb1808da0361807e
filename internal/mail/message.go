package mail

import (
	"cmp"
	"html"
	"strings"
	"time"
	"unicode"
)

// Message is a mail to one person. All texts are plain; a message has them as plain text and
// as simple HTML.
type Message struct {
	To      string // as Normalize has it
	Name    string // of the sender, for people; "": none
	Subject string
	Blocks  []Block
	In      string // the language of the texts (BCP 47); "": English
	RTL     bool   // which is written from right to left
	Why     string // why this was sent, and how it stops; below a line
	Stop    string // address of the page where it stops; "": none

	// Unsubscribe is the address that a mail program posts to so that no more come (RFC
	// 8058); "": it is a mail that cannot be unsubscribed from.
	Unsubscribe string

	ID   string // before the @ of the Message-ID: the same for one mail, however often it is sent
	Host string // behind it
	Date time.Time
}

// Block is a part of a message: a paragraph, a link or a list.
type Block struct {
	Text  string   // of the paragraph, or of the link
	Link  string   // where it leads; "": it is a paragraph
	Items []string // after the text
}

// maxSubject is how many characters of a subject are sent.
const maxSubject = 150

// line is a text for a header: one line, without what turns its direction. The isolates that a
// language written from right to left has around names only keep these apart.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		case turns(r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
	s = strings.Join(strings.Fields(s), " ")
	if n := []rune(s); len(n) > maxSubject {
		return string(n[:maxSubject-1]) + "…"
	}
	return s
}

// turns reports whether a character changes the direction of what follows it.
func turns(r rune) bool {
	return unicode.Is(unicode.Bidi_Control, r) && r != '\u2068' && r != '\u2069'
}

// body is a text for a body: lines without control characters.
func body(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) || turns(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// text is the message as plain text.
func (m *Message) text() string {
	var b strings.Builder
	for _, x := range m.Blocks {
		b.WriteString(body(x.Text))
		if x.Link != "" {
			b.WriteString(":\n" + line(x.Link))
		}
		for _, i := range x.Items {
			b.WriteString("\n- " + line(i))
		}
		b.WriteString("\n\n")
	}
	b.WriteString("-- \n" + body(m.Why) + "\n") // RFC 3676 section 4.3
	if m.Stop != "" {
		b.WriteString(line(m.Stop) + "\n")
	}
	return b.String()
}

// html is the message as HTML, without pictures, styles and anything that is fetched.
func (m *Message) html() string {
	esc := html.EscapeString
	var b strings.Builder
	b.WriteString("<!DOCTYPE html>\n<html lang=\"" + esc(cmp.Or(m.In, "en")) + "\"" + map[bool]string{true: " dir=\"rtl\""}[m.RTL] + "><head><meta charset=\"utf-8\"><title>" + esc(line(m.Subject)) + "</title></head>\n<body>\n")
	for _, x := range m.Blocks {
		text := strings.ReplaceAll(esc(body(x.Text)), "\n", "<br>\n")
		switch {
		case x.Link != "":
			b.WriteString("<p><a href=\"" + esc(line(x.Link)) + "\">" + text + "</a></p>\n")
		case text != "":
			b.WriteString("<p>" + text + "</p>\n")
		}
		if len(x.Items) > 0 {
			b.WriteString("<ul>\n")
			for _, i := range x.Items {
				b.WriteString("<li>" + esc(line(i)) + "</li>\n")
			}
			b.WriteString("</ul>\n")
		}
	}
	b.WriteString("<hr>\n<p><small>" + strings.ReplaceAll(esc(body(m.Why)), "\n", "<br>\n"))
	if m.Stop != "" {
		b.WriteString("<br>\n<a href=\"" + esc(line(m.Stop)) + "\">" + esc(line(m.Stop)) + "</a>")
	}
	b.WriteString("</small></p>\n</body></html>\n")
	return b.String()
}
