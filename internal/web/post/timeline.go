package post

import (
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
