package web

import (
	"context"
	"io"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// when is text where something holds, and nothing elsewhere.
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

// iso and full tell a time exactly, to programs and to people.
func iso(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// personPath is the path of somebody's page.
func personPath(login string) string { return "/@" + url.PathEscape(login) }

// listPath is the path of a list's page.
func listPath(id linnet.ID) string { return "/lists/" + id.String() }

// tagPath is the path of a tag's page.
func tagPath(tag string) string { return "/tags/" + url.PathEscape(tag) }

// assetPath is the address of a file that pages need.
func assetPath(name string) string { return design().path(name) }

// icon draws one of the sprite's signs, which says nothing to those who hear the
// page: what it means stands beside it.
func icon(name string, class ...string) templ.Component { return templ.Raw(drawn(name, class)) }

// ring shows how much of a text's room is taken; how much is for the script to say.
func ring() templ.Component {
	use := `<use href="` + design().icon("ring") + `"`
	return templ.Raw(`<svg class="ring" viewBox="0 0 28 28" aria-hidden="true">` + use + `/>` + use + ` stroke-dasharray="0 100"/></svg>`)
}

// label is an icon with a text right behind it.
func label(name, text string, class ...string) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		_, err := io.WriteString(w, drawn(name, class)+templ.EscapeString(text))
		return err
	})
}

func drawn(name string, class []string) string {
	if svg, ok := design().drawn[name]; ok && len(class) == 0 {
		return svg
	}
	return `<svg class="i ` + strings.Join(class, " ") + `" aria-hidden="true"><use href="` + design().icon(name) + `"/></svg>`
}

// here marks the entry of the navigation that the page belongs to.
func here(p page, path string) templ.OrderedAttributes {
	if p.Here != path {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-current", Value: "page"}}
}

// described ties a field to the texts about it, by its id: a hint, if it has one, and
// what is wrong with it, if anything is.
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

// blamed ties a field to what is wrong with its form as a whole.
func blamed(wrong string) templ.OrderedAttributes {
	if wrong == "" {
		return nil
	}
	return templ.OrderedAttributes{{Key: "aria-invalid", Value: "true"}, {Key: "aria-describedby", Value: "wrong"}}
}

// soFar tells those who hear an action how often it was done.
func soFar(n int64) string { return when(n > 0, ", "+strconv.FormatInt(n, 10)+" so far") }

func joinWord(u linnet.UserView) string   { return either(u.Locked, "Ask to join", "Join") }
func followWord(u linnet.UserView) string { return either(u.Locked, "Ask to follow", "Follow") }

// excerptChars is how much of a status a line about it shows.
const excerptChars = 140

// excerpt is the beginning of a status on one line; behind a warning, the warning.
func excerpt(s linnet.StatusView) string {
	line := strings.Join(strings.Fields(preview(s)), " ")
	if r := []rune(line); len(r) > excerptChars {
		return strings.TrimSpace(string(r[:excerptChars])) + "…"
	}
	return line
}

// readersIcon is audienceIcon for a status, which a group may keep for its members.
func readersIcon(s linnet.StatusView) string {
	if s.ForMembers() {
		return "group"
	}
	return audienceIcon(s.Visibility)
}

// audienceIcon is the sign for who may read a status.
func audienceIcon(v linnet.Visibility) string {
	return [...]string{"globe", "moon", "lock", "at"}[min(v, linnet.Direct)]
}

// ago says how long something is past: minutes and hours within a day, then the
// date, with the year where it is not this one. The clock may stand behind the
// store's by a little.
func ago(ctx context.Context, now, t time.Time) string {
	now, t = now.In(zoneOf(ctx)), t.In(zoneOf(ctx))
	switch d := now.Sub(t); {
	case d < time.Minute:
		return tr(ctx, "now")
	case d < time.Hour:
		return tr(ctx, "%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return tr(ctx, "%d h", int(d.Hours()))
	case now.Year() == t.Year():
		return readerOf(ctx).lang.Time(t, locale.Mark("2 January"))
	}
	return readerOf(ctx).lang.Time(t, locale.Mark("2 January 2006"))
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

// displayName is the name that somebody goes by, the login if they chose none.
func displayName(u linnet.UserView) string {
	if name := strings.TrimSpace(u.Name); name != "" {
		return name
	}
	return u.Login
}

// postPath is the path of a status's page.
func postPath(s linnet.StatusView) string {
	return "/@" + url.PathEscape(s.By.Login) + "/" + s.ID.String()
}

// taggedPath is the path of somebody's posts with a folded tag.
func taggedPath(login, folded string) string {
	return "/@" + url.PathEscape(login) + "/tagged/" + url.PathEscape(folded)
}

// readers is audience for a status, which a group may keep for its members.
func readers(s linnet.StatusView) string {
	if s.ForMembers() {
		return "for members of the group"
	}
	return audience(s.Visibility)
}

// audience says who may read a status that is not for everybody, "" otherwise.
func audience(v linnet.Visibility) string {
	switch v {
	case linnet.Unlisted:
		return "not in public timelines"
	case linnet.Private:
		return "for followers"
	case linnet.Direct:
		return "for the people mentioned"
	}
	return ""
}
