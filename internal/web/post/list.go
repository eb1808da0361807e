package post

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/web/ui"
)

// ListTitle returns the title of a list. Titles of built-in lists are translated.
func ListTitle(ctx context.Context, l *linnet.List) string {
	if l.Kind == linnet.OwnList || l.Kind == linnet.GroupList {
		return l.Title
	}
	return ui.Tr(ctx, l.Title)
}
