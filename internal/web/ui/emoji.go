package ui

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
)

// Text is text as it was typed.
func Text(s string) templ.Component { return Markup(templ.EscapeString(s)) }

// NameHTML is displayName with pictures.
func NameHTML(u linnet.UserView) templ.Component {
	if u.Pictured != nil && strings.TrimSpace(u.Name) != "" {
		return Markup(u.Pictured.Name)
	}
	return Text(DisplayName(u))
}

// BodyHTML is the text of a status or the note of a profile, with pictures if it has some.
func BodyHTML(html string, p *linnet.Pictured) string {
	if p != nil {
		return p.Body
	}
	return html
}

// Warning is a content warning.
func Warning(typed string, p *linnet.Pictured) templ.Component {
	if p != nil {
		return Markup(p.Warning)
	}
	return Text(typed)
}

// WarningLabels returns the texts that the style sheet shows next to a content warning, closed and
// open.
func WarningLabels(ctx context.Context) templ.Attributes {
	return templ.Attributes{"data-show": Tr(ctx, "Show"), "data-hide": Tr(ctx, "Hide")}
}

// PollOption is an option of a poll.
func PollOption(i int, typed string, p *linnet.Pictured) templ.Component {
	if p != nil && i < len(p.Lines) {
		return Markup(p.Lines[i])
	}
	return Text(typed)
}
