package outsidefeed

import (
	"strings"

	"golang.org/x/net/html"
)

// content is the usable part of HTML.
type content struct {
	text    string
	picture string // address of the first picture, or ""
	alt     string // description of the picture
}

// plain returns the text and the first picture of HTML. It drops scripts, styles and everything
// else that isn't text, and doesn't need valid HTML.
func plain(s string) (c content) {
	if len(s) > maxContent {
		s = s[:maxContent]
	}
	s = strings.ToValidUTF8(s, "\ufffd")
	var b strings.Builder
	skip, deep := "", 0
	z := html.NewTokenizer(strings.NewReader(s))
	for {
		switch kind := z.Next(); kind {
		case html.ErrorToken:
			c.text = tidy(b.String())
			return c
		case html.TextToken:
			if skip == "" {
				b.Write(z.Text())
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			switch tag := string(name); tag {
			case "script", "style", "iframe", "noscript", "template", "svg", "object", "textarea", "title":
				if kind == html.StartTagToken && (skip == "" || skip == tag) {
					skip, deep = tag, deep+1
				}
			case "img":
				if c.picture == "" && skip == "" {
					c.picture, c.alt = picture(z, more)
				}
			case "br":
				b.WriteByte('\n')
			case "p", "div", "blockquote", "ul", "ol", "pre", "table", "h1", "h2", "h3", "h4", "figure", "section", "article":
				b.WriteString("\n\n")
			case "li":
				b.WriteString("\n– ")
			case "tr":
				b.WriteByte('\n')
			case "td", "th":
				b.WriteByte(' ')
			}
		case html.EndTagToken:
			switch name, _ := z.TagName(); string(name) {
			case skip:
				if deep--; deep == 0 {
					skip = ""
				}
			case "p", "div", "blockquote", "ul", "ol", "pre", "table", "h1", "h2", "h3", "h4", "figure", "section", "article":
				b.WriteString("\n\n")
			}
		}
	}
}

// picture returns the address and description of an img element. It returns none for tracking
// pixels, whose size is given.
func picture(z *html.Tokenizer, more bool) (src, alt string) {
	for more {
		var k, v []byte
		k, v, more = z.TagAttr()
		switch string(k) {
		case "src":
			src = string(v)
		case "alt":
			alt = strings.Join(strings.Fields(string(v)), " ")
		case "width", "height":
			if len(v) == 1 {
				return "", ""
			}
		}
	}
	return src, alt
}

// tidy removes control characters and superfluous white space, with at most one empty line between
// paragraphs.
func tidy(s string) string {
	var out []string
	for l := range strings.SplitSeq(s, "\n") {
		l = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' || r == 0x7f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				return -1
			}
			return r
		}, l)), " ")
		if l == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, l)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}
