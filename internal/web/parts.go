package web

import (
	"context"
	"io"
	"strings"

	"github.com/a-h/templ"
)

// Parts of sentences, for trParts.

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

// codePart is what is typed or copied as it stands.
func codePart(text string) templ.Component {
	return htmlPart("<code>" + templ.EscapeString(text) + "</code>")
}

// linkPart leads to a path of ours.
func linkPart(path, text string) templ.Component {
	return htmlPart(`<a href="` + templ.EscapeString(path) + `">` + templ.EscapeString(text) + "</a>")
}

// strongIn is a text in which a part, such as its number, stands out where it occurs first.
func strongIn(text, part string) templ.Component {
	before, after, found := strings.Cut(text, part)
	if !found || part == "" { // some languages count to two without digits
		return textPart(text)
	}
	return htmlPart(templ.EscapeString(before) + "<strong>" + templ.EscapeString(part) + "</strong>" + templ.EscapeString(after))
}

// sentences stand one behind the other.
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
