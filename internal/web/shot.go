package web

import (
	"context"

	"linnet/internal/linnet"
)

// shot is a picture, a video or a sound of a post, as the page of somebody's media shows it: a
// square that leads to its page.
type shot struct {
	linnet.Attachment
	Path   string
	Name   string // what it is called where it cannot be seen
	Hidden bool   // it is not to be seen before somebody wants to
}

// shotsOf are those of some posts, in their order.
func shotsOf(ctx context.Context, posts []linnet.StatusView) (all []shot) {
	for _, st := range posts {
		for at, a := range st.Media {
			m := picturePage{Status: st, At: at}
			all = append(all, shot{a, m.Path(0), pictureName(ctx, a, at, len(st.Media)), m.Hidden()})
		}
	}
	return all
}
