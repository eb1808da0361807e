package uploads

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/media"
)

// still is a preview: a small picture without animation, and its placeholder. It is empty if there
// is no data.
type still struct {
	media.Picture
	blurhash string
}

// smallest returns the smaller one of the pictures.
func smallest(r *media.Result) still {
	if r.Small.Data != nil {
		return still{r.Small, r.Blurhash}
	}
	return still{r.Stored, r.Blurhash}
}

// thumbnail makes a preview for another object from a file. Errors name the field.
func (s *Service) thumbnail(ctx context.Context, field string, f *File) (still, error) {
	r, err := s.process(ctx, field, f, media.Attached)
	if err != nil {
		return still{}, err
	}
	return smallest(r), nil
}

// putSmall stores the preview of an attachment. The caller must Discard it if no record names it.
func (s *Service) putSmall(ctx context.Context, a *linnet.Attachment, p still) (err error) {
	if a.Blurhash = p.blurhash; p.Data == nil {
		return nil
	}
	a.SmallSize = linnet.Size{Width: p.Width, Height: p.Height}
	a.Small, err = s.put(ctx, p.Picture)
	return err
}

// StoreCardImage stores the picture of a link preview, without animation. The caller must Discard
// it if no record names it.
func (s *Service) StoreCardImage(ctx context.Context, f *File) (k linnet.CardImage, err error) {
	p, err := s.thumbnail(ctx, "image", f)
	if err != nil {
		return k, err
	}
	k = linnet.CardImage{Size: linnet.Size{Width: p.Width, Height: p.Height}, Blurhash: p.blurhash}
	k.Name, err = s.put(ctx, p.Picture)
	return k, err
}
