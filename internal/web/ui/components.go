package ui

import (
	"context"
	"strings"

	"github.com/a-h/templ"

	"linnet/internal/linnet"
	"linnet/internal/locale"
)

// Tab is the link to one of several views of the same content. Here marks the open one.
type Tab struct {
	Path, Text string
	Here       bool
}

// GroupKindName names a kind of group on a badge, in English.
func GroupKindName(k linnet.GroupKind) string {
	switch k {
	case linnet.AnnouncementGroup:
		return locale.Mark("announcements")
	case linnet.Chat:
		return locale.Mark("chat")
	case linnet.PrivateGroup:
		return locale.Mark("private group")
	}
	return locale.Mark("public group")
}

// GroupKindText describes who can join a kind of group, and who can post and read in it, in
// English.
func GroupKindText(k linnet.GroupKind) string {
	switch k {
	case linnet.PublicGroup:
		return locale.Mark("Anyone can join. Members can post, and everyone can read the posts.")
	case linnet.PrivateGroup:
		return locale.Mark("People request to join. Only members can post and read.")
	case linnet.AnnouncementGroup:
		return locale.Mark("Anyone can join. Only owners and moderators can post, and everyone can read the posts.")
	case linnet.Chat:
		return locale.Mark("Invitation only. Members can read messages sent since they joined.")
	}
	return ""
}

// TabsAt marks the tab with a path as the open one.
func TabsAt(path string, tabs ...Tab) []Tab {
	for i := range tabs {
		tabs[i].Here = tabs[i].Path == path
	}
	return tabs
}

// Text returns escaped text.
func Text(s string) templ.Component { return Markup(templ.EscapeString(s)) }

// NameHTML returns the display name of a user, with pictures for shortcodes.
func NameHTML(u linnet.UserView) templ.Component {
	if u.Pictured != nil && strings.TrimSpace(u.Name) != "" {
		return Markup(u.Pictured.Name)
	}
	return Text(DisplayName(u))
}

// BodyHTML returns the text of a status or a bio, with pictures for shortcodes if it has any.
func BodyHTML(html string, p *linnet.Pictured) string {
	if p != nil {
		return p.Body
	}
	return html
}

// Warning returns a content warning, with pictures for shortcodes.
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

// PollOption returns an option of a poll, with pictures for shortcodes.
func PollOption(i int, typed string, p *linnet.Pictured) templ.Component {
	if p != nil && i < len(p.Lines) {
		return Markup(p.Lines[i])
	}
	return Text(typed)
}

// Empty is shown if there are no entries.
type Empty struct{ Icon, Title, Text string }

// Pager has the paths of the neighbouring pages of a list; "" means that there is none.
type Pager struct{ Newer, Older string }

// ListTabs returns the tabs of lists and custom feeds.
func ListTabs(ctx context.Context, here string) []Tab {
	return []Tab{{Path: "/lists", Text: Tr(ctx, "Lists"), Here: here == "/lists"}, {Path: "/feeds", Text: Tr(ctx, "Feeds"), Here: here == "/feeds"},
		{Path: "/collections", Text: Tr(ctx, "Collections"), Here: here == "/collections"}}
}
