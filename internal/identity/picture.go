package identity

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/kv"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/store"
	"linnet/internal/uploads"
	"linnet/internal/wording"
)

// SetPicture sets a picture of the server and deletes the previous file. A nil file removes the
// picture. shape is media.Icon or media.Thumbnail. The change is in the audit log. by must be
// allowed to change settings.
func (s *Settings) SetPicture(ctx context.Context, by linnet.Actor, shape media.Shape, f *uploads.File) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageSettings); err != nil {
		return err
	}
	var made linnet.Picture
	if f != nil {
		var err error
		if made, err = s.uploads.StorePicture(ctx, f, shape); err != nil {
			return err
		}
	}
	about, err := s.instance(ctx)
	if err == nil {
		err = s.core.LogAct(ctx, by, core.ActSettings, 0, string(core.BeforeAndAfter(pictureWord(shape), pictureOf(&about, shape).Name, made.Name)), "")
	}
	if err != nil {
		s.uploads.Discard(ctx, made.Files()...)
		return err
	}
	var before linnet.Picture
	_, err = s.updateInstance(ctx, func(in *linnet.Instance) ([]kv.Op, error) {
		at := pictureOf(in, shape)
		before, *at = *at, made
		if in.Thumbnail.Name == "" {
			in.ThumbnailAlt = ""
		}
		return nil, nil
	})
	switch {
	case store.Unknown(err): // the record can name either file
	case err != nil:
		s.uploads.Discard(ctx, made.Files()...)
	default:
		s.uploads.Discard(ctx, before.Files()...)
	}
	return core.StoreError(err)
}

// pictureWord returns the name of a shape for the audit log.
func pictureWord(shape media.Shape) wording.Message {
	if shape == media.Thumbnail {
		return wording.Messagef("Banner")
	}
	return wording.Messagef("Logo")
}

// pictureOf returns the field of the settings with the picture of a shape.
func pictureOf(in *linnet.Instance, shape media.Shape) *linnet.Picture {
	if shape == media.Thumbnail {
		return &in.Thumbnail
	}
	return &in.Icon
}
