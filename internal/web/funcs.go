package web

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

// when returns text if holds is true, and "" otherwise.
func when(holds bool, text string) string {
	if holds {
		return text
	}
	return ""
}

// either is one of two texts.
func either(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

// iso and full format a time exactly, for programs and people.
func iso(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// joinText returns a text of a template and the errors of the call that made it. Generated code
// calls it in place of templ.JoinStringErrs, see scripts/generate.sh.
func joinText[T ~string](text T, errs ...error) (string, error) {
	if len(errs) == 0 {
		return string(text), nil
	}
	return string(text), errors.Join(errs...)
}

// icon shows an icon of the sprite. Screen readers skip it, so it needs a text next to it.
func icon(name string, class ...string) templ.Component {
	switch {
	case len(class) == 0:
		return assets.Icon(name, false)
	case len(class) == 1 && class[0] == "flip":
		return assets.Icon(name, true)
	}
	return markup(drawn(name, class))
}

// markup is HTML that is rendered unchanged. It allocates less than templ.Raw, of which a page
// would have hundreds.
type markup string

// Render writes it.
func (m markup) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, string(m))
	return err
}

// written renders the text of a status, which is escaped HTML. lang can be empty. It is not a
// template, because every post uses it.
func written(class, lang, html string) templ.Component {
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

// ring shows how much of the maximum length is used. The script updates it.
func ring() templ.Component {
	use := `<use href="` + assets.IconAddress("ring") + `"`
	return markup(`<svg class="ring" viewBox="0 0 28 28" aria-hidden="true">` + use + `/>` + use + ` stroke-dasharray="0 100"/></svg>`)
}

// label is an icon with a text right behind it.
func label(name, text string, class ...string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, drawn(name, class)+templ.EscapeString(text))
		return err
	})
}

// drawn returns an icon of the sprite as HTML, with additional classes.
func drawn(name string, class []string) string {
	return `<svg class="` + strings.Join(append([]string{"i"}, class...), " ") + `" aria-hidden="true"><use href="` + assets.IconAddress(name) + `"/></svg>`
}

// here marks the entry of the navigation that the page belongs to.
func here(p page, path string) templ.OrderedAttributes {
	if p.Here != path {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-current", Value: "page"}}
}

// described links a field to its hint and its error by id.
func described(id string, hint bool, wrong string) templ.OrderedAttributes {
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

// blamed links a field to the error of the whole form.
func blamed(wrong string) templ.OrderedAttributes {
	if wrong == "" {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-invalid", Value: "true"}, {Key: "aria-describedby", Value: "wrong"}}
}

// within returns a component inside an element.
func within(open string, inner templ.Component, end string) templ.Component {
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

// bdiName returns a user's name as a part of a sentence.
func bdiName(u linnet.UserView) templ.Component { return within("<bdi>", nameOf(u), "</bdi>") }

// linkTo is a part of a sentence that leads somewhere.
func linkTo(path string, inner templ.Component) templ.Component {
	return within(`<a href="`+templ.EscapeString(path)+`">`, inner, "</a>")
}

// personPart returns a user's name with a link to the profile, as a part of a sentence.
func personPart(u linnet.UserView) templ.Component { return linkTo(paths.Person(u.Login), bdiName(u)) }

// timePart returns an exact time as a part of a sentence.
func timePart(t time.Time) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		at := templ.EscapeString(full(ctx, t))
		_, err := io.WriteString(w, `<time datetime="`+iso(t)+`" title="`+at+`">`+at+`</time>`)
		return err
	})
}

// trnParts is trParts for a text about a number: the number is its first value, the parts follow.
func trnParts(n int64, one, other string, parts ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		places := make([]any, len(parts))
		for i := range parts {
			places[i] = "\x00" + string(rune('0'+i))
		}
		before, rest, found := strings.Cut(trn(ctx, n, one, other, places...), "\x00")
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

// unseenBut is a text of which only the number is seen.
func unseenBut(text, number string) templ.Component {
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

// comma returns the separator of lists.
func comma(ctx context.Context) string { return trIn(ctx, "between parts of a list", ", ") }

// listed joins texts, and listParts joins users, as parts of a sentence.
func listed(ctx context.Context, all []string) string { return strings.Join(all, comma(ctx)) }

func listParts(people []linnet.UserView, part func(linnet.UserView) templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		for i, u := range people {
			if i > 0 {
				if _, err := io.WriteString(w, templ.EscapeString(comma(ctx))); err != nil {
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

// andParts joins people as parts of a sentence, with "and" before the last of them.
func andParts(people []linnet.UserView, part func(linnet.UserView) templ.Component) templ.Component {
	if len(people) < 2 {
		return listParts(people, part)
	}
	last := len(people) - 1
	return trParts("%s and %s", listParts(people[:last], part), part(people[last]))
}

// roomSays returns the maximum length of a text, of which only the number is visible.
func roomSays(ctx context.Context, n int) templ.Component {
	text := trn(ctx, int64(n), "At most %s character", "At most %s characters")
	return unseenBut(strings.Replace(text, num(ctx, int64(n)), strconv.Itoa(n), 1), strconv.Itoa(n))
}

// actSays returns the accessible name of an action with its count.
func actSays(ctx context.Context, what string, n int64) string {
	if n == 0 {
		return what
	}
	return tr(ctx, "%s, %s so far", what, strconv.FormatInt(n, 10))
}

// followWord returns the text of the button to follow a user or join a group, and followSays its
// accessible name.
func followWord(ctx context.Context, u linnet.UserView) string {
	switch {
	case u.Group != linnet.NoGroup && u.Locked:
		return tr(ctx, "Request to join")
	case u.Group != linnet.NoGroup:
		return tr(ctx, "Join")
	case u.Locked:
		return tr(ctx, "Request to follow")
	}
	return tr(ctx, "Follow")
}

func followSays(ctx context.Context, u linnet.UserView) string {
	who := "@" + u.Login
	switch {
	case u.Group != linnet.NoGroup && u.Locked:
		return tr(ctx, "Request to join %s", who)
	case u.Group != linnet.NoGroup:
		return tr(ctx, "Join %s", who)
	case u.Locked:
		return tr(ctx, "Request to follow %s", who)
	}
	return tr(ctx, "Follow %s", who)
}

// excerptChars is the maximum length of an excerpt of a status in characters.
const excerptChars = 140

// excerpt is the beginning of a status on one line; behind a filter its title, behind a warning
// that.
func excerpt(s linnet.StatusView) string {
	line := strings.Join(strings.Fields(preview(s)), " ")
	if r := []rune(line); len(r) > excerptChars {
		return strings.TrimSpace(string(r[:excerptChars])) + "…"
	}
	return line
}

// readersIcon is like audienceIcon, for a status that can be for group members.
func readersIcon(s linnet.StatusView) string {
	if s.ForMembers() {
		return "group"
	}
	return audienceIcon(s.Visibility)
}

// audienceIcon returns the icon of a visibility.
func audienceIcon(v linnet.Visibility) string {
	return [...]string{"globe", "moon", "lock", "at"}[min(v, linnet.Direct)]
}

// ago returns how long ago a time is: minutes, hours and days within a week, then the date, with
// the year if it differs. The clock can be slightly behind the store's.
func ago(ctx context.Context, t time.Time) string {
	now, t := readerOf(ctx).now().In(zoneOf(ctx)), t.In(zoneOf(ctx))
	switch d := now.Sub(t); {
	case d < time.Minute:
		return tr(ctx, "now")
	case d < time.Hour:
		return tr(ctx, "%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return tr(ctx, "%d h", int(d.Hours()))
	case d < 7*24*time.Hour:
		return tr(ctx, "%d d", int(d.Hours()/24))
	case now.Year() == t.Year():
		return readerOf(ctx).lang.Time(t, locale.Mark("2 Jan"))
	}
	return readerOf(ctx).lang.Time(t, locale.Mark("2 Jan 2006"))
}

// number writes thousands apart: 12,345.
func number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count writes a number with its noun: "1 boost", "2 replies", "3 days".
func count(n int64, noun string) string {
	if n != 1 {
		if stem, ok := strings.CutSuffix(noun, "y"); ok && !strings.HasSuffix(stem, "a") {
			noun = stem + "ie"
		}
		noun += "s"
	}
	return number(n) + " " + noun
}

// displayName returns the name of a user, or the login if there is none.
func displayName(u linnet.UserView) string {
	if name := strings.TrimSpace(u.Name); name != "" {
		return name
	}
	return u.Login
}

// readers returns the audience of a status that isn't public, and "" otherwise.
func readers(ctx context.Context, s linnet.StatusView) string {
	switch {
	case s.ForMembers():
		return tr(ctx, "group members only")
	case s.Visibility == linnet.Unlisted:
		return tr(ctx, "unlisted")
	case s.Visibility == linnet.Private:
		return tr(ctx, "followers only")
	case s.Visibility == linnet.Direct:
		return tr(ctx, "mentioned people only")
	}
	return ""
}
