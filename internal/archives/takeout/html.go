package takeout

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// plain returns the text of a note, which is HTML, as a user would type it. It contains full links
// and full addresses of accounts, because a local account can have the same name.
func (n *note) plain() string {
	people := map[string]string{}
	for _, t := range n.Tag {
		if t.Type == "Mention" {
			people[t.Href] = whole(t.Name, t.Href)
		}
	}
	w := &plainWriter{people: people}
	z := html.NewTokenizer(strings.NewReader(n.Content))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return strings.TrimSpace(w.b.String())
		case html.TextToken:
			w.text(string(z.Text()))
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			switch string(name) {
			case "p", "blockquote", "ul", "ol", "pre", "h1", "h2", "h3":
				w.lines(2)
			case "br", "div":
				w.b.WriteByte('\n')
			case "li":
				w.lines(1)
				w.text("– ")
			case "script", "style", "title":
				w.skip = string(name)
			case "a":
				var href, class string
				for more {
					var k, v []byte
					k, v, more = z.TagAttr()
					switch string(k) {
					case "href":
						href = string(v)
					case "class":
						class = string(v)
					}
				}
				w.link(href, class)
			}
		case html.EndTagToken:
			switch name, _ := z.TagName(); string(name) {
			case "a":
				w.inLink = false
			case w.skip:
				w.skip = ""
			case "p", "blockquote":
				w.lines(2)
			}
		}
	}
}

// plainWriter converts HTML to text.
type plainWriter struct {
	b      strings.Builder
	people map[string]string
	inLink bool   // the text of the link was already written
	skip   string // element whose text is skipped
}

func (w *plainWriter) text(s string) {
	if !w.inLink && w.skip == "" {
		w.b.WriteString(s)
	}
}

func (w *plainWriter) link(href, class string) {
	switch at := w.people[href]; {
	case at != "":
		w.text(at)
	case strings.Contains(class, "hashtag"): // written unchanged
		return
	case strings.Contains(class, "mention"):
		u, err := url.Parse(href)
		if err != nil || !strings.HasPrefix(u.Path, "/@") {
			return
		}
		w.text(whole(u.Path[1:], href))
	case safeLink(href):
		w.text(href)
	default:
		return
	}
	w.inLink = true
}

// lines ends a line, and adds an empty line if n is 2, unless the text is empty.
func (w *plainWriter) lines(n int) {
	s := w.b.String()
	if s == "" {
		return
	}
	for have := len(s) - len(strings.TrimRight(s, "\n")); have < n; have++ {
		w.b.WriteByte('\n')
	}
}

// whole returns the address of an account with its server.
func whole(name, href string) string {
	name = "@" + strings.TrimPrefix(name, "@")
	if strings.Contains(name[1:], "@") {
		return name
	}
	if u, err := url.Parse(href); err == nil && u.Host != "" {
		return name + "@" + u.Host
	}
	return name
}
