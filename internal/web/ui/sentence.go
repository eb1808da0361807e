package ui

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// TrParts returns a translated sentence with components, such as a name with a link. They replace
// %s in the text, or %[2]s and so on if the language has another order.
func TrParts(text string, parts ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		rest, next := Tr(ctx, text), 0
		for {
			before, after, found := strings.Cut(rest, "%")
			if _, err := io.WriteString(w, templ.EscapeString(before)); err != nil || !found {
				return err
			}
			at := next
			if len(after) > 3 && after[0] == '[' && after[2] == ']' {
				at, after = int(after[1]-'1'), after[3:]
			}
			rest, next = strings.TrimPrefix(after, "s"), at+1
			if at < 0 || at >= len(parts) {
				continue // the catalogues' test refuses such a text
			}
			if err := parts[at].Render(ctx, w); err != nil {
				return err
			}
		}
	})
}

// TextPart returns plain text as a part of a sentence.
func TextPart(text string) templ.Component { return htmlPart(templ.EscapeString(text)) }

// htmlPart returns HTML that is rendered unchanged.
func htmlPart(html string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, html)
		return err
	})
}

// BDIPart returns a name or a handle, isolated from the direction of the text around it.
func BDIPart(text string) templ.Component {
	return htmlPart("<bdi>" + templ.EscapeString(text) + "</bdi>")
}

// CodePart returns text to type or copy.
func CodePart(text string) templ.Component {
	return htmlPart("<code>" + templ.EscapeString(text) + "</code>")
}

// LinkPart returns a link to a path of this server.
func LinkPart(path, text string) templ.Component {
	return htmlPart(`<a href="` + templ.EscapeString(path) + `">` + templ.EscapeString(text) + "</a>")
}

// SitePart returns a link to another site, which is not endorsed.
func SitePart(address, text string) templ.Component {
	return htmlPart(`<a href="` + templ.EscapeString(string(templ.URL(address))) + `" rel="nofollow noopener noreferrer"><bdi>` + templ.EscapeString(text) + "</bdi></a>")
}

// StrongPart returns emphasized text.
func StrongPart(text string) templ.Component {
	return htmlPart("<strong>" + templ.EscapeString(text) + "</strong>")
}

// StrongIn returns a text in which the first occurrence of a part, such as its number, is
// emphasized.
func StrongIn(text, part string) templ.Component {
	before, after, found := strings.Cut(text, part)
	if !found || part == "" { // some languages count to two without digits
		return TextPart(text)
	}
	return htmlPart(templ.EscapeString(before) + "<strong>" + templ.EscapeString(part) + "</strong>" + templ.EscapeString(after))
}

// Sentences joins sentences with spaces.
func Sentences(all ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		for i, one := range all {
			if i > 0 {
				if _, err := io.WriteString(w, " "); err != nil {
					return err
				}
			}
			if err := one.Render(ctx, w); err != nil {
				return err
			}
		}
		return nil
	})
}
