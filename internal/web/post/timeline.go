package post

import (
	"net/url"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// Timeline is a page of statuses, one after the other.
type Timeline struct {
	Heading string
	Posts   []linnet.StatusView
	Pager   ui.Pager
	Empty   ui.Empty
	Tag     *TagFollow   // of a tag's page, for members; nil: none
	Link    *linnet.Card // of a link's page; nil: none
	Tabs    []ui.Tab     // to its neighbours

	Live string // address of live updates; "" for none

	Stream url.Values // names the timeline for its stream of news; nil: it has none
}
