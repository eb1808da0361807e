package web

import (
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"linnet/internal/linnet"
)

// funcs are the words that templates know beside the standard ones.
func (s *site) funcs() template.FuncMap {
	return template.FuncMap{
		"asset":   s.assets.path,
		"ago":     func(t time.Time) string { return ago(s.opts.Now(), t) },
		"iso":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
		"full":    func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") },
		"number":  number,
		"count":   count,
		"amount":  func(n int, what string) string { return count(int64(n), what) },
		"name":    displayName,
		"initial": initial,
		"tint":    func(id linnet.ID) int { return int(id.Millis() % 8) },
		"person":  func(login string) string { return "/@" + url.PathEscape(login) },
		"post":    postPath,
		// Texts come rendered and escaped from social; nothing else may use this.
		"safe":     func(html string) template.HTML { return template.HTML(html) },
		"audience": audience,
	}
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

// initial is the letter that stands for somebody without a picture.
func initial(u linnet.UserView) string {
	for _, r := range displayName(u) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return string(unicode.ToUpper(r))
		}
	}
	r, _ := utf8.DecodeRuneInString(u.Login)
	return string(unicode.ToUpper(r))
}

// postPath is the path of a status's page.
func postPath(s linnet.StatusView) string {
	return "/@" + url.PathEscape(s.By.Login) + "/" + s.ID.String()
}

// audience says who may read a status that is not for everybody, "" otherwise.
func audience(v linnet.Visibility) string {
	switch v {
	case linnet.Private:
		return "for followers"
	case linnet.Direct:
		return "for the people mentioned"
	}
	return ""
}
