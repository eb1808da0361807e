package linnet

import "time"

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

// NotifySecurity notifies users of changes by others to the access to their account. Apps know the
// type and show its text.
const NotifySecurity NotificationType = "moderation_warning"

// Notification is a notification of a user.
type Notification struct {
	ID     ID
	Type   NotificationType
	From   ID
	Status ID            // 0 for follow and follow_request
	Report ID            // for NotifyReport
	Event  SecurityEvent // for NotifySecurity
	Held   bool          // filtered by the recipient's policy
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

// Staff reports whether a type of notification is for staff only.
func (t NotificationType) Staff() bool { return t.For() != 0 }

// For returns the permission that recipients of a notification type need; 0 for none.
func (t NotificationType) For() Permission {
	switch t {
	case NotifyReport:
		return ManageReports
	case NotifySignUp:
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
}

// NotificationFilter narrows a page of notifications.
type NotificationFilter struct {
	Types   []NotificationType // empty for all
	Exclude []NotificationType
	From    ID   // 0 for all
	Held    bool // include filtered notifications
	Shown   bool // without statuses that filters hide, as for pages; apps apply filters themselves
}
