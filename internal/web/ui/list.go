package ui

import (
	"context"
)

// Empty is shown if there are no entries.
type Empty struct{ Icon, Title, Text string }

// Pager has the paths of the neighbouring pages of a list; "" means that there is none.
type Pager struct{ Newer, Older string }

// ListTabs returns the tabs of lists and custom feeds.
func ListTabs(ctx context.Context, here string) []Tab {
	return []Tab{{Path: "/lists", Text: Tr(ctx, "Lists"), Here: here == "/lists"}, {Path: "/feeds", Text: Tr(ctx, "Feeds"), Here: here == "/feeds"}}
}
