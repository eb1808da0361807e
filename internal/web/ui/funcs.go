package ui

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/locale"
	"linnet/internal/web/assets"
	"linnet/internal/web/paths"
)

// If returns text if holds is true, and "" otherwise.
func If(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}

// Either returns a if first is true, and b otherwise.
func Either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// ISOTime formats a time for machines.
func ISOTime(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// JoinText returns a text of a template and the errors of the call that made it. Generated code
// calls it in place of templ.JoinStringErrs, see scripts/generate.sh.
func JoinText[T ~string](text T, errs ...error) (string, error) {
	if len(errs) == 0 {
		return string(text), nil
	}
	return string(text), errors.Join(errs...)
}

// Icon shows an icon of the sprite. Screen readers skip it, so it needs a text next to it.
func Icon(name string, class ...string) templ.Component {
	switch {
	case len(class) == 0:
		return assets.Icon(name, false)
	case len(class) == 1 && class[0] == "flip":
		return assets.Icon(name, true)
	}
	return Markup(drawn(name, class))
}

// Markup is HTML that is rendered unchanged. It allocates less than templ.Raw, of which a page
// would have hundreds.
type Markup string

// Render writes the HTML unchanged.
func (m Markup) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, string(m))
	return err
}

// StatusText renders the text of a status, which is escaped HTML. lang can be empty. It is not a
// template, because every post uses it.
func StatusText(class, lang, html string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		for _, part := range [...]string{`<div class="`, class, `" dir="auto"`} {
			if _, err := io.WriteString(w, part); err != nil {
				return err
			}
		}
		if lang != "" {
			if _, err := io.WriteString(w, ` lang="`+templ.EscapeString(lang)+`"`); err != nil {
				return err
			}
		}
		for _, part := range [...]string{">", html, "</div>"} {
			if _, err := io.WriteString(w, part); err != nil {
				return err
			}
		}
		return nil
	})
}

// LengthRing shows how much of the maximum length is used. The script updates it.
func LengthRing() templ.Component {
	use := `<use href="` + assets.IconAddress("ring") + `"`
	return Markup(`<svg class="ring" viewBox="0 0 28 28" aria-hidden="true">` + use + `/>` + use + ` stroke-dasharray="0 100"/></svg>`)
}

// IconText returns an icon with a text right after it.
func IconText(name, text string, class ...string) templ.Component {
	return iconText{Icon(name, class...), text}
}

// iconText is an icon with a text.
type iconText struct {
	icon templ.Component
	text string
}

// Render writes the icon and the text.
func (i iconText) Render(ctx context.Context, w io.Writer) error {
	if err := i.icon.Render(ctx, w); err != nil {
		return err
	}
	_, err := io.WriteString(w, templ.EscapeString(i.text))
	return err
}

// drawn returns an icon of the sprite as HTML, with additional classes.
func drawn(name string, class []string) string {
	return `<svg class="` + strings.Join(append([]string{"i"}, class...), " ") + `" aria-hidden="true"><use href="` + assets.IconAddress(name) + `"/></svg>`
}

// DescribedBy links a field to its hint and its error by id.
func DescribedBy(id string, hint bool, wrong string) templ.OrderedAttributes {
	var by []string
	if hint {
		by = append(by, id+"-hint")
	}
	var all templ.OrderedAttributes
	if wrong != "" {
		by = append(by, id+"-wrong")
		all = append(all, templ.KeyValue[string, any]{Key: "aria-invalid", Value: "true"})
	}
	if len(by) > 0 {
		all = append(all, templ.KeyValue[string, any]{Key: "aria-describedby", Value: strings.Join(by, " ")})
	}
	return all
}

// DescribedByFormError links a field to the error of the whole form.
func DescribedByFormError(wrong string) templ.OrderedAttributes {
	if wrong == "" {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-invalid", Value: "true"}, {Key: "aria-describedby", Value: "wrong"}}
}

// Within returns a component inside an element.
func Within(open string, inner templ.Component, end string) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if _, err := io.WriteString(w, open); err != nil {
			return err
		}
		if err := inner.Render(ctx, w); err != nil {
			return err
		}
		_, err := io.WriteString(w, end)
		return err
	})
}

// NamePart returns a user's name as a part of a sentence.
func NamePart(u linnet.UserView) templ.Component { return Within("<bdi>", NameHTML(u), "</bdi>") }

// LinkTo returns a link as a part of a sentence.
func LinkTo(path string, inner templ.Component) templ.Component {
	return Within(`<a href="`+templ.EscapeString(path)+`">`, inner, "</a>")
}

// PersonPart returns a user's name with a link to the profile, as a part of a sentence.
func PersonPart(u linnet.UserView) templ.Component { return LinkTo(paths.Person(u.Login), NamePart(u)) }

// TimePart returns an exact time as a part of a sentence.
func TimePart(t time.Time) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		at := templ.EscapeString(FullTime(ctx, t))
		_, err := io.WriteString(w, `<time datetime="`+ISOTime(t)+`" title="`+at+`">`+at+`</time>`)
		return err
	})
}

// TrnParts is like TrParts, for a text about a number. The number is the first value, and the parts
// follow.
func TrnParts(n int64, one, other string, parts ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		places := make([]any, len(parts))
		for i := range parts {
			places[i] = "\x00" + string(rune('0'+i))
		}
		before, rest, found := strings.Cut(Trn(ctx, n, one, other, places...), "\x00")
		for {
			if _, err := io.WriteString(w, templ.EscapeString(before)); err != nil || !found {
				return err
			}
			if err := parts[rest[0]-'0'].Render(ctx, w); err != nil {
				return err
			}
			before, rest, found = strings.Cut(rest[1:], "\x00")
		}
	})
}

// HiddenExcept returns a text of which only the number is visible. Screen readers read all of it.
func HiddenExcept(text, number string) templ.Component {
	before, after, found := strings.Cut(text, number)
	if !found { // some languages count to two without digits
		before, after = text, ""
	}
	unseen := func(s string) string {
		if s == "" {
			return ""
		}
		return `<span class="unseen">` + templ.EscapeString(s) + "</span>"
	}
	return htmlPart(unseen(before) + templ.EscapeString(number) + unseen(after))
}

// Comma returns the separator of lists.
func Comma(ctx context.Context) string { return TrIn(ctx, "between parts of a list", ", ") }

// JoinTexts joins texts with commas.
func JoinTexts(ctx context.Context, all []string) string { return strings.Join(all, Comma(ctx)) }

// ListParts joins users with commas, as parts of a sentence.
func ListParts(people []linnet.UserView, part func(linnet.UserView) templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		for i, u := range people {
			if i > 0 {
				if _, err := io.WriteString(w, templ.EscapeString(Comma(ctx))); err != nil {
					return err
				}
			}
			if err := part(u).Render(ctx, w); err != nil {
				return err
			}
		}
		return nil
	})
}

// AndParts joins users as parts of a sentence, with "and" before the last one.
func AndParts(people []linnet.UserView, part func(linnet.UserView) templ.Component) templ.Component {
	if len(people) < 2 {
		return ListParts(people, part)
	}
	last := len(people) - 1
	return TrParts("%s and %s", ListParts(people[:last], part), part(people[last]))
}

// MaxLength returns the maximum length of a text, of which only the number is visible.
func MaxLength(ctx context.Context, n int) templ.Component {
	text := Trn(ctx, int64(n), "At most %s character", "At most %s characters")
	return HiddenExcept(strings.Replace(text, Num(ctx, int64(n)), strconv.Itoa(n), 1), strconv.Itoa(n))
}

// ActionLabel returns the accessible name of an action with its count.
func ActionLabel(ctx context.Context, what string, n int64) string {
	if n == 0 {
		return what
	}
	return Tr(ctx, "%s, %s so far", what, strconv.FormatInt(n, 10))
}

// FollowText returns the text of the button to follow a user or join a group.
func FollowText(ctx context.Context, u linnet.UserView) string {
	switch {
	case u.Group != linnet.NoGroup && u.Locked:
		return Tr(ctx, "Request to join")
	case u.Group != linnet.NoGroup:
		return Tr(ctx, "Join")
	case u.Locked:
		return TrIn(ctx, "button", "Request")
	}
	return Tr(ctx, "Follow")
}

// FollowLabel returns the accessible name of the button to follow a user or join a group.
func FollowLabel(ctx context.Context, u linnet.UserView) string {
	who := "@" + u.Login
	switch {
	case u.Group != linnet.NoGroup && u.Locked:
		return Tr(ctx, "Request to join %s", who)
	case u.Group != linnet.NoGroup:
		return Tr(ctx, "Join %s", who)
	case u.Locked:
		return Tr(ctx, "Request to follow %s", who)
	}
	return Tr(ctx, "Follow %s", who)
}

// excerptChars is the maximum length of an excerpt of a status in characters.
const excerptChars = 140

// Excerpt returns the beginning of a status on one line. For a filtered status it returns the title
// of the filter, and for one with a content warning the warning.
func Excerpt(s linnet.StatusView) string {
	line := strings.Join(strings.Fields(Preview(s)), " ")
	if r := []rune(line); len(r) > excerptChars {
		return strings.TrimSpace(string(r[:excerptChars])) + "…"
	}
	return line
}

// AudienceIcon returns the icon of a status's audience.
func AudienceIcon(s linnet.StatusView) string {
	if s.ForMembers() {
		return "group"
	}
	return [...]string{"globe", "moon", "lock", "at"}[min(s.Visibility, linnet.Direct)]
}

// Ago returns how long ago a time is: minutes, hours and days within a week, then the date, with
// the year if it differs. The clock can be slightly behind the store's.
func Ago(ctx context.Context, t time.Time) string {
	now, t := ReaderOf(ctx).Now().In(Zone(ctx)), t.In(Zone(ctx))
	switch d := now.Sub(t); {
	case d < time.Minute:
		return Tr(ctx, "now")
	case d < time.Hour:
		return Tr(ctx, "%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return Tr(ctx, "%d h", int(d.Hours()))
	case d < 7*24*time.Hour:
		return Tr(ctx, "%d d", int(d.Hours()/24))
	case now.Year() == t.Year():
		return ReaderOf(ctx).Lang.Time(t, locale.Mark("2 Jan"))
	}
	return ReaderOf(ctx).Lang.Time(t, locale.Mark("2 Jan 2006"))
}

// DisplayName returns the name of a user, or the login if there is none.
func DisplayName(u linnet.UserView) string {
	if name := strings.TrimSpace(u.Name); name != "" {
		return name
	}
	return u.Login
}

// Audience returns the audience of a status that isn't public, and "" otherwise.
func Audience(ctx context.Context, s linnet.StatusView) string {
	switch {
	case s.ForMembers():
		return Tr(ctx, "group members only")
	case s.Visibility == linnet.Unlisted:
		return Tr(ctx, "unlisted")
	case s.Visibility == linnet.Private:
		return Tr(ctx, "followers only")
	case s.Visibility == linnet.Direct:
		return Tr(ctx, "mentioned people only")
	}
	return ""
}
