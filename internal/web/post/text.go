package post

import (
	"html"
	"slices"
	"strings"

	"linnet/internal/linnet"
	"linnet/internal/posting"
	"linnet/internal/web/page"
	"linnet/internal/web/paths"
	"linnet/internal/web/ui"
)

// WithoutAddressees returns the text of a message without the leading mentions of its recipients. A
// text of only mentions stays, unless the message has other content.
func WithoutAddressees(text string, s *linnet.Status) (rest string) {
	rest = strings.TrimSpace(text)
	for {
		name, behind, _ := strings.Cut(rest, " ")
		if i := strings.IndexByte(name, '\n'); i >= 0 {
			name, behind = rest[:i], rest[i+1:]
		}
		login, ok := strings.CutPrefix(name, "@")
		if !ok || !isMentioned(login, s.Mentions) || strings.TrimSpace(behind) == "" && !hasMoreThanText(s) {
			return rest
		}
		rest = strings.TrimSpace(behind)
	}
}

// hasMoreThanText reports whether a status has media, a poll or a quote.
func hasMoreThanText(s *linnet.Status) bool {
	return len(s.Media) > 0 || s.Poll != nil || s.QuoteOf != 0
}

// isMentioned reports whether a user with a login is among the mentions.
func isMentioned(login string, all []linnet.Mention) bool {
	return slices.ContainsFunc(all, func(m linnet.Mention) bool { return strings.EqualFold(m.Login, login) })
}

// Parts of the HTML of a mention in package text.
const (
	mentionHead = `<span class="h-card"><a href="`
	mentionMid  = `" class="u-url mention">@<span>`
	mentionTail = `</span></a></span>`
)

// unaddressed returns the HTML of a message without the leading mentions of its recipients. They
// are shown above the conversation.
func unaddressed(html string, s *linnet.Status) string {
	rest, ok := strings.CutPrefix(html, "<p>")
	if !ok {
		return html
	}
	for {
		one, found := strings.CutPrefix(rest, mentionHead)
		if !found {
			break
		}
		_, one, found = strings.Cut(one, mentionMid)
		login, behind, ended := strings.Cut(one, mentionTail)
		if !found || !ended || !isMentioned(login, s.Mentions) {
			break
		}
		rest = strings.TrimLeft(behind, " ")
		for strings.HasPrefix(rest, "<br") {
			_, rest, _ = strings.Cut(rest, ">")
		}
	}
	if after, empty := strings.CutPrefix(rest, "</p>"); empty {
		if after == "" && !hasMoreThanText(s) {
			return html
		}
		return after
	}
	return "<p>" + rest
}

// MessageLine returns a message as one line, without the mentions of its recipients.
func MessageLine(c *page.Context, s linnet.StatusView) string {
	s = WithoutCommands(c, s)
	if s.Warning == "" {
		s = linnet.StatusView{SharedStatus: &linnet.SharedStatus{Status: s.Status, By: s.By}, Filtered: s.Filtered}
		s.Text = WithoutAddressees(s.Text, &s.Status)
	}
	if line := ui.Excerpt(s); line != "" || len(s.Media) == 0 {
		return line
	}
	return c.Trn(int64(len(s.Media)), "%s attachment", "%s attachments")
}

// WithoutCommands returns a status for pages. In a group's message about a request to join or an
// invitation, it replaces the text for apps with a link to the page that answers it.
func WithoutCommands(c *page.Context, s linnet.StatusView) linnet.StatusView {
	q, ok := posting.Question(&s)
	if !ok {
		return s
	}
	shown := *s.SharedStatus
	shown.Memo, shown.Plain = nil, nil
	path := paths.Group(s.By.Login) + "/requests"
	shown.Text = c.Tr("%s requested to join %s", "@"+q.By, ui.DisplayName(s.By.UserView))
	if q.Invites {
		path = paths.Person(s.By.Login)
		shown.Text = c.Tr("%s invited you to join %s", "@"+q.By, ui.DisplayName(s.By.UserView))
	}
	shown.HTML = `<p><a href="` + path + `">` + html.EscapeString(shown.Text) + "</a></p>"
	s.SharedStatus = &shown
	return s
}
