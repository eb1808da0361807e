package mail

import (
	"cmp"
	"html"
	"strings"
	"time"
	"unicode"
)

// Message is a mail to one user. Its texts are plain, and are sent as plain text and as simple
// HTML.
type Message struct {
	To      string // normalized
	Name    string // display name of the sender, or ""
	Subject string
	Blocks  []Block
	In      string // language of the texts (BCP 47), "" for English
	RTL     bool   // whether the language is written from right to left
	Why     string // reason for the mail and how to stop such mails, below a line
	Stop    string // address of the page for that, or ""

	// Unsubscribe is the address for one-click unsubscription (RFC 8058), or "" for a mail that
	// cannot be unsubscribed from.
	Unsubscribe string

	ID   string // first part of the Message-ID, the same for all attempts to send a mail
	Host string // part after the @
	Date time.Time
}

// Block is a part of a message: a paragraph, a link or a list.
type Block struct {
	Text  string   // of the paragraph or the link
	Link  string   // target of the link, "" for a paragraph
	Items []string // after the text
}

// maxSubject is the limit of a subject in characters.
const maxSubject = 150

// line returns a text for a header: one line, without characters that change the direction. It
// leaves isolates, which only separate names in right-to-left languages.
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

// turns reports whether a character changes the direction of the following text.
func turns(r rune) bool {
	return unicode.Is(unicode.Bidi_Control, r) && r != '\u2068' && r != '\u2069'
}

// body returns a text for a body: lines without control characters.
func body(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && unicode.IsControl(r) || turns(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, ""))
}

// text returns the message as plain text.
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

// html returns the message as HTML, without images, styles or external resources.
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
