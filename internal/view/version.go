package view

import (
	"context"
	"errors"
	"time"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
)

// History returns a status, or the original of a boost, with all its versions, oldest first.
// Everyone who can see the status can see them.
// https://docs.joinmastodon.org/methods/statuses/#history
func (s *Service) History(ctx context.Context, viewer, id linnet.ID) (linnet.StatusView, []linnet.StatusVersion, error) {
	v, err := s.Status(ctx, viewer, id)
	if err != nil {
		return v, nil, err
	}
	if v.Repost != nil {
		v = *v.Repost
	}
	before, err := s.st.Statuses.Versions(ctx, &v.Status)
	if errors.Is(err, db.ErrDeleted) { // it has been deleted in the meantime
		return v, nil, ErrNoStatus
	}
	if err != nil {
		return v, nil, core.StoreError(err)
	}
	all := make([]linnet.StatusVersion, 0, len(before)+1)
	for i, st := range before {
		st.Sensitive = st.Sensitive || v.By.Sensitized
		all = append(all, s.Version(st, v.VersionAt(i)))
	}
	return v, append(all, linnet.StatusVersion{Status: v.Status, At: v.VersionAt(len(before)), HTML: v.HTML, Pictured: v.Pictured}), nil
}

// Version renders a version of a status, without caching.
func (s *Service) Version(st *linnet.Status, at time.Time) linnet.StatusVersion {
	_, pictured := s.picturedStatus(st, s.core.Emojis())
	return linnet.StatusVersion{Status: *st, At: at, HTML: s.textHTML(st), Pictured: pictured}
}
