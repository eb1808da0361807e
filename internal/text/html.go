package text

import (
	"strings"
	"unicode/utf8"
)

// Resolver resolves the names in a text. Its functions can be nil. They are called once per
// occurrence, so they should look up data that was loaded before (with Doc.Mentions) rather than
// read a store.
type Resolver struct {
	// Mention returns the profile page of a login, as in Doc.Mentions but with the case of the
	// occurrence, and the name to show after the '@': the login, with the domain if it is needed to
	// distinguish accounts. If ok is false the mention stays plain text.
	Mention func(login string) (url, acct string, ok bool)
	// Tag returns the page of a tag, as typed; "" leaves it plain text.
	Tag func(tag string) (url string)
	// Emoji returns the HTML for a custom emoji; nil leaves all as text.
	Emoji Pictures
}

// HTML renders the text as Mastodon does (https://docs.joinmastodon.org/entities/Status/#content).
// Empty lines separate paragraphs and single newlines become <br>. Links open elsewhere, and the
// resolver determines mentions and tags. Everything else is escaped. The only elements are p, br, a
// and span, and the only attributes href, rel, target and class, except in the resolver's HTML for
// emoji. A blank text gives "".
func (d Doc) HTML(r Resolver) string {
	from, to := trimNewlines(d.text)
	if strings.TrimSpace(d.text[from:to]) == "" {
		return ""
	}
	w := d.writer(r)
	w.paragraphs = true
	w.WriteString("<p>")
	w.doc(d, from, to)
	w.WriteString("</p>")
	return w.String()
}

// Page returns the HTML of a text in which mentions and tags are not links, such as a description
// of the server.
func Page(s string) string {
	return Parse(s).HTML(Resolver{Mention: func(string) (string, string, bool) { return "", "", false }, Tag: func(string) string { return "" }})
}

// Note renders a profile's note by the rules of a status.
func Note(s string, r Resolver) string { return Parse(s).HTML(r) }

// FieldValue renders the value of a profile field: one line without paragraphs. If it is only a
// link, the link has rel="me", so that other sites can verify the profile.
func FieldValue(s string, r Resolver) string {
	d := Parse(strings.TrimSpace(clean(s)))
	w := d.writer(r)
	w.me = len(d.tokens) == 1 && d.tokens[0].end-d.tokens[0].start == len(d.text)
	w.doc(d, 0, len(d.text))
	return w.String()
}

// writer writes HTML and escapes texts.
type writer struct {
	strings.Builder
	r          Resolver
	paragraphs bool // newlines become elements
	me         bool // links are the author's own pages
}

// writer returns a writer with room for the document.
func (d Doc) writer(r Resolver) *writer {
	w := &writer{r: r}
	size := len(d.text) + len(d.text)/8 + 16
	for _, t := range d.tokens {
		size += 160 + 2*(t.end-t.start)
	}
	w.Grow(size)
	return w
}

// doc writes the bytes from..to of a document, which must contain all its tokens.
func (w *writer) doc(d Doc, from, to int) {
	for _, t := range d.tokens {
		w.from(d.text, from, t.start)
		from = t.end
		switch t.kind {
		case mention:
			w.mention(d.name(t))
		case tag:
			w.tag(d.text[t.start:t.start+t.mark], d.name(t))
		case link:
			w.link(d.text[t.start:t.end])
		}
	}
	w.from(d.text, from, to)
}

func (w *writer) mention(name string) {
	if w.r.Mention != nil {
		if url, acct, ok := w.r.Mention(name); ok && isPage(url) {
			w.all(`<span class="h-card"><a href="`, url, `" class="u-url mention">@<span>`, acct, `</span></a></span>`)
			return
		}
	}
	w.text("@")
	w.text(name)
}

func (w *writer) tag(hash, name string) {
	if w.r.Tag != nil {
		if url := w.r.Tag(name); isPage(url) {
			w.all(`<a href="`, url, `" class="mention hashtag" rel="tag">`, hash, `<span>`, name, `</span></a>`)
			return
		}
	}
	w.text(hash)
	w.text(name)
}

// link writes a link. Its scheme and everything after the 30th character are hidden but copied.
func (w *writer) link(url string) {
	rel := "nofollow noopener noreferrer"
	if w.me {
		rel = "me " + rel
	}
	prefix := schemeLen(url)
	if rest := url[prefix:]; len(rest) > 4 && strings.EqualFold(rest[:4], "www.") {
		prefix += 4
	}
	shown := prefix + runes(url[prefix:], 30)
	class := ""
	if shown < len(url) {
		class = "ellipsis"
	}
	w.all(`<a href="`, lowerScheme(url), `" rel="`, rel, `" target="_blank"><span class="invisible">`, url[:prefix])
	w.all(`</span><span class="`, class, `">`, url[prefix:shown])
	w.all(`</span><span class="invisible">`, url[shown:], `</span></a>`)
}

// isPage reports whether a resolver's address is http or https.
func isPage(url string) bool {
	return strings.HasPrefix(url, "/") || schemeLen(url) > 0
}

// trimNewlines returns the bounds of s without the newlines around it.
func trimNewlines(s string) (from, to int) {
	from = len(s) - len(strings.TrimLeft(s, "\n"))
	return from, max(from, len(strings.TrimRight(s, "\n")))
}

// runes returns the length in bytes of the first n characters of s.
func runes(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		_, size := utf8.DecodeRuneInString(s[i:])
		i += size
	}
	return i
}
