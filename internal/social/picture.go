package social

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/media"
	"linnet/internal/store"
	"linnet/internal/task"
	"linnet/internal/uploads"
)

// SetPicture sets the avatar or banner of a user or group and deletes the file of the previous one.
// A nil file removes the picture. shape is media.Avatar or media.Banner.
// https://docs.joinmastodon.org/methods/accounts/#update_credentials
func (s *Profiles) SetPicture(ctx context.Context, me linnet.ID, shape media.Shape, f *uploads.File) error {
	var made linnet.Picture
	if f != nil {
		var err error
		if made, err = s.uploads.StorePicture(ctx, f, shape); err != nil {
			return err
		}
	}
	var before string
	u, _, ok, err := s.st.Accounts.UpdateUser(ctx, me, func(u *linnet.User) error {
		at, alt := &u.Avatar, &u.AvatarAlt
		if shape == media.Banner {
			at, alt = &u.Banner, &u.BannerAlt
		}
		before, *at, *alt = *at, made.Name, ""
		return nil
	}, func([]string) (task.Task, error) { return s.indexTask(me, nil) })
	switch {
	case store.Unknown(err): // the record can name either file
		return core.StoreError(err)
	case err != nil || !ok:
		s.uploads.Discard(ctx, made.Name)
		if err == nil {
			err = core.ErrNoUser
		}
		return core.StoreError(err)
	}
	s.uploads.Discard(ctx, before)
	if u.Suspended { // since the update, or staff change the picture of a suspended group
		return s.uploads.WithholdStored(ctx, me, made.Name)
	}
	return nil
}
