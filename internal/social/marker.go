package social

import (
	"context"
	"errors"
	"slices"

	"linnet/internal/linnet"
	"linnet/internal/store"
)

// Markers shows how far me has read the named timelines; those without a saved
// position are left out.
// https://docs.joinmastodon.org/methods/markers/#get
func (s *Service) Markers(ctx context.Context, me linnet.ID, of []linnet.MarkerTimeline) (linnet.Markers, error) {
	all, err := s.st.Markers(ctx, me)
	if err != nil {
		return nil, kvError(err)
	}
	for name := range all {
		if !slices.Contains(of, name) {
			delete(all, name)
		}
	}
	return all, nil
}

// SaveMarkers keeps how far me has read some timelines, and returns those. A
// position may also go back. Conflict if another client saved at the same time.
// https://docs.joinmastodon.org/methods/markers/#create
func (s *Service) SaveMarkers(ctx context.Context, me linnet.ID, read map[linnet.MarkerTimeline]linnet.ID) (linnet.Markers, error) {
	if len(read) == 0 {
		return linnet.Markers{}, nil
	}
	saved, err := s.st.SaveMarkers(ctx, me, read)
	switch {
	case errors.Is(err, store.ErrStale):
		return nil, linnet.Errorf(linnet.Conflict, "Conflict during update, please try again")
	case errors.Is(err, store.ErrGone):
		return nil, errNoUser
	}
	return saved, kvError(err)
}

// SeeNotifications notes that me has seen the notifications up to one, as a page that
// shows them does. It never goes back: an old window must not make what was read
// unread.
func (s *Service) SeeNotifications(ctx context.Context, me, upto linnet.ID) error {
	read, err := s.st.Markers(ctx, me)
	if err != nil {
		return kvError(err)
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

// UnreadNotifications counts the notifications above me's marker that a page of
// them would show, up to limit (0: DefaultUnread; at most MaxUnread).
// https://docs.joinmastodon.org/methods/notifications/#unread-count
func (s *Service) UnreadNotifications(ctx context.Context, me linnet.ID, f linnet.NotificationFilter, limit int) (int, error) {
	if limit == 0 {
		limit = linnet.DefaultUnread
	}
	limit = min(limit, linnet.MaxUnread)
	read, err := s.st.Markers(ctx, me)
	if err != nil {
		return 0, kvError(err)
	}
	n := 0
	for sp := (store.Span{Above: read[linnet.MarkerNotifications].LastRead, Limit: scanMax}); n < limit; {
		page, err := s.st.Notices(ctx, me, sp, f.Held)
		if err != nil {
			return 0, kvError(err)
		}
		found, err := s.showNotices(ctx, me, passing(f, page))
		if err != nil {
			return 0, err
		}
		n += len(found)
		if len(page) < sp.Limit {
			break
		}
		sp.Below = page[len(page)-1].ID
	}
	return min(n, limit), nil
}
