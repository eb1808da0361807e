package web

import (
	"context"

	"linnet/internal/linnet"
)

// shot is a media file of a post on a profile's media page: a square with a link.
type shot struct {
	linnet.Attachment
	Path   string
	Name   string // accessible name
	Hidden bool   // hidden at first
}

// shotsOf returns the media files of posts, in their order.
func shotsOf(ctx context.Context, posts []linnet.StatusView) (all []shot) {
	for _, st := range posts {
		for at, a := range st.Media {
			m := picturePage{Status: st, At: at}
			all = append(all, shot{a, m.Path(0), pictureName(ctx, a, at, len(st.Media)), m.Hidden()})
		}
	}
	return all
}
