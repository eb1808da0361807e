package uploads

import (
	"context"
	"errors"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

// errNoPicture: what a page has for its picture is none.
var errNoPicture = errors.New("is a video or a sound, and no picture")

// KeepCardImage makes of a file the picture of a card: as large as a picture of a post is
// shown, and still. Who names it nowhere has to Discard it.
func (s *Service) KeepCardImage(ctx context.Context, f *File) (k linnet.CardImage, err error) {
	if f.film {
		return k, errNoPicture
	}
	r, err := s.process(ctx, "image", f, media.Attached)
	if err != nil {
		return k, err
	}
	p := r.Kept
	if r.Small.Data != nil {
		p = r.Small
	}
	k = linnet.CardImage{Size: linnet.Size{Width: p.Width, Height: p.Height}, Blurhash: r.Blurhash}
	k.Name, err = s.put(ctx, p)
	return k, err
}
