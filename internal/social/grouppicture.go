package social

import (
	"context"

	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/uploads"
	"linnet/internal/wording"
)

// SetPicture sets the picture of a group for a shape, media.Avatar or media.Banner. A nil file
// removes it. me must be an owner, or a moderator of the server, whose action is added to the audit
// log.
func (s *Groups) SetPicture(ctx context.Context, me, id linnet.ID, shape media.Shape, f *uploads.File) error {
	staff, err := s.mayRun(ctx, me, id)
	if err != nil {
		return err
	}
	if staff {
		return s.EditPicture(ctx, linnet.By(me), id, shape, f)
	}
	return s.social.Profiles.SetPicture(ctx, id, shape, f)
}

// EditPicture is like SetPicture, for moderators of the server. It adds to the audit log.
func (s *Groups) EditPicture(ctx context.Context, by linnet.Actor, id linnet.ID, shape media.Shape, f *uploads.File) error {
	if err := s.core.Authorize(ctx, by, linnet.ManageUsers); err != nil {
		return err
	}
	if err := s.social.Profiles.SetPicture(ctx, id, shape, f); err != nil {
		return err
	}
	what := wording.Messagef("avatar")
	if shape == media.Banner {
		what = wording.Messagef("banner")
	}
	return s.core.LogAct(ctx, by, linnet.EditGroup, id, wording.Store("%s", what), "")
}
