package web

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"linnet/internal/linnet"
)

// funcs are the words that templates know beside the standard ones.
func (s *site) funcs() template.FuncMap {
	return template.FuncMap{
		"asset":  s.assets.path,
		"ago":    func(t time.Time) string { return ago(s.opts.Now(), t) },
		"iso":    func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"full":   func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
		"number": number,
		"count":  count,
		"amount": func(n int, what string) string { return count(int64(n), what) },
		"name":   displayName,
		"person": func(login string) string { return "/@" + url.PathEscape(login) },
		"tagged": taggedPath,
		"post":   postPath,
		// Texts come rendered and escaped from social; nothing else may use this.
		"safe":     func(html string) template.HTML { return template.HTML(html) },
		"audience": audience,
		"readers":  readers,
		"excerpt":  excerpt,
		"avatar":   avatarPath,
		"icon":     s.icon,
		"sign":     readersIcon,
	}
}

// icon draws one of the sprite's signs, which says nothing to those who hear the
// page: what it means stands beside it.
func (s *site) icon(name string, class ...string) template.HTML {
	c := strings.Join(append([]string{"i"}, class...), " ")
	return template.HTML(`<svg class="` + c + `" aria-hidden="true"><use href="` + s.assets.icon(name) + `"/></svg>`)
}

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
func ago(now, t time.Time) string {
	now, t = now.UTC(), t.UTC()
	switch d := now.Sub(t); {
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return strconv.Itoa(int(d.Minutes())) + " min"
	case d < 24*time.Hour:
		return strconv.Itoa(int(d.Hours())) + " h"
	case now.Year() == t.Year():
		return t.Format("2 January")
	}
	return t.Format("2 January 2006")
}

// number writes thousands apart: 12,345.
func number(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// count writes a number with its noun: "1 boost", "2 replies".
func count(n int64, noun string) string {
	if n != 1 {
		if stem, ok := strings.CutSuffix(noun, "y"); ok {
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
