package linnet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// NotificationType is the type of a notification. Apps know Mastodon's values.
type NotificationType string

// Types of notifications. Those that start with "linnet" are not Mastodon's.
const (
	NotifyMention          NotificationType = "mention"
	NotifyFollow           NotificationType = "follow"
	NotifyRequest          NotificationType = "follow_request"
	NotifyStatus           NotificationType = "status" // a user that the recipient subscribes to has posted
	NotifyFavourite        NotificationType = "favourite"
	NotifyRepost           NotificationType = "reblog"
	NotifyQuote            NotificationType = "quote"               // a user has quoted a status of the recipient
	NotifyPoll             NotificationType = "poll"                // a poll that the user created or voted in has ended
	NotifyEdit             NotificationType = "update"              // a status that the user has reposted was edited
	NotifyQuoted           NotificationType = "quoted_update"       // a status that the user has quoted was edited; Status is the quote
	NotifyCollected        NotificationType = "added_to_collection" // the recipient was added
	NotifyCollectionEdited NotificationType = "collection_update"   // one that shows the recipient has a new name or description
	NotifySecurity         NotificationType = "moderation_warning"  // a strike, or a change by others to the access to the account
	NotifySignUp           NotificationType = "admin.sign_up"       // From has signed up or requests an account
	NotifyReport           NotificationType = "admin.report"
	NotifyHandled          NotificationType = "linnet.report_handled" // the recipient's report
	NotifyAppeal           NotificationType = "linnet.appeal"         // From has appealed against a strike
)

// NotificationSubject determines which field of a notification is set.
type NotificationSubject uint8

// Subjects of notifications.
const (
	AboutStatus     NotificationSubject = iota // Status, or none if it is only about From
	AboutReport                                // Report
	AboutCollection                            // Collection
	AboutStrike                                // Strike
	AboutAccess                                // Strike or Event
)

// NotificationKind has the properties of a type of notification.
type NotificationKind struct {
	Type     NotificationType
	Letter   string // the type in the store; must not change
	Subject  NotificationSubject
	For      Permission // required of recipients; 0 for none
	Own      bool       // about the recipient alone, so that it has no sender
	Filtered bool       // the recipient's policy applies
	Groups   bool       // notifications about the same object are shown as one
	OnPages  bool       // only pages show it, because apps don't know the type
	Fallback bool       // has a title for apps that don't support the type
	Icon     string     // on pages

	Did   string // sentence about senders, which are the second value; "" if there are none
	Text  string // sentence without senders; "" if it depends on the notification
	Alert string // choice of this type for pushes; "" if it is never pushed
}

// notificationKinds are in the order of the choices for pushes.
var notificationKinds = [...]NotificationKind{
	{Type: NotifyMention, Letter: "m", Filtered: true, Icon: "at",
		Did: "%[2]s mentioned you", Alert: "Mentions and messages"},
	{Type: NotifyFollow, Letter: "o", Filtered: true, Groups: true, Icon: "person",
		Did: "%[2]s followed you", Alert: "New followers"},
	{Type: NotifyRequest, Letter: "q", Filtered: true, Icon: "lock",
		Did: "%[2]s requested to follow you", Alert: "Follow requests"},
	{Type: NotifyStatus, Letter: "s", Icon: "bell",
		Did: "%[2]s just posted", Alert: "New posts from people you turned on notifications for"},
	{Type: NotifyFavourite, Letter: "f", Filtered: true, Groups: true, Icon: "star",
		Did: "%[2]s favourited your post", Alert: "Favourites"},
	{Type: NotifyRepost, Letter: "r", Filtered: true, Groups: true, Icon: "boost",
		Did: "%[2]s boosted your post", Alert: "Boosts"},
	{Type: NotifyQuote, Letter: "Q", Filtered: true, Icon: "quote",
		Did: "%[2]s quoted your post", Alert: "Quotes of your posts"},
	{Type: NotifyPoll, Letter: "p", Icon: "poll",
		Text: "A poll that you voted in has ended", Alert: "Polls that ended"},
	{Type: NotifyEdit, Letter: "e", Icon: "edit",
		Did: "%[2]s edited a post you boosted", Alert: "Edits to posts you boosted"},
	{Type: NotifyQuoted, Letter: "E", Icon: "edit",
		Did: "%[2]s edited a post you quoted", Alert: "Edits to posts you quoted"},
	{Type: NotifyCollected, Letter: "c", Subject: AboutCollection, Filtered: true, Fallback: true, Icon: "people",
		Did: "%[2]s added you to a collection", Alert: "Being added to a collection"},
	{Type: NotifyCollectionEdited, Letter: "C", Subject: AboutCollection, Filtered: true, Fallback: true, Icon: "people",
		Did: "%[2]s changed a collection you're in", Alert: "Changes to collections you're in"},
	{Type: NotifySecurity, Letter: "S", Subject: AboutAccess, Own: true, Fallback: true, Icon: "lock",
		Alert: "Changes to your account security"},
	{Type: NotifySignUp, Letter: "U", For: ManageUsers, Fallback: true, Icon: "person",
		Did: "%[2]s signed up", Alert: "New accounts"},
	{Type: NotifyReport, Letter: "R", Subject: AboutReport, For: ManageReports, Fallback: true, Icon: "flag",
		Did: "%[2]s reported an account", Alert: "Reports"},
	{Type: NotifyHandled, Letter: "H", Subject: AboutReport, Own: true, OnPages: true, Icon: "flag",
		Text: "The moderators handled your report. Thank you for your help."},
	{Type: NotifyAppeal, Letter: "A", Subject: AboutStrike, For: ManageUsers, OnPages: true, Icon: "flag",
		Did: "%[2]s appealed a decision"},
}

// Kind returns the properties of a type. They are zero for an unknown type.
func (t NotificationType) Kind() NotificationKind {
	for i := range notificationKinds {
		if notificationKinds[i].Type == t {
			return notificationKinds[i]
		}
	}
	return NotificationKind{}
}

// NotificationKindOf returns the kind with a letter. ok is false if there is none.
func NotificationKindOf(letter string) (k NotificationKind, ok bool) {
	for i := range notificationKinds {
		if notificationKinds[i].Letter == letter {
			return notificationKinds[i], true
		}
	}
	return NotificationKind{}, false
}

// Notification is a notification of a user. At most one of Status, Report, Event, Strike and
// Collection is set, see NotificationSubject.
type Notification struct {
	ID     ID
	Type   NotificationType
	From   ID
	Status ID
	Report ID
	Event  SecurityEvent
	Strike ID
	Held   bool // filtered by the recipient's policy

	Collection ID
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

// NotificationView is a notification as shown.
type NotificationView struct {
	Notification
	At     time.Time
	By     *SharedUser
	Status *StatusView
	Filed  *ReportView // for staff only
	Warned *Strike

	Collection *CollectionView

	Fallback string // a title for apps that don't know the type; "" if they do
}

// Sentence describes a notification without senders for its recipient.
func (v *NotificationView) Sentence(to ID) string {
	switch text := v.Type.Kind().Text; {
	case v.Type == NotifyPoll && v.From == to:
		return "Your poll has ended"
	case text != "":
		return text
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

// GroupKey returns the key of the group that a notification belongs to. It depends only on the
// notification, so that it never changes.
// https://docs.joinmastodon.org/entities/Notification/#group_key
func (n Notification) GroupKey() string { return n.group().String() }

func (n Notification) group() NotificationGroupID {
	switch {
	case !n.Type.Kind().Groups:
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
	if len(part) < 2 || len(part) > 3 || !NotificationType(part[0]).Kind().Groups {
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
