package post

import (
	"context"
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// Timeline is a page of statuses.
type Timeline struct {
	Heading string
	Posts   []linnet.StatusView
	Pager   ui.Pager
	Empty   ui.Empty
	Tag     *TagFollow   // the hashtag of the page, for members; nil for none
	Link    *linnet.Card // the trending link of the page; nil for none
	Tabs    []ui.Tab     // links to related timelines

	Live string // address of live updates; "" for none

	Stream url.Values // name of the timeline for live updates; nil for none
}

// ListTitle returns the title of a list. Titles of built-in lists are translated.
func ListTitle(ctx context.Context, l *linnet.List) string {
	if l.Kind == linnet.OwnList || l.Kind == linnet.GroupList {
		return l.Title
	}
	return ui.Tr(ctx, l.Title)
}

// TagFollow is a hashtag, and whether the reader follows it.
type TagFollow struct {
	Name      string
	Following bool
}
