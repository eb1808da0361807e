package reading

import (
	"context"
	"errors"
	"slices"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/store/inbox"
)

// Markers returns me's read positions of some timelines. It leaves out timelines without a saved
// position. https://docs.joinmastodon.org/methods/markers/#get
func (s *Service) Markers(ctx context.Context, me linnet.ID, of []linnet.MarkerTimeline) (linnet.Markers, error) {
	all, err := s.st.Inbox.Markers(ctx, me)
	if err != nil {
		return nil, core.StoreError(err)
	}
	for name := range all {
		if !slices.Contains(of, name) {
			delete(all, name)
		}
	}
	return all, nil
}

// SaveMarkers stores read positions of me and returns them. A position can move back. It returns
// Conflict if another client saves at the same time.
// https://docs.joinmastodon.org/methods/markers/#create
func (s *Service) SaveMarkers(ctx context.Context, me linnet.ID, read map[linnet.MarkerTimeline]linnet.ID) (linnet.Markers, error) {
	if len(read) == 0 {
		return linnet.Markers{}, nil
	}
	saved, err := s.st.Inbox.SaveMarkers(ctx, me, read)
	switch {
	case errors.Is(err, inbox.ErrStale):
		return nil, linnet.Errorf(linnet.Conflict, "Conflict during update, please try again")
	case errors.Is(err, db.ErrDeleted):
		return nil, core.ErrNoUser
	}
	return saved, core.StoreError(err)
}

// SeeNotifications marks the notifications up to upto as seen by me. It never moves back, because
// an old window must not make notifications unread.
func (s *Service) SeeNotifications(ctx context.Context, me, upto linnet.ID) error {
	read, err := s.st.Inbox.Markers(ctx, me)
	if err != nil {
		return core.StoreError(err)
	}
	if upto <= read[linnet.MarkerNotifications].LastRead {
		return nil
	}
	_, err = s.SaveMarkers(ctx, me, map[linnet.MarkerTimeline]linnet.ID{linnet.MarkerNotifications: upto})
	if linnet.KindOf(err) == linnet.Conflict { // another window or device was faster
		err = nil
	}
	return err
}
