package post

import (
	"context"

	"linnet/internal/linnet"
)

// MediaTile is a media file of a post on a profile's media page: a square with a link.
type MediaTile struct {
	linnet.Attachment
	Path   string
	Name   string // accessible name
	Hidden bool   // hidden at first
}

// MediaTiles returns the media files of posts, in their order.
func MediaTiles(ctx context.Context, posts []linnet.StatusView) (all []MediaTile) {
	for _, st := range posts {
		for at, a := range st.Media {
			m := picturePage{Status: st, At: at}
			all = append(all, MediaTile{a, m.Path(0), pictureName(ctx, a, at, len(st.Media)), m.Hidden()})
		}
	}
	return all
}
