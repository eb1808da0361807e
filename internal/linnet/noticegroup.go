package linnet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// GroupSpan is the maximum time between the notifications of a group. Each span after the status
// starts a new group. In Mastodon a group also ends after twelve hours.
const GroupSpan = 12 * time.Hour

// ungrouped is the prefix of the key of a single notification.
const ungrouped = "ungrouped-"

// Groups reports whether notifications of this type are shown as groups.
func (t NotificationType) Groups() bool {
	return t == NotifyFavourite || t == NotifyRepost || t == NotifyFollow
}

// GroupKey returns the key of the group that a notification belongs to. It depends only on the
// notification, so that it never changes.
// https://docs.joinmastodon.org/entities/Notification/#group_key
func (n Notification) GroupKey() string { return n.group().String() }

func (n Notification) group() NotificationGroupID {
	switch {
	case !n.Type.Groups():
		return NotificationGroupID{alone: n.ID}
	case n.Status == 0:
		return NotificationGroupID{about: n.Type, span: n.ID.Millis() / GroupSpan.Milliseconds()}
	}
	return NotificationGroupID{about: n.Type, status: n.Status, span: max(n.ID.Millis()-n.Status.Millis(), 0) / GroupSpan.Milliseconds()}
}

// NotificationGroupID identifies a group of notifications. It is comparable.
type NotificationGroupID struct {
	alone  ID // the only notification of the group; 0 if there can be others
	about  NotificationType
	status ID
	span   int64
}

// String returns the key of the group, see Notification.GroupKey.
func (g NotificationGroupID) String() string {
	switch {
	case g.alone != 0:
		return ungrouped + g.alone.String()
	case g.status == 0:
		return fmt.Sprintf("%s-%d", g.about, g.span)
	}
	return fmt.Sprintf("%s-%v-%d", g.about, g.status, g.span)
}

// OwnKey returns the key of a group with only this notification.
func (n Notification) OwnKey() string { return ungrouped + n.ID.String() }

// KeySpan returns the period of a group's notifications, which can include notifications of other
// groups. ok is false for an invalid key.
func KeySpan(key string) (from, to time.Time, ok bool) {
	if rest, alone := strings.CutPrefix(key, ungrouped); alone {
		id, ok := ParseID(rest)
		return id.Time(), id.Time().Add(time.Millisecond), ok
	}
	part := strings.Split(key, "-")
	if len(part) < 2 || len(part) > 3 || !NotificationType(part[0]).Groups() {
		return from, to, false
	}
	span, err := strconv.ParseInt(part[len(part)-1], 10, 32)
	if err != nil || span < 0 {
		return from, to, false
	}
	var status ID
	if len(part) == 3 {
		if status, ok = ParseID(part[1]); !ok {
			return from, to, false
		}
	}
	begin := status.Millis() + span*GroupSpan.Milliseconds()
	from, to = time.UnixMilli(begin), time.UnixMilli(begin).Add(GroupSpan)
	if span == 0 { // includes notifications that are slightly older than their status by another server's clock
		from = from.Add(-time.Hour)
	}
	return from, to, true
}

// NotificationGroup combines several notifications of one type about one object.
// https://docs.joinmastodon.org/methods/grouped_notifications/#NotificationGroup
type NotificationGroup struct {
	Key              string
	Count            int
	Newest           NotificationView
	PageMin, PageMax ID            // its oldest and newest on the page; 0 if it is on none
	Sample           []*SharedUser // senders of the newest ones, newest first
}

// GroupedNotifications is a page of groups.
type GroupedNotifications struct {
	Slice[NotificationGroup]
	Newest ID // the newest notification that the reader can see, even if a filter hides it; 0 if there is none or it wasn't requested
}

// GroupFilter narrows grouped notifications.
type GroupFilter struct {
	NotificationFilter
	// Grouped has the types to group; nil for all that can be grouped.
	Grouped []NotificationType
}

// Group returns the group in which a notification is shown.
func (f *GroupFilter) Group(n Notification) NotificationGroupID {
	if f.Grouped == nil || slices.Contains(f.Grouped, n.Type) {
		return n.group()
	}
	return NotificationGroupID{alone: n.ID}
}
