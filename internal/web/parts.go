package web

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Sentences with parts that are more than text.

// trParts returns a translated sentence with components, such as a name with a link. They replace
// %s in the text, or %[2]s and so on if the language has another order.
func trParts(text string, parts ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		rest, next := tr(ctx, text), 0
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

// textPart is a text.
func textPart(text string) templ.Component { return htmlPart(templ.EscapeString(text)) }

// htmlPart writes markup as it is.
func htmlPart(html string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, html)
		return err
	})
}

// bdiPart is a name or a handle, whatever its direction.
func bdiPart(text string) templ.Component {
	return htmlPart("<bdi>" + templ.EscapeString(text) + "</bdi>")
}

// codePart returns text to type or copy.
func codePart(text string) templ.Component {
	return htmlPart("<code>" + templ.EscapeString(text) + "</code>")
}

// linkPart leads to a path of ours.
func linkPart(path, text string) templ.Component {
	return htmlPart(`<a href="` + templ.EscapeString(path) + `">` + templ.EscapeString(text) + "</a>")
}

// strongPart returns emphasized text.
func strongPart(text string) templ.Component {
	return htmlPart("<strong>" + templ.EscapeString(text) + "</strong>")
}

// strongIn returns a text in which the first occurrence of a part, such as its number, is
// emphasized.
func strongIn(text, part string) templ.Component {
	before, after, found := strings.Cut(text, part)
	if !found || part == "" { // some languages count to two without digits
		return textPart(text)
	}
	return htmlPart(templ.EscapeString(before) + "<strong>" + templ.EscapeString(part) + "</strong>" + templ.EscapeString(after))
}

// sentences joins sentences.
func sentences(all ...templ.Component) templ.Component {
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
