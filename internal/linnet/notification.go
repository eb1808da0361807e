package linnet

import "time"

// NotificationType says what happened. The words are Mastodon's.
type NotificationType string

const (
	NotifyMention   NotificationType = "mention"
	NotifyStatus    NotificationType = "status" // somebody whose statuses notify has posted
	NotifyRepost    NotificationType = "reblog"
	NotifyFollow    NotificationType = "follow"
	NotifyRequest   NotificationType = "follow_request"
	NotifyFavourite NotificationType = "favourite"
	NotifyPoll      NotificationType = "poll"          // a poll that the user made or voted in has ended
	NotifyEdit      NotificationType = "update"        // a status that the user has reposted was edited
	NotifyQuote     NotificationType = "quote"         // somebody has quoted a status of the user's
	NotifyQuoted    NotificationType = "quoted_update" // a status that the user has quoted was edited; Status is the quote
	NotifyReport    NotificationType = "admin.report"  // to moderators
	NotifySignUp    NotificationType = "admin.sign_up" // likewise: From has signed up, or asks for an account
)

// NotifySecurity tells people that somebody else did something to the access to
// their account. Apps know the type and show the text that comes with it.
const NotifySecurity NotificationType = "moderation_warning"

// Notification tells a user that something concerns them.
type Notification struct {
	ID     ID
	Type   NotificationType
	From   ID
	Status ID            // 0 for follow and follow_request
	Report ID            // of NotifyReport
	Event  SecurityEvent // of NotifySecurity
	Held   bool          // apart from the others, by the recipient's policy
}

// Number returns the ID without the shard, which is the recipient's. It is below 1<<53, so
// that JavaScript holds it exactly, and orders notifications as their ids do.
func (n Notification) Number() uint64 { return uint64(n.ID>>16)<<6 | uint64(n.ID&63) }

// NotificationID returns the id of the recipient's notification that a client names by its
// id or its Number. Values that cannot be a Number are returned unchanged.
func NotificationID(id, recipient ID) ID {
	if id>>40 == 0 || id>>53 != 0 { // ids and numbers since 1975 lie on either side of 1<<53
		return id
	}
	return id>>6<<16 | ID(recipient.Shard())<<6 | id&63
}

// Staff reports whether a type of notification is for staff only.
func (t NotificationType) Staff() bool { return t.For() != 0 }

// For is what somebody must be allowed to do to be told of a type of notification; 0: nothing.
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
	Filed  *ReportView // of NotifyReport
}

// NotificationFilter narrows a page of notifications.
type NotificationFilter struct {
	Types   []NotificationType // empty: all
	Exclude []NotificationType
	From    ID   // 0: everybody
	Held    bool // also those that the policy holds back
	Shown   bool // without what a filter hides: for those who leave hiding to us, as pages do and apps do not
}
