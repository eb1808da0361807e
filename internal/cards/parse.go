package cards

import (
	"bytes"
	"io"
	"mime"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/language"
	"golang.org/x/text/transform"

	"linnet/internal/linnet"
	"linnet/internal/text"
)

// maxTag is the maximum length of a tag or text that is read, in bytes. Reading stops at a longer
// one.
const maxTag = 64 << 10

// page has the metadata of a page: the first content of each meta element by its lower case name,
// the title and the language.
type page struct {
	meta     map[string]string
	title    string
	language string
}

// creatorMeta names the account of a page's author, as @name@host.
// https://docs.joinmastodon.org/entities/PreviewCard/#authors
const creatorMeta = "fediverse:creator"

// usesMeta reports whether a meta element with this name is used. https://ogp.me,
// https://developer.x.com/en/docs/x-for-websites/cards
func usesMeta(name string) bool {
	switch name {
	case "og:title", "og:description", "og:site_name", "og:locale", "og:image", "og:image:url", "og:image:secure_url", "og:image:alt", "twitter:title", "twitter:description",
		"twitter:image", "twitter:image:src", "twitter:image:alt", "description", "author", "article:author", "article:published_time", creatorMeta:
		return true
	}
	return false
}

// readPage reads the metadata of a page. It reads only data and never fails: data that isn't a page
// has no metadata.
func readPage(data []byte, contentType string) page {
	p := page{meta: map[string]string{}}
	z := html.NewTokenizer(decoded(data, contentType))
	z.SetMaxBuf(maxTag)
	drawings := 0 // open svg elements, which have their own titles
	for inTitle := false; ; {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			return p
		case html.EndTagToken:
			if name, _ := z.TagName(); drawings > 0 && atom.Lookup(name) == atom.Svg {
				drawings--
			}
			inTitle = false
		case html.TextToken:
			if inTitle {
				p.title = string(z.Text())
			}
			inTitle = false
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := atom.Lookup(name)
			if tag == atom.Svg && kind == html.StartTagToken {
				drawings++
			}
			inTitle = tag == atom.Title && p.title == "" && drawings == 0
			if more && (tag == atom.Meta || tag == atom.Html) {
				p.attributes(tag, z)
			}
		default:
			inTitle = false
		}
	}
}

// decoded converts a page to UTF-8. Its encoding is in the HTTP header, a byte order mark or a meta
// element anywhere in the head. Without one it is treated as UTF-8 if it is valid.
func decoded(data []byte, contentType string) io.Reader {
	e, _, certain := charset.DetermineEncoding(data[:min(len(data), 1024)], contentType)
	if !certain {
		if named := metaEncoding(data); named != nil {
			e = named
		} else if valid := utf8.Valid(data[:wholeRunes(data)]); valid {
			e = unicode.UTF8
		}
	}
	return transform.NewReader(bytes.NewReader(data), e.NewDecoder())
}

// wholeRunes returns the length of data without an incomplete character at its end.
func wholeRunes(data []byte) int {
	for n := len(data) - 1; n >= 0 && n >= len(data)-utf8.UTFMax; n-- {
		if utf8.RuneStart(data[n]) {
			if !utf8.FullRune(data[n:]) {
				return n
			}
			break
		}
	}
	return len(data)
}

// metaEncoding returns the encoding in a meta element before the body, or nil.
func metaEncoding(data []byte) encoding.Encoding {
	z := html.NewTokenizer(bytes.NewReader(data))
	z.SetMaxBuf(maxTag)
	for {
		switch z.Next() {
		case html.ErrorToken:
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			switch atom.Lookup(name) {
			case atom.Body:
				return nil
			case atom.Meta:
				if e, label := charset.Lookup(metaCharset(z, more)); strings.HasPrefix(label, "utf-16") {
					return unicode.UTF8 // as in HTML: the element itself could be read as ASCII
				} else if e != nil {
					return e
				}
			}
		}
	}
}

// metaCharset returns the encoding in the attributes of a meta element, or "".
func metaCharset(z *html.Tokenizer, more bool) (label string) {
	var content string
	declares := false
	for more {
		var k, v []byte
		k, v, more = z.TagAttr()
		switch string(k) {
		case "charset":
			label = string(v)
		case "http-equiv":
			declares = strings.EqualFold(string(v), "content-type")
		case "content":
			content = string(v)
		}
	}
	if label == "" && declares {
		if _, params, err := mime.ParseMediaType(content); err == nil {
			label = params["charset"]
		}
	}
	return label
}

func (p *page) attributes(tag atom.Atom, z *html.Tokenizer) {
	var name, content string
	for more := true; more; {
		var k, v []byte
		k, v, more = z.TagAttr()
		switch string(k) {
		case "property", "name":
			if n := strings.ToLower(string(v)); name == "" || usesMeta(n) {
				name = n
			}
		case "content":
			content = string(v)
		case "lang":
			if tag == atom.Html && p.language == "" {
				p.language = string(v)
			}
		}
	}
	if tag == atom.Meta && usesMeta(name) && p.meta[name] == "" {
		p.meta[name] = content
	}
}

// first returns the first of some meta elements that isn't empty, as a line of at most the given
// number of characters.
func (p *page) first(most int, names ...string) string {
	for _, n := range names {
		if s := line(p.meta[n], most); s != "" {
			return s
		}
	}
	return ""
}

// line returns a text as one line of at most the given number of characters. It removes characters
// that would be drawn over their surroundings.
func line(s string, most int) string {
	whole := len(s) <= 64*most
	if !whole {
		s = strings.ToValidUTF8(s[:64*most], "")
	}
	if s = text.Line(s); text.Overmarked(s) {
		return ""
	}
	rest, state, n := s, -1, 0
	for at := 0; rest != ""; n++ {
		var c string
		if c, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state); n == most {
			return strings.TrimSpace(s[:at]) + "…"
		}
		at += len(c)
	}
	if !whole {
		s += "…"
	}
	return s
}

// card returns the card of a page at an address, or nil if it has no title. image is the address of
// its picture, or nil.
func (p *page) card(link string, at *url.URL, now time.Time) (c *linnet.Card, image *url.URL) {
	c = &linnet.Card{Link: link, Fetched: now, Title: p.first(linnet.MaxCardTitle, "og:title", "twitter:title"),
		Description: p.first(linnet.MaxCardDescription, "og:description", "twitter:description", "description"),
		Site:        p.first(linnet.MaxCardName, "og:site_name"), Author: p.first(linnet.MaxCardName, "author", "article:author"),
		Language: languageOf(p.language, p.meta["og:locale"])}
	if c.Title == "" {
		c.Title = line(p.title, linnet.MaxCardTitle)
	}
	if c.Title == "" {
		return nil, nil
	}
	if u := address(at, p.meta["article:author"]); u != nil && strings.Contains(p.meta["article:author"], "://") {
		if c.AuthorURL = u.String(); c.Author == line(p.meta["article:author"], linnet.MaxCardName) {
			c.Author = ""
		}
	}
	if t, err := time.Parse(time.RFC3339, strings.TrimSpace(p.meta["article:published_time"])); err == nil && t.Year() >= 1970 && t.Year() < 3000 {
		c.Published = t.UTC()
	}
	for _, n := range []string{"og:image:secure_url", "og:image:url", "og:image", "twitter:image", "twitter:image:src"} {
		if image = address(at, p.meta[n]); image != nil {
			break
		}
	}
	c.Image.Description = p.first(linnet.MaxCardDescription, "og:image:alt", "twitter:image:alt")
	return c, image
}

// address returns the absolute form of an address in a page, or nil if it is invalid.
func address(at *url.URL, ref string) *url.URL {
	if ref = strings.TrimSpace(ref); ref == "" || len(ref) > text.MaxURL {
		return nil
	}
	u, err := at.Parse(ref)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || len(u.String()) > text.MaxURL {
		return nil
	}
	return u
}

// languageOf returns the first language in some language tags, as two letters.
func languageOf(tags ...string) string {
	for _, t := range tags {
		if len(t) > 40 {
			continue
		}
		if tag, err := language.Parse(strings.ReplaceAll(strings.TrimSpace(t), "_", "-")); err == nil {
			if base, conf := tag.Base(); conf != language.No && len(base.String()) == 2 {
				return base.String()
			}
		}
	}
	return ""
}
