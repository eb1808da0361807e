package linnet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// NotificationType is the type of a notification. The values are Mastodon's.
type NotificationType string

const (
	NotifyMention   NotificationType = "mention"
	NotifyStatus    NotificationType = "status" // a user that the recipient subscribes to has posted
	NotifyRepost    NotificationType = "reblog"
	NotifyFollow    NotificationType = "follow"
	NotifyRequest   NotificationType = "follow_request"
	NotifyFavourite NotificationType = "favourite"
	NotifyPoll      NotificationType = "poll"          // a poll that the user created or voted in has ended
	NotifyEdit      NotificationType = "update"        // a status that the user has reposted was edited
	NotifyQuote     NotificationType = "quote"         // a user has quoted a status of the recipient
	NotifyQuoted    NotificationType = "quoted_update" // a status that the user has quoted was edited; Status is the quote
	NotifyReport    NotificationType = "admin.report"  // to moderators
	NotifySignUp    NotificationType = "admin.sign_up" // to moderators: From has signed up or requests an account
)

// Notifications about collections; Notification.Collection is the collection.
const (
	NotifyCollected        NotificationType = "added_to_collection" // the recipient was added
	NotifyCollectionEdited NotificationType = "collection_update"   // one that shows the recipient has a new name or description
)

// NotifySecurity notifies users of strikes, and of changes by others to the access to their account.
// Apps know the type and show its text.
const NotifySecurity NotificationType = "moderation_warning"

// NotifyHandled notifies users that their report was handled. Only pages show it, because apps
// don't know the type.
const NotifyHandled NotificationType = "linnet.report_handled"

// NotifyAppeal notifies moderators that From has appealed against a strike. Like NotifyHandled, it
// is on pages only.
const NotifyAppeal NotificationType = "linnet.appeal"

// Notification is a notification of a user.
type Notification struct {
	ID     ID
	Type   NotificationType
	From   ID
	Status ID            // 0 for follow and follow_request
	Report ID            // for NotifyReport and NotifyHandled
	Event  SecurityEvent // for NotifySecurity
	Strike ID            // for NotifyAppeal, and for NotifySecurity instead of Event
	Held   bool          // filtered by the recipient's policy

	Collection ID // for NotifyCollected and NotifyCollectionEdited
}

// Number returns the ID without the shard, which depends only on the recipient. It is below 1<<53,
// so that JavaScript can represent it exactly. Notifications have the same order by Number as by
// id.
func (n Notification) Number() uint64 { return uint64(n.ID>>16)<<6 | uint64(n.ID&63) }

// NotificationID returns the id of the recipient's notification that a client names by its
// id or its Number. Values that cannot be a Number are returned unchanged.
func NotificationID(id, recipient ID) ID {
	if id>>40 == 0 || id>>53 != 0 { // ids are above 1<<53, and times since 1975 below
		return id
	}
	return id>>6<<16 | ID(recipient.Shard())<<6 | id&63
}

// OnPages reports whether only pages show a type of notification, because apps don't know it.
func (t NotificationType) OnPages() bool { return t == NotifyHandled || t == NotifyAppeal }

// Staff reports whether a type of notification is for staff only.
func (t NotificationType) Staff() bool { return t.For() != 0 }

// For returns the permission that recipients of a notification type need; 0 for none.
func (t NotificationType) For() Permission {
	switch t {
	case NotifyReport:
		return ManageReports
	case NotifySignUp, NotifyAppeal:
		return ManageUsers
	}
	return 0
}

// NotificationView is a notification as shown.
type NotificationView struct {
	Notification
	At     time.Time
	By     *SharedUser
	Status *StatusView // nil for follow and follow_request
	Filed  *ReportView // for NotifyReport
	Warned *Strike     // for NotifyAppeal, and NotifySecurity about a strike; nil for others

	Collection *CollectionView // for NotifyCollected and NotifyCollectionEdited

	Fallback string // a title for apps that don't know the type; "" if they do
}

// Own reports whether a notification is about the recipient alone, so that it has no sender.
func (n *Notification) Own() bool { return n.Type == NotifySecurity || n.Type == NotifyHandled }

// Sentence describes a notification without a sender.
func (v *NotificationView) Sentence() string {
	switch {
	case v.Type == NotifyHandled:
		return "The moderators handled your report. Thank you for your help."
	case v.Warned == nil:
		return v.Event.Sentence()
	case v.Warned.Appeal == nil || v.Warned.ID == v.ID:
		return v.Warned.Sentence()
	case v.Warned.Appeal.State == AppealApproved:
		return "The moderators approved your appeal."
	}
	return "The moderators rejected your appeal."
}

// NotificationFilter narrows a page of notifications.
type NotificationFilter struct {
	Types   []NotificationType // empty for all
	Exclude []NotificationType
	From    ID   // 0 for all
	Held    bool // include filtered notifications
	Shown   bool // without statuses that filters hide, as for pages; apps apply filters themselves
}

// Treatment determines what happens to notifications from certain users. The values are Mastodon's.
type Treatment string

const (
	Accept Treatment = "accept" // show them
	Hold   Treatment = "filter" // filter them into a request
	Drop   Treatment = "drop"   // don't create them
)

// ValidTreatment reports whether t is one of the three.
func ValidTreatment(t Treatment) bool { return t == Accept || t == Hold || t == Drop }

// Stricter returns the stricter of two treatments.
func Stricter(a, b Treatment) Treatment {
	if a == Drop || b == Drop {
		return Drop
	}
	if a == Hold || b == Hold {
		return Hold
	}
	return Accept
}

// NewAccountAge is the age from which an account is no longer new.
const NewAccountAge = 30 * 24 * time.Hour

// NotificationPolicy determines how notifications from certain users are treated.
// https://docs.joinmastodon.org/entities/NotificationPolicy/
type NotificationPolicy struct {
	NotFollowing    Treatment // from users that the recipient doesn't follow
	NotFollowers    Treatment // from users who don't follow the recipient
	NewAccounts     Treatment // from accounts younger than NewAccountAge, unless followed
	PrivateMentions Treatment // direct mentions by users not followed, unless they reply to the recipient
	Limited         Treatment // from users silenced by moderators, unless followed
	Bots            Treatment // from automated accounts, unless followed
}

// DefaultPolicy returns the default policy. Unlike Mastodon's it accepts private mentions, because
// many clients can't show requests.
func DefaultPolicy() NotificationPolicy {
	return NotificationPolicy{Accept, Accept, Accept, Accept, Hold, Accept}
}

// PolicyChange changes a policy. Fields with "" stay.
type PolicyChange NotificationPolicy

// PolicyView is a policy with the number of filtered notifications.
type PolicyView struct {
	NotificationPolicy
	Requests, Notifications int
}

// NotificationRequest has the filtered notifications of one sender.
// https://docs.joinmastodon.org/entities/NotificationRequest/
type NotificationRequest struct {
	ID          ID // id of the first notification
	First, Last time.Time
	By          *SharedUser
	Count       int
	Status      *StatusView // status of the last notification; can be nil
}

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
