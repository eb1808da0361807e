package social

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
	"linnet/internal/wording"
)

// SetPicture gives a group a picture of a shape (media.Avatar or media.Banner); without a
// file there is none from then on. It is for owners, and for staff, whose act is logged.
func (s *Groups) SetPicture(ctx context.Context, me, id linnet.ID, shape media.Shape, f *uploads.File) error {
	staff, err := s.mayRun(ctx, me, id)
	if err != nil {
		return err
	}
	if staff {
		return s.EditPicture(ctx, linnet.By(me), id, shape, f)
	}
	return s.social.SetPicture(ctx, id, shape, f)
}

// EditPicture is SetPicture for moderators, whatever they are in the group. It is logged.
func (s *Groups) EditPicture(ctx context.Context, by linnet.Actor, id linnet.ID, shape media.Shape, f *uploads.File) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return err
	}
	if err := s.social.SetPicture(ctx, id, shape, f); err != nil {
		return err
	}
	return s.core.LogAct(ctx, by, linnet.EditGroup, id, pictureWord(shape), "")
}

// pictureWord is what a group's picture of a shape is called in the log of acts.
func pictureWord(shape media.Shape) string {
	if shape == media.Banner {
		return wording.Keep("%s", wording.Messagef("banner"))
	}
	return wording.Keep("%s", wording.Messagef("avatar"))
}
