package notify

import (
	"context"

	"linnet/internal/core"
	"linnet/internal/linnet"
	"linnet/internal/store/db"
	"linnet/internal/timeline"
)

// maxUnreadShown is the maximum that UnreadShown counts.
const maxUnreadShown = 99

// UnreadShown returns the number of unread notifications for the navigation of pages, up to
// maxUnreadShown. The count is cached. Changes of notifications, markers, blocks, mutes and filters
// update it at once. Hidden accounts and statuses update it within half a minute.
func (s *Service) UnreadShown(ctx context.Context, me linnet.ID) (int, error) {
	return s.st.Inbox.Unread(me, func() (int, error) {
		return s.UnreadNotifications(ctx, me, linnet.NotificationFilter{Shown: true}, maxUnreadShown)
	})
}

// UnreadNotifications counts the notifications above me's marker that a page would show, up to
// limit (0 for DefaultUnread; at most MaxUnread). With a filter it reads at most unreadScans parts,
// because clients poll the count. https://docs.joinmastodon.org/methods/notifications/#unread-count
func (s *Service) UnreadNotifications(ctx context.Context, me linnet.ID, f linnet.NotificationFilter, limit int) (int, error) {
	if limit == 0 {
		limit = linnet.DefaultUnread
	}
	limit = min(limit, linnet.MaxUnread)
	read, err := s.st.Inbox.Markers(ctx, me)
	if err != nil {
		return 0, core.StoreError(err)
	}
	n, scans := 0, 0
	for sp := (db.Span{Above: read[linnet.MarkerNotifications].LastRead, Limit: timeline.ScanMax}); n < limit && (!f.Shown || scans < unreadScans); scans++ {
		page, err := s.st.Inbox.Notices(ctx, me, sp, f.Held)
		if err != nil {
			return 0, core.StoreError(err)
		}
		found, err := s.showNotices(ctx, me, f.Shown, passing(f, page))
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

// unreadScans is the number of parts of the notifications that are searched with a filter.
const unreadScans = 2
